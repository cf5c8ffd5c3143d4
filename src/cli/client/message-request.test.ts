import { describe, expect, it } from 'vitest'
import { type MessageRequest, messageRequest, readNames, severalMaySpeak } from './message-request.ts'

const room = { id: 'r', name: 'room', agents: ['gpt', 'claude'] }
const alone = { ...room, agents: ['gpt'] }

describe('messageRequest', () => {
  it('lets the room decide, asks one agent, or lets named agents take turns in order', () => {
    expect(messageRequest('x', { to: [] }, room)).toEqual({ text: 'x', mode: 'coordinate' })
    expect(messageRequest('x', { to: ['gpt'] }, room)).toEqual({ text: 'x', mode: 'single', target: 'gpt' })
    expect(messageRequest('x', { to: ['claude', 'gpt'], mode: 'collaborate', maxRounds: 3 }, room)).toEqual({
      text: 'x',
      mode: 'collaborate',
      participants: ['claude', 'gpt'],
      max_rounds: 3,
    })
  })

  it('defaults to all agents for a session, and to the only agent for a single call', () => {
    expect(messageRequest('x', { to: [], mode: 'autopilot', speaker: 'claude' }, room)).toMatchObject({
      participants: ['gpt', 'claude'],
      speaker: 'claude',
    })
    expect(messageRequest('x', { to: [], mode: 'single' }, alone)).toMatchObject({ target: 'gpt' })
  })

  it('refuses a request without a mode or an agent', () => {
    expect(() => messageRequest('x', { to: ['gpt', 'claude'] }, room)).toThrow(/several agents are named/)
    expect(() => messageRequest('x', { to: [], mode: 'single' }, room)).toThrow(/one agent to call: gpt or claude/)
    expect(() => messageRequest('x', { to: ['gpt', 'claude'], mode: 'single' }, room)).toThrow(/goes to one agent/)
    expect(() => messageRequest('x', { to: ['gpt'], mode: 'coordinate' }, room)).toThrow(/rule chooses/)
  })

  it('reads names as typed, without duplicates', () => {
    expect(readNames('gpt, @claude gpt')).toEqual(['gpt', 'claude'])
    expect(readNames(' , ')).toEqual([])
  })

  it("knows whether replies need the agent's name", () => {
    const several = (mode: MessageRequest['mode'], at = room, participants?: string[]) =>
      severalMaySpeak({ text: 'x', mode, participants }, at)
    expect([several('single'), several('coordinate'), several('coordinate', alone)]).toEqual([false, true, false])
    expect([several('collaborate', room, ['gpt']), several('collaborate', room, ['gpt', 'claude'])]).toEqual([
      false,
      true,
    ])
  })
})
