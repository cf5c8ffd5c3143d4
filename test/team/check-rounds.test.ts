/** The checker of rounds must complain about every kind of broken log, and about no sound one. */
import { describe, expect, it } from 'vitest'
import { defaultDispatchLimits } from '../../src/rules/room/dispatch-limits.ts'
import { decideRound, planRound } from '../../src/rules/room/round.ts'
import { checkLog, type Fact, seedTimers } from './check-rounds.ts'

const agents = ['claude', 'gpt', 'mistral']
const began = Date.parse('2026-01-01T00:00:00Z')

type Written = [second: number, type: string, actor: string, data: object]

/** A log of one room; the seconds count from its start. */
function logOf(...messages: { id: string; text?: string; facts: Written[] }[]): Fact[] {
  const room = {
    ts: began,
    type: 'room.created',
    stream: 'rooms',
    actor: 'you',
    data: { id: 'r', agents, dispatch: 'peers' },
  }
  const facts = messages.flatMap(({ id, text = 'How should the parser treat an empty line?', facts }) => {
    const posted: Written = [1, 'message.posted', 'you', { message_id: id, text, mode: 'coordinate', target: 'router' }]
    return [posted, ...facts].map(([second, type, actor, data]) => ({
      ts: began + second * 1000,
      type,
      stream: 'room:r',
      run: `message-${id}`,
      actor,
      data: { message_id: id, ...data },
    }))
  })
  return [room, ...facts.sort((one, other) => one.ts - other.ts)].map((fact, index) => ({
    ...fact,
    seq: index + 1,
    ts: new Date(fact.ts).toISOString(),
  }))
}

const proposal = (confidence: number, more: object = {}) => ({ angle: 'a', confidence, covers: ['parser'], ...more })
const proposed = (second: number, agent: string, given?: object): Written => [
  second,
  'proposal.posted',
  agent,
  { agent, rulebook: '1', ...(given ? { proposal: given } : { reason: 'unavailable' }) },
]
function resolved(second: number, actor: string, proposals: Record<string, object>, flags?: string[]): Written {
  const plan = planRound({ message: { id: 'm', text: 'How should the parser treat an empty line?' }, agents })
  const decision = decideRound(plan, proposals as never, undefined)
  const { mode, rule, winner, responders } = decision
  const recorded = { mode, rule, winner, responders, proposals, agents, limits: defaultDispatchLimits }
  return [second, 'round.resolved', actor, { ...recorded, ...(flags ? { flags } : {}) }]
}
const claimed = (second: number, agent: string, part = 1, epoch = 1, flags?: string[]): Written => [
  second,
  'part.claimed',
  agent,
  { part, agent, epoch, ...(flags ? { flags } : {}) },
]
const ended = (second: number, type: string, agent: string, part = 1, epoch = 1, flags?: string[]): Written => [
  second,
  type,
  agent,
  { part, agent, epoch, ...(flags ? { flags } : {}) },
]
const finished = (second: number): Written => [second, 'run.finished', 'router', {}]

const all = { claude: proposal(0.2), gpt: proposal(0.9), mistral: proposal(0.3) }
const together = { claude: proposal(0.8, { builds_on_other: true }), gpt: proposal(0.9), mistral: proposal(0.1) }
const proposedAll = (proposals: Record<string, object>) =>
  Object.entries(proposals).map(([agent, one], index) => proposed(2 + index / 10, agent, one))

