import { describe, expect, it } from 'vitest'
import type { EvidenceView } from '../../../../src/build/view.ts'
import * as make from './build.fixture.ts'
import { attemptLabel, evidenceTone, statusOf } from './labels.ts'

const root = ['root']
const status = (...facts: make.Fact[]) => statusOf(make.viewOf([make.started(), make.node(root), ...facts]))

describe('how a build stands', () => {
  it('waits for a person once nothing else goes on', () => {
    const part = ['root', 'part']
    const ask = make.question(root, 'q')
    expect(status(make.asked(root, 'implement'))).toBe('running')
    expect(status(ask)).toBe('waiting')
    expect(status(make.node(part), make.asked(part, 'scaffold'), ask)).toBe('running')
    expect(status(ask, { type: 'question.answered', data: { id: 'q' } })).toBe('running')
    expect(status(ask, { type: 'run.parked', data: { reason: 'stopped' } })).toBe('stopped')
  })

  it('wants tests red before there is code, and green after', () => {
    const run = (purpose: string, exit_code: number) =>
      evidenceTone({ purpose, exit_code, ended: 'exited' } as EvidenceView)
    expect([run('red', 1), run('red', 0), run('claim', 0), run('claim', 1)]).toEqual(['ok', 'bad', 'ok', 'bad'])
    expect(evidenceTone({ purpose: 'review', exit_code: 1, ended: 'exited' } as EvidenceView)).toBe('plain')
    expect(evidenceTone({ purpose: 'claim', exit_code: 0, ended: 'timed-out' } as EvidenceView)).toBe('bad')
  })
})

describe('an attempt', () => {
  it('[GR4] has no number of all after the last one', () => {
    expect([attemptLabel(2, undefined), attemptLabel(4, 4), attemptLabel(5, 4)]).toEqual([
      'attempt 2',
      'attempt 4 of 4',
      'attempt 5',
    ])
  })
})
