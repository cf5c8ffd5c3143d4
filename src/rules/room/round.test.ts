import { describe, expect, it } from 'vitest'
import { addressee, parts, planRound } from './round.ts'

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

  it('[RD3] sends a nod to the last responder, else to the first by name', () => {
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

  it('[RD4] otherwise asks everybody, offering topics', () => {
    expect(plan('How should the parser recover?')).toEqual({
      id: 'm7',
      kind: 'propose',
      agents: ['ada', 'claude', 'gpt'],
      topics: ['parser', 'recover'],
    })
  })

  it('[RD5] an only agent needs no proposals', () => {
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
})

describe('parts', () => {
  it('[RD5] solo: the winner answers, the others are cancelled', () => {
    expect([...parts({ mode: 'solo', winner: 'gpt', responders: ['gpt'] }, agents)]).toEqual([
      ['gpt', 'answer'],
      ['claude', 'cancel'],
      ['ada', 'cancel'],
    ])
  })

  it('[RD6] parallel: both answer at once', () => {
    const now = parts({ mode: 'parallel', winner: 'gpt', responders: ['gpt', 'ada'] }, agents)
    expect([now.get('gpt'), now.get('ada'), now.get('claude')]).toEqual(['answer', 'answer', 'cancel'])
  })

  it('[RD7] synthesis: the runner-up waits and is not cancelled', () => {
    const now = parts({ mode: 'synthesis', winner: 'gpt', responders: ['gpt', 'ada'] }, agents)
    expect([now.get('gpt'), now.get('ada'), now.get('claude')]).toEqual(['answer', 'wait', 'cancel'])
  })

  it('[RD10] follows the message where message and room were told different things', () => {
    const message = { id: 'm', text: 'Which queue should we use?' }
    const room = { kind: 'only' as const, agent: 'claude' }
    const plan = planRound({ message, agents: ['claude', 'gpt'], override: { message: { kind: 'both' }, room } })
    expect(plan.kind).toBe('propose')
    expect(planRound({ message, agents: ['gpt', 'gemini'], override: { room } }).kind).toBe('propose')
  })
})