const solo = [
  ...proposedAll(all),
  resolved(3, 'claude', all),
  claimed(3.1, 'gpt'),
  ended(4, 'reply.posted', 'gpt'),
  finished(4.1),
]
const alone = [
  proposed(2, 'mistral', all.mistral),
  resolved(7, 'mistral', { mistral: all.mistral }, ['alone']),
  claimed(7.1, 'mistral'),
  ended(8, 'reply.posted', 'mistral', 1, 1, ['alone']),
  finished(8.1),
]
const late = [
  proposed(2, 'mistral', all.mistral),
  proposed(3, 'gpt', all.gpt),
  resolved(16, 'mistral', { mistral: all.mistral, gpt: all.gpt }, ['round']),
  claimed(16.1, 'gpt'),
  claimed(26.2, 'claude', 1, 2, ['last_resort']),
  ended(28, 'reply.posted', 'claude', 1, 2, ['round', 'last_resort']),
  finished(28.1),
]
const stoodIn = [
  ...proposedAll(all),
  resolved(3, 'gpt', all),
  claimed(3.1, 'gpt'),
  ended(4, 'part.failed', 'gpt'),
  claimed(4.1, 'claude', 1, 2, ['stand_in']),
  ended(5, 'reply.posted', 'claude', 1, 2, ['stand_in']),
  finished(5.1),
]
const inOrder = [
  ...proposedAll(together),
  resolved(3, 'gpt', together),
  claimed(3.1, 'gpt'),
  ended(5, 'reply.posted', 'gpt'),
  claimed(5.1, 'claude', 2),
  ended(6, 'reply.passed', 'claude', 2),
  finished(6.1),
]
const waited = [
  ...proposedAll(together),
  resolved(3, 'gpt', together),
  claimed(3.1, 'gpt'),
  claimed(18.1, 'claude', 2, 1, ['wait']),
  ended(20, 'reply.posted', 'claude', 2, 1, ['wait']),
  [26.1, 'part.dropped', 'mistral', { part: 1, agent: 'gpt', epoch: 1 }] as Written,
  finished(26.2),
]
const sound = { solo, alone, late, stoodIn, inOrder, waited }
type Name = keyof typeof sound

const violationsIn = (facts: Written[]) => checkLog(logOf({ id: 'm', facts })).violations
/** With the fact at this place changed, or without it. */
const changed = (name: Name, index: number, ...instead: Written[]) => sound[name].toSpliced(index, 1, ...instead)
const withData = (name: Name, index: number, data: object): Written[] => {
  const [second, type, actor, before] = sound[name][index]!
  return changed(name, index, [second, type, actor, { ...before, ...data }])
}
const at = (name: Name, index: number, second: number): Written[] => {
  const [, ...rest] = sound[name][index]!
  return changed(name, index, [second, ...rest])
}

