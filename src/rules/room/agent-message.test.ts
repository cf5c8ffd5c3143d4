import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AgentMessage,
  type AgentThread,
  admitToThread,
  agentMessageKinds,
  agentMessageSchema,
  newThread,
} from './agent-message.ts'

const said = (more: Partial<AgentMessage> = {}) => ({
  kind: 'question' as const,
  from: 'gpt',
  to: 'claude',
  content: 'Which index?',
  expects_reply: true,
  thread: 't1',
  ...more,
})

describe('a message between agents', () => {
  it('[AM1] has one of seven kinds and its fields, no others', () => {
    for (const kind of agentMessageKinds)
      expect(agentMessageSchema.safeParse({ ...said({ kind }), depth: 1 }).success).toBe(true)
    expect(agentMessageKinds).toHaveLength(7)
    const { to: _, ...toAll } = { ...said(), depth: 1 }
    expect(agentMessageSchema.safeParse({ ...toAll, topic: 'storage' }).success).toBe(true)
    for (const wrong of [
      { kind: 'shout' },
      { content: '' },
      { from: '' },
      { depth: 0 },
      { depth: 1.5 },
      { expects_reply: 'yes' },
      { cc: 'ada' },
      { thread: undefined },
    ]) {
      expect(agentMessageSchema.safeParse({ ...said(), depth: 1, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
    }
  })

  it('[AM1] a resolution closes its thread and gets no reply', () => {
    const closed = admitToThread(newThread, said({ kind: 'resolution' }))
    expect(closed).toMatchObject({ kind: 'admit', message: { expects_reply: false }, thread: { closed: true } })
    expect(admitToThread(closed.thread, said())).toMatchObject({ kind: 'refuse', because: 'closed' })
  })
})

describe('the depth of a thread', () => {
  it('[AM2] counts every message, whoever speaks', () => {
    let thread: AgentThread = newThread
    const depths = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ].map(([from, to]) => {
      const ruling = admitToThread(thread, { ...said(), from: from!, to: to! })
      thread = ruling.thread
      return ruling.kind === 'admit' ? ruling.message.depth : 0
    })
    expect(depths).toEqual([1, 2, 3])
  })

  it('[AM2] ignores the depth that the sender gives', () => {
    const lying = { ...said(), depth: 1 }
    expect(admitToThread({ depth: 4, closed: false }, lying)).toMatchObject({ message: { depth: 5 } })
  })

  it('[AM2] ends at six and reports it: no reply to the sixth, no seventh', () => {
    const fifth = admitToThread({ depth: 4, closed: false }, said())
    expect(fifth).toMatchObject({ kind: 'admit', capReached: false, message: { expects_reply: true } })
    const sixth = admitToThread(fifth.thread, said())
    expect(sixth).toMatchObject({ kind: 'admit', capReached: true, message: { depth: 6, expects_reply: false } })
    expect(admitToThread(sixth.thread, said())).toMatchObject({ kind: 'refuse', because: 'depth_cap' })
  })

  it('[AM2] never exceeds the cap, and reports reaching it exactly once', () => {
    const speaker = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: speaker, to: speaker }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 9 }),
        (all, cap) => {
          let thread: AgentThread = newThread
          const rulings = all.map((each) => {
            const ruling = admitToThread(thread, { ...said(), ...each }, cap)
            thread = ruling.thread
            return ruling
          })
          expect(rulings.filter(({ kind }) => kind === 'admit')).toHaveLength(Math.min(cap, all.length))
          const told = rulings.filter((ruling) => ruling.kind === 'admit' && ruling.capReached)
          expect(told).toHaveLength(all.length >= cap ? 1 : 0)
        },
      ),
    )
  })
})
