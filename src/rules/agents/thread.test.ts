import { describe, expect, it } from 'vitest'
import { planThread, type ThreadFacts } from './thread.ts'

const mark = { agent: 'claude', session: 's', turn: 1, kind: 'implement', folder: '/w/1' }
const facts: ThreadFacts = {
  agent: 'claude',
  kind: 'implement',
  folder: '/w/1',
  mark,
  live: { turn: 1, folder: '/w/1' },
  canFork: true,
  canLoad: true,
}
const plan = (more: Partial<ThreadFacts>) => planThread({ ...facts, ...more })

describe('the thread of a coding agent', () => {
  it('[AG5] the same work continues its session', () => {
    expect(plan({})).toBe('continue')
  })

  it('[AG5] other work starts from a copy, so that a third can too', () => {
    expect(plan({ kind: 'write-tests' })).toBe('fork')
    expect(plan({ kind: 'write-tests', canFork: false })).toBe('replay')
  })

  it('[AG5] a session without its process is read back for the same work', () => {
    expect(plan({ live: null })).toBe('load')
    expect(plan({ live: null, canLoad: false })).toBe('replay')
    expect(plan({ live: null, kind: 'write-tests' })).toBe('replay')
  })

  it('[AG5] a session of another agent, another folder or with a later turn is told anew', () => {
    expect(plan({ agent: 'codex' })).toBe('replay')
    expect(plan({ folder: '/w/2' })).toBe('replay')
    expect(plan({ live: { turn: 2, folder: '/w/1' } })).toBe('replay')
    expect(plan({ mark: null })).toBe('replay')
  })
})
