import { describe, expect, it } from 'vitest'
import type { Proposals } from '../room/proposal.ts'
import { coordinationContext, describeCoordination } from './coordination-context.ts'

const proposals: Proposals = {
  gpt: { angle: 'schema first', confidence: 0.9, covers: ['tables', 'keys'] },
  claude: { angle: 'read paths', confidence: 0.8, covers: ['queries'] },
  ada: { angle: 'costs', confidence: 0.75, covers: [] },
}
const parallel = { mode: 'parallel', winner: 'gpt', responders: ['gpt', 'claude'] } as const
const synthesis = { mode: 'synthesis', winner: 'gpt', responders: ['gpt', 'claude', 'ada'] } as const
const of = (decision: typeof parallel | typeof synthesis, agent: string, answers: Record<string, string> = {}) =>
  coordinationContext(
    { ...decision, responders: [...decision.responders] },
    proposals,
    agent,
    new Map(Object.entries(answers)),
  )

describe('what a responder is told', () => {
  it('[RD5] nothing, when it answers alone or not at all', () => {
    expect(coordinationContext({ mode: 'solo', winner: 'gpt', responders: ['gpt'] }, proposals, 'gpt')).toBeUndefined()
    expect(of(parallel, 'ada')).toBeUndefined()
  })

  it('[RD6] in parallel: its own angle, and the angle and topics of the other', () => {
    expect(of(parallel, 'gpt')).toEqual({
      role: 'primary',
      order: 'together',
      primary: 'gpt',
      angle: 'schema first',
      others: [{ name: 'claude', angle: 'read paths', covers: ['queries'] }],
      asked: false,
    })
    expect(of(parallel, 'claude')).toMatchObject({
      role: 'secondary',
      others: [{ name: 'gpt', covers: ['tables', 'keys'] }],
    })
  })

  it('[RD6] as prompt text: the winner is primary, the other adds only what it cannot', () => {
    const first = describeCoordination(of(parallel, 'gpt')!)
    for (const part of ['schema first', 'read paths', 'queries', 'You are the primary']) expect(first).toContain(part)
    const second = describeCoordination(of(parallel, 'claude')!)
    for (const part of ['read paths', 'schema first', 'tables, keys', 'gpt is the primary', 'Add only what']) {
      expect(second).toContain(part)
    }
  })

  it('[RD13] who answers second may pass; the winner may not, nor an agent that the person asked for', () => {
    const told = (decision: Parameters<typeof of>[0] & { rule?: string }, agent: string, answers = {}) =>
      describeCoordination(of(decision, agent, answers)!)
    expect(told(parallel, 'claude')).toContain('reply with the single word PASS')
    expect(told(synthesis, 'claude', { gpt: 'An answer.' })).toContain('reply with the single word PASS')
    for (const text of [
      told(parallel, 'gpt'),
      told(synthesis, 'gpt'),
      told({ ...parallel, rule: 'asked_several' }, 'claude'),
      told({ ...synthesis, rule: 'asked_second' }, 'claude', { gpt: 'An answer.' }),
    ])
      expect(text).not.toContain('PASS')
  })

  it('[RD7] in synthesis: the whole answer of the winner, not to be repeated', () => {
    const answer = 'A long answer.\n'.repeat(2000)
    const context = of(synthesis, 'claude', { gpt: answer })!
    expect(context).toMatchObject({
      role: 'synthesis',
      order: 'after',
      angle: 'read paths',
      others: [{ name: 'gpt', answer }],
    })
    const text = describeCoordination(context)
    expect(text).toContain(answer)
    for (const part of ['read paths', 'Extend', 'challenge', 'Do not repeat']) expect(text).toContain(part)
  })

  it('[RD7] a third gets all earlier answers', () => {
    const context = of(synthesis, 'ada', { gpt: 'one', claude: 'two' })!
    expect(context.others.map(({ name, answer }) => [name, answer])).toEqual([
      ['gpt', 'one'],
      ['claude', 'two'],
    ])
    expect(of(synthesis, 'claude', { gpt: 'one', ada: 'later' })!.others.map(({ name }) => name)).toEqual(['gpt'])
  })

  it('[RD7] the winner is told that others build on it; an agent without an answer to read gets the parallel context', () => {
    expect(of(synthesis, 'gpt')).toMatchObject({ role: 'primary', order: 'before' })
    expect(describeCoordination(of(synthesis, 'gpt')!)).toContain('claude and ada will read your answer')
    expect(of(synthesis, 'claude')).toMatchObject({
      role: 'secondary',
      order: 'together',
      others: [{ name: 'gpt' }, { name: 'ada' }],
    })
  })

  it('[RD10] an agent called in without a proposal has no angle', () => {
    const context = coordinationContext(
      { mode: 'parallel', winner: 'gpt', responders: ['gpt', 'toString'] },
      proposals,
      'toString',
    )!
    expect(context).toMatchObject({ role: 'secondary', angle: '' })
    expect(describeCoordination(context)).not.toContain('Your angle')
  })
})
