import { describe, expect, it } from 'vitest'
import { type AutopilotUse, autopilot } from './autopilot.ts'

const participants = ['gpt', 'claude', 'ada']
const used: AutopilotUse = { turns: 3, tokens: 1000, minutes: 1 }
const fly = (reply: unknown, more: Partial<AutopilotUse> = {}, speaker = 'gpt', room = participants) =>
  autopilot({
    participants: room,
    speaker,
    reply: typeof reply === 'string' ? reply : JSON.stringify(reply),
    used: { ...used, ...more },
  })

describe('autopilot', () => {
  it('[TN12] without a hand-off the next participant takes the turn', () => {
    expect(fly({ message: 'x' }).next).toMatchObject({ kind: 'turn', speaker: 'claude', round: 4 })
    expect(fly({ message: 'x' }, {}, 'ada').next).toMatchObject({ speaker: 'gpt' })
    expect(fly({ message: 'x' }, {}, 'gpt', ['gpt', 'gpt']).next).toEqual({ kind: 'end', reason: 'no_handoff' })
  })

  it('[TN12] follows a hand-off', () => {
    expect(fly({ message: 'x', handoff: { to: 'ada', task: 'check' } }).next).toEqual({
      kind: 'turn',
      speaker: 'ada',
      round: 4,
      task: 'check',
    })
  })

  it('[TN12] ends as any session does on final, on malformed replies and on invalid hand-offs', () => {
    expect(fly({ message: 'x', final: true }).next).toEqual({ kind: 'end', reason: 'final' })
    expect(fly('prose')).toMatchObject({
      warning: expect.stringContaining('malformed'),
      next: { kind: 'end', reason: 'malformed' },
    })
    expect(fly({ message: 'x', handoff: { to: 'gpt', task: 'y' } }).next).toEqual({
      kind: 'end',
      reason: 'invalid_handoff',
    })
  })

  it('[TN12] ends after 200 turns, 200,000 tokens or 20 minutes, and says which', () => {
    const end = (more: Partial<AutopilotUse>) => fly({ message: 'x' }, more).next
    expect(end({ turns: 199 })).toMatchObject({ kind: 'turn', round: 200 })
    expect(end({ turns: 200 })).toEqual({ kind: 'end', reason: 'cap', cap: 'turns' })
    expect(end({ tokens: 199_999 }).kind).toBe('turn')
    expect(end({ tokens: 200_000 })).toEqual({ kind: 'end', reason: 'cap', cap: 'tokens' })
    expect(end({ minutes: 19.9 }).kind).toBe('turn')
    expect(end({ minutes: 20 })).toEqual({ kind: 'end', reason: 'cap', cap: 'minutes' })
  })

  it('[TN12] posts a notice every 25 turns', () => {
    const noticed = Array.from({ length: 200 }, (_, at) => at + 1).filter(
      (turns) => fly({ message: 'x' }, { turns }).notice,
    )
    expect(noticed).toEqual([25, 50, 75, 100, 125, 150, 175])
  })
})
