import { describe, expect, it } from 'vitest'
import { dispatch } from './dispatch.ts'
import { defaultDispatchLimits } from './dispatch-limits.ts'
import type { Override } from './override.ts'
import { addressee, callsOf, decideRound, planRound } from './round.ts'

const agents = ['gpt', 'claude', 'ada']
const plan = (text: string, more: Partial<Parameters<typeof planRound>[0]> = {}) =>
  planRound({ message: { id: 'm7', text }, agents, ...more })

describe('planning a round', () => {
  it('[RD1] is the same every time a message is delivered, under the id of the message', () => {
    expect(plan('deploy the parser')).toEqual(plan('deploy the parser'))
    for (const text of ['deploy the parser', '@gpt go', 'ok']) expect(plan(text).id).toBe('m7')
  })

  it('[RD2] routes by name, without proposals', () => {
    expect(plan('@claude and @gpt: thoughts on the parser?')).toEqual({
      id: 'm7',
      kind: 'route',
      agents: ['claude', 'gpt'],
      because: 'mention',
    })
  })

  it('[RD3] sends a message without content words to the last responder, else to the first by name', () => {
    expect(plan('thanks!', { lastResponder: 'gpt' })).toEqual({
      id: 'm7',
      kind: 'solo',
      agent: 'gpt',
      because: 'no_content',
    })
    expect(plan('?')).toMatchObject({ kind: 'solo', agent: 'ada' })
    expect(plan('ok', { lastResponder: 'left' })).toMatchObject({ kind: 'solo', agent: 'ada' })
    expect(addressee(['b', 'a'])).toBe('a')
    expect(() => addressee([])).toThrow(RangeError)
  })

  it('[RD4] otherwise asks every agent for a proposal, offering topics', () => {
    expect(plan('How should the parser recover?')).toEqual({
      id: 'm7',
      kind: 'propose',
      agents: ['ada', 'claude', 'gpt'],
      topics: ['parser recover'],
    })
  })

  it('[RD5] the only agent of a room needs no proposals', () => {
    expect(plan('How should the parser recover?', { agents: ['gpt'] })).toMatchObject({ kind: 'solo', agent: 'gpt' })
  })

  it('[RD10] "only" needs no proposals: for the message before the text, for the room after it', () => {
    const only = { kind: 'only', agent: 'ada' } as const
    expect(plan('@gpt deploy', { override: { message: only } })).toMatchObject({
      kind: 'route',
      agents: ['ada'],
      because: 'override',
    })
    expect(plan('@gpt deploy', { override: { room: only } })).toMatchObject({ kind: 'route', agents: ['gpt'] })
    expect(plan('deploy', { override: { room: only } })).toMatchObject({ kind: 'route', agents: ['ada'] })
    expect(plan('ok', { override: { message: { kind: 'both' } } })).toMatchObject({ kind: 'propose' })
    expect(plan('ok', { override: { room: { kind: 'both' } } })).toMatchObject({ kind: 'solo' })
  })

  it('[RD10] the override of the message wins over that of the room', () => {
    const message = { id: 'm', text: 'Which queue should we use?' }
    const room = { kind: 'only' as const, agent: 'claude' }
    const plan = planRound({ message, agents: ['claude', 'gpt'], override: { message: { kind: 'both' }, room } })
    expect(plan.kind).toBe('propose')
    expect(planRound({ message, agents: ['gpt', 'gemini'], override: { room } }).kind).toBe('propose')
  })
})

describe('round decision', () => {
  const proposal = (confidence: number, covers: string[]) => ({ angle: covers.join(' '), confidence, covers })
  const decided = (text: string, more: Partial<Parameters<typeof planRound>[0]> = {}, override?: Override) =>
    decideRound(plan(text, more), {}, override)

  it('[RD2] one who is mentioned answers alone, several answer at once in the order of the mentions', () => {
    expect(decided('@gpt deploy')).toEqual({
      mode: 'solo',
      rule: 'mention',
      winner: 'gpt',
      responders: ['gpt'],
      overlap: null,
      reason: expect.stringContaining('gpt'),
    })
    expect(decided('@gpt and @ada: deploy')).toMatchObject({
      mode: 'parallel',
      rule: 'mention',
      winner: 'gpt',
      runnerUp: 'ada',
      responders: ['gpt', 'ada'],
    })
  })

  it('[RD3] a message without content words goes solo to the last responder', () => {
    expect(decided('ok', { lastResponder: 'claude' })).toMatchObject({
      mode: 'solo',
      rule: 'no_content',
      responders: ['claude'],
    })
  })

  it('[RD5] the only agent of a room answers solo', () => {
    expect(decided('Where to?', { agents: ['ada'] })).toMatchObject({ rule: 'only_agent', responders: ['ada'] })
  })

  it('[RD10] a route by override records it; a mention does not', () => {
    const only = { kind: 'only', agent: 'ada' } as const
    expect(decided('deploy', { override: { room: only } }, only)).toMatchObject({ rule: 'override', override: only })
    expect(decided('@gpt deploy', { override: { room: only } }, only)).not.toHaveProperty('override')
  })

  it('[RD10] proposals go to dispatch with the limits given, and the override in force is applied to its decision', () => {
    const proposals = { gpt: proposal(0.9, ['cache']), ada: proposal(0.5, ['queue']) }
    const asked = plan('Which queue should we use?')
    expect(decideRound(asked, proposals, undefined)).toEqual(dispatch(proposals, agents))
    expect(decideRound(asked, proposals, undefined, { ...defaultDispatchLimits, gap: 0.5, high: 0.4 })).toMatchObject({
      mode: 'parallel',
    })
    expect(decideRound(asked, proposals, { kind: 'both' })).toMatchObject({
      mode: 'parallel',
      rule: 'gap',
      responders: ['gpt', 'ada'],
      override: { kind: 'both' },
    })
  })

  it('[RD12] a plan reserves one call per proposal and one per certain answer', () => {
    expect(callsOf(plan('ok'))).toBe(1)
    expect(callsOf(plan('@gpt @ada deploy'))).toBe(2)
    expect(callsOf(plan('Which queue should we use?'))).toBe(agents.length + 1)
  })
})