describe('the checker of rounds', () => {
  it.each(Object.entries(sound))('accepts a sound log: %s', (_, facts) => {
    expect(violationsIn(facts)).toEqual([])
  })

  it('counts rounds, and reads many rooms at once', () => {
    const log = logOf(...Object.entries(sound).map(([id, facts]) => ({ id, facts })))
    expect(checkLog(log)).toEqual({ rounds: 6, violations: [] })
  })

  const broken: [what: string, facts: Written[], complaint: RegExp][] = [
    [
      'a second answer in SOLO',
      [...solo.slice(0, -1), claimed(4.1, 'claude', 1, 2), ended(5, 'reply.posted', 'claude', 1, 2), finished(6)],
      /one answer in SOLO/,
    ],
    ['no answer', changed('solo', 5), /an answer/],
    ['no end', changed('solo', 6), /an end/],
    ['two ends', [...solo, finished(5)], /one end/],
    ['an end before the answer', at('solo', 6, 3.5), /the end comes last/],
    ['two decisions', [...solo.slice(0, 4), resolved(3.05, 'gpt', all), ...solo.slice(4)], /one decision/],
    [
      'a dispute',
      [...solo.slice(0, 4), [3.05, 'round.disputed', 'gpt', { agent: 'gpt', responders: ['x'] }], ...solo.slice(4)],
      /all come to one decision/,
    ],
    [
      'another winner than the rule says',
      withData('solo', 3, { winner: 'claude', responders: ['claude'] }),
      /follows from the rule/,
    ],
    ['another mode than the rule says', withData('solo', 3, { mode: 'parallel' }), /follows from the rule/],
    [
      'a proposal that the decision does not record',
      withData('solo', 3, { proposals: { gpt: all.gpt } }),
      /records the proposals/,
    ],
    [
      'a decision without all proposals and without a flag',
      withData('alone', 1, { flags: undefined }),
      /all have proposed/,
    ],
    ['two proposals of one agent', [proposed(1.5, 'gpt', all.gpt), ...solo], /one proposal of each/],
    [
      'a proposal after the decision',
      [...changed('solo', 1).slice(0, 3), proposed(3.05, 'gpt', all.gpt), ...solo.slice(4)],
      /no proposal after/,
    ],
    ['alone beside another', [proposed(1.5, 'gpt', all.gpt), ...alone], /alone means alone/],
    ['alone too early', at('alone', 1, 6.9), /not alone too early/],
    ['the round timer too early', at('late', 2, 15.9), /no round timer too early/],
    ['a last resort too early', at('late', 4, 25.9), /no last resort too early/],
    ['a claim that is replaced too early', at('late', 3, 16.9), /holds for a while/],
    ['an epoch that jumps', withData('late', 4, { epoch: 3 }), /epochs rise by one/],
    [
      'an epoch that is claimed twice',
      [...solo.slice(0, 5), claimed(3.2, 'claude'), ...solo.slice(5)],
      /epochs rise by one/,
    ],
    ["another's part without a reason", changed('solo', 4, claimed(3.1, 'claude')), /only its own part/],
    ['a reply without a claim', changed('solo', 4), /under the claim in force/],
    [
      'a reply under an old claim',
      changed('late', 5, ended(28, 'reply.posted', 'gpt', 1, 1, ['round'])),
      /under the claim in force/,
    ],
    ['a reply for a part that nobody has', withData('solo', 5, { part: 2 }), /part of the decision/],
    ['a reply without its flags', withData('late', 5, { flags: ['round'] }), /carries the flags/],
    [
      'a claim after the reply',
      [...solo.slice(0, 6), claimed(4.05, 'claude', 1, 2, ['last_resort']), solo[6]!],
      /nothing after the end/,
    ],
    ['a stand-in while another answers', changed('stoodIn', 5), /nobody stands in/],
    [
      'who failed and claims again',
      changed('stoodIn', 6, claimed(4.1, 'gpt', 1, 2, ['stand_in'])),
      /who failed claims nothing/,
    ],
    ['a synthesis out of order', at('inOrder', 6, 3.2), /in order/],
    ['a wait that is cut short', at('waited', 5, 17.9), /not cut short/],
    ['a part dropped too early', at('waited', 7, 25.9), /dropped too early/],
    ['a part dropped beside no answer', changed('waited', 6), /only beside an answer/],
    [
      'an answer twice by one agent',
      changed('inOrder', 6, claimed(5.1, 'gpt', 2, 1, ['last_resort'])),
      /only its own|no last resort|dropped/,
    ],
  ]
  it.each(broken)('complains about %s', (_, facts, complaint) => {
    expect(violationsIn(facts).join('\n')).toMatch(complaint)
  })

  it('complains about one answer in the name of an agent that was called', () => {
    const text = '@gpt what do you think?'
    const plan = planRound({ message: { id: 'm', text }, agents })
    const { mode, rule, winner, responders } = decideRound(plan, {}, undefined)
    const recorded = { mode, rule, winner, responders, proposals: {}, agents, limits: defaultDispatchLimits }
    const facts = (agent: string, flags?: string[]): Written[] => [
      [2, 'round.resolved', 'claude', recorded],
      claimed(40, agent, 1, 1, flags),
      ended(41, 'reply.posted', agent, 1, 1, flags),
      finished(42),
    ]
    expect(checkLog(logOf({ id: 'm', text, facts: facts('gpt') })).violations).toEqual([])
    const other = checkLog(logOf({ id: 'm', text, facts: facts('claude', ['last_resort']) })).violations
    expect(other.join()).toMatch(/nobody steps in/)
  })

  it('complains about time that goes back, and about a peer that tells of another decision', () => {
    const log = logOf({ id: 'm', facts: solo })
    const back = log.map((fact) => (fact.seq === 4 ? { ...fact, ts: log[0]!.ts } : fact))
    expect(checkLog(back).violations.join()).toMatch(/time does not go back/)
    const said = { agent: 'claude', message_id: 'm', mode: 'solo', rule: 'gap', responders: ['gpt'] }
    const { rule } = log.find(({ type }) => type === 'round.resolved')!.data
    expect(checkLog(log, seedTimers, [{ ...said, rule }]).violations).toEqual([])
    expect(checkLog(log, seedTimers, [{ ...said, responders: ['claude'] }]).violations).toHaveLength(1)
  })
})
