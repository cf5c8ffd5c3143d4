import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { decideTurn, rule } from './turn.ts'

const participants = ['gpt', 'claude']
const session = { participants, round: 2, max_rounds: 6 }
const handoff = { to: 'claude', task: 'Polish the second paragraph.' }
const turn = (reply: unknown, more: Partial<typeof session> = {}) =>
  decideTurn({ ...session, ...more }, 'gpt', typeof reply === 'string' ? reply : JSON.stringify(reply))

function errorOf(input: unknown) {
  const ruling = applyRule(rule, input)
  return ruling.ok ? undefined : ruling.error
}

describe('what follows a turn', () => {
  it('[TN5] a hand-off gives the next agent its task, word for word', () => {
    expect(turn({ message: 'Draft.', handoff, final: false })).toEqual({
      envelope: { message: 'Draft.', handoff, final: false },
      next: { kind: 'turn', speaker: 'claude', round: 3, task: 'Polish the second paragraph.' },
    })
  })

  it('[TN2] a malformed reply is shown raw and ends the session, its hand-off ignored', () => {
    const raw = `Sure! {"message": "x", "mood": "fine", "handoff": ${JSON.stringify(handoff)}}`
    expect(turn(raw)).toEqual({
      envelope: { message: raw },
      warning: expect.stringContaining('malformed'),
      next: { kind: 'end', reason: 'malformed' },
    })
    expect(turn('')).toMatchObject({ envelope: { message: '' }, next: { reason: 'malformed' } })
  })

  it('[TN1] takes an envelope with words around it, flagged loose', () => {
    expect(turn(`Sure! {"message": "x", "handoff": ${JSON.stringify(handoff)}}`)).toMatchObject({
      envelope: { message: 'x', handoff },
      loose: true,
      next: { kind: 'turn', speaker: 'claude' },
    })
    expect(turn({ message: 'x' })).not.toHaveProperty('loose')
  })

  it('[TN3] final ends at once, whatever the hand-off says', () => {
    for (const to of ['claude', 'gpt', 'nobody']) {
      const decision = turn({ message: 'Done.', handoff: { to, task: 'more' }, final: true })
      expect(decision.next).toEqual({ kind: 'end', reason: 'final' })
      expect(decision).not.toHaveProperty('warning')
    }
  })

  it('[TN4] no hand-off ends it', () => {
    expect(turn({ message: 'Hm.' }).next).toEqual({ kind: 'end', reason: 'no_handoff' })
    expect(turn({ message: 'Hm.', final: false }).next).toEqual({ kind: 'end', reason: 'no_handoff' })
  })

  it('[TN4] a hand-off to oneself or to someone outside the session ends it with a warning', () => {
    for (const to of ['gpt', 'bob', 'Claude', 'constructor']) {
      const envelope = { message: 'Your turn.', handoff: { to, task: 'go' } }
      expect(turn(envelope)).toEqual({
        envelope,
        warning: expect.stringContaining('handed off'),
        next: { kind: 'end', reason: 'invalid_handoff' },
      })
    }
  })

  it('[TN6] the last round ends it', () => {
    expect(turn({ message: 'x', handoff }, { round: 6 }).next).toEqual({ kind: 'end', reason: 'cap' })
    expect(turn({ message: 'x', handoff }, { round: 1, max_rounds: 1 }).next).toEqual({ kind: 'end', reason: 'cap' })
    expect(turn({ message: 'x', handoff }, { round: 5 }).next).toMatchObject({ kind: 'turn', round: 6 })
  })

  it('[TN11] in the last round the other end reasons take precedence over the cap', () => {
    const last = { round: 6 }
    const reason = (reply: unknown) => {
      const { next } = turn(reply, last)
      return next.kind === 'end' && next.reason
    }
    expect(reason('no json')).toBe('malformed')
    expect(reason({ message: 'x', final: true, handoff })).toBe('final')
    expect(reason({ message: 'x' })).toBe('no_handoff')
    expect(reason({ message: 'x', handoff: { to: 'bob', task: 'y' } })).toBe('invalid_handoff')
    expect(reason({ message: 'x', handoff })).toBe('cap')
  })

  it('[TN6] no sequence of replies makes more turns than max_rounds, and willing agents make exactly that many', () => {
    const to = fc.constantFrom('gpt', 'claude', 'ada', 'bob')
    const anyReply = fc.oneof(
      { weight: 8, arbitrary: fc.record({ message: fc.constant('m'), handoff: fc.record({ to, task: fc.string() }) }) },
      { weight: 1, arbitrary: fc.record({ message: fc.string(), final: fc.boolean() }) },
      { weight: 1, arbitrary: fc.string() },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.infiniteStream(anyReply),
        fc.boolean(),
        (max_rounds, replies, willing) => {
          const room = ['gpt', 'claude', 'ada']
          let [speaker, round, turns] = ['gpt', 1, 0]
          for (;;) {
            turns++
            expect(turns).toBeLessThanOrEqual(max_rounds)
            const next = speaker === 'gpt' ? 'claude' : 'gpt'
            const reply = willing ? { message: 'm', handoff: { to: next, task: 't' } } : replies.next().value
            const decision = decideTurn({ participants: room, round, max_rounds }, speaker, JSON.stringify(reply))
            if (decision.next.kind === 'end') break
            expect(decision.next.round).toBe(round + 1)
            expect(room).toContain(decision.next.speaker)
            expect(decision.next.speaker).not.toBe(speaker)
            ;({ speaker, round } = decision.next)
          }
          if (willing) expect(turns).toBe(max_rounds)
        },
      ),
    )
  })
})

describe('the rule by hand', () => {
  const input = { session, speaker: 'gpt', reply: JSON.stringify({ message: 'x', handoff }) }

  it('[TN6] defaults to six rounds', () => {
    const bare = { ...input, session: { participants, round: 6 } }
    expect(applyRule(rule, bare)).toMatchObject({ ok: true, output: { next: { kind: 'end', reason: 'cap' } } })
  })

  it('[TN6] names the fault and its path', () => {
    const cases: [unknown, string][] = [
      [{ ...input, session: { ...session, max_rounds: 0 } }, 'session.max_rounds'],
      [{ ...input, session: { ...session, max_rounds: 51 } }, 'session.max_rounds'],
      [{ ...input, session: { ...session, max_rounds: 2.5 } }, 'session.max_rounds'],
      [{ ...input, session: { ...session, max_rounds: '6' } }, 'session.max_rounds'],
      [{ ...input, session: { ...session, round: 7 } }, 'session.round'],
      [{ ...input, session: { ...session, round: 0 } }, 'session.round'],
      [{ ...input, session: { ...session, participants: [] } }, 'session.participants'],
      [{ ...input, session: { ...session, participants: ['gpt', 3] } }, 'session.participants.1'],
      [{ ...input, speaker: 'bob' }, 'speaker'],
      [{ ...input, reply: { message: 'x' } }, 'reply'],
      [{ ...input, reply: undefined }, 'reply'],
      [{ speaker: 'gpt', reply: '' }, 'session'],
      [{ ...input, limits: { rounds: 3 } }, 'limits'],
    ]
    for (const [wrong, path] of cases)
      expect(errorOf(wrong), JSON.stringify(wrong)).toMatchObject({ code: 'invalid_input', path })
    expect(errorOf({ ...input, session: { ...session, max_rounds: 51 } })?.expected).toBe('at most 50')
    expect(errorOf({ ...input, speaker: 'bob' })?.expected).toBe('gpt | claude')
  })

  it('[TN1] takes limits', () => {
    const long = { ...input, session: { ...session, max_rounds: 80 } }
    expect(applyRule(rule, { ...long, limits: { max_rounds: 100 } }).ok).toBe(true)
    expect(applyRule(rule, { ...input, limits: { task_length: 5 } })).toMatchObject({
      ok: true,
      output: { next: { reason: 'malformed' } },
    })
  })

  it('[TN2] never fails on a reply', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (reply) => {
        const ruling = applyRule(rule, { ...input, reply })
        expect(ruling.ok && ruling.explanation()).toBeTruthy()
      }),
    )
  })

  it('[TN5] explains the decision', () => {
    const ruling = applyRule(rule, input)
    expect(ruling.ok && ruling.explanation()).toBe(
      [
        'Round 2 of 6, gpt spoke [TN6]',
        '  message: x [TN1]',
        '  next: claude in round 3, to do: Polish the second paragraph. [TN5]',
      ].join('\n'),
    )
    const ended = applyRule(rule, { ...input, reply: 'prose\u001b[2J' })
    expect(ended.ok && ended.explanation()).toBe(
      [
        'Round 2 of 6, gpt spoke [TN6]',
        '  message: prose [2J [TN1]',
        "  warning: gpt's reply is malformed (the reply is not JSON); showing its raw text.",
        '  ends (malformed): the reply is not an envelope [TN2]',
      ].join('\n'),
    )
  })
})
