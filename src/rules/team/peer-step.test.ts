import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultDispatchLimits } from '../room/dispatch-limits.ts'
import type { Proposal } from '../room/proposal.ts'
import { planRound } from '../room/round.ts'
import { defaultWaitLimits } from '../room/synthesis-wait.ts'
import { decisionOf, defaultPeerTimers, type RoundTerms } from './peer-decision.ts'
import { isRoundOver, type PeerPart, type PeerRound } from './peer-round.ts'
import { type PeerLimits, type PeerStep, peerStep } from './peer-step.ts'
import { decisionIn, fingerprint, isOneRulebook, rulebookName } from './rulebook.ts'

const agents = ['claude', 'gpt', 'mistral']
const limits: PeerLimits = { ...defaultPeerTimers, wait: defaultWaitLimits }
const text = 'How should the parser treat an empty line?'

function termsFor(message: string, names = agents): RoundTerms {
  return {
    plan: planRound({ message: { id: 'm', text: message }, agents: names }),
    limits: defaultDispatchLimits,
  }
}

const proposal = (confidence: number): Proposal => ({ angle: 'a view', confidence, covers: [], solo_sufficient: true })
const made = (confidence: number, at = 1_000) => ({ at, proposal: proposal(confidence) })
const fresh: PeerRound = { agents, postedAt: 0, rulebooks: {}, proposals: {}, parts: [], stalled: false, closed: false }
const part = (given: Partial<PeerPart> = {}): PeerPart => ({ failed: [], passed: [], ...given })

function decided(mode: 'solo' | 'parallel' | 'synthesis', responders: string[], parts: PeerPart[] = []): PeerRound {
  const decision = { mode, rule: 'gap' as const, responders, at: 2_000, flags: [] }
  return { ...fresh, decision, parts: responders.map((_, index) => parts[index] ?? part()) }
}

const next = (round: PeerRound, me: string, now: number, terms = termsFor(text)) =>
  peerStep(round, me, now, terms, limits)

describe('deciding', () => {
  it('[PR1] waits for every proposal of the room, then decides by dispatch', () => {
    expect(next(fresh, 'gpt', 0)).toMatchObject({ kind: 'propose' })
    const some = { ...fresh, proposals: { gpt: made(0.9), claude: made(0.2) } }
    expect(next(some, 'gpt', 3_000)).toEqual({ kind: 'wait', for: 'proposals', until: 15_000 })
    expect(next(some, 'mistral', 3_000)).toEqual({ kind: 'propose', until: 15_000 })
    const all = { ...some, proposals: { ...some.proposals, mistral: made(0.1) } }
    for (const me of agents)
      expect(next(all, me, 3_000)).toMatchObject({
        kind: 'resolve',
        flags: [],
        decision: { winner: 'gpt', mode: 'solo' },
      })
  })

  it('[PR1] counts a proposal that failed as posted, and decides at once where the message needs none', () => {
    const failed = { ...fresh, proposals: { gpt: made(0.4), claude: { at: 5 }, mistral: { at: 6 } } }
    expect(next(failed, 'gpt', 10)).toMatchObject({ kind: 'resolve', decision: { rule: 'only', winner: 'gpt' } })
    expect(next(fresh, 'gpt', 0, termsFor('@claude what now?'))).toMatchObject({
      kind: 'resolve',
      flags: [],
      decision: { rule: 'mention', responders: ['claude'] },
    })
  })

  it('[PR2] decides alone 5 s after its own proposal, if no other peer has posted one', () => {
    const alone = { ...fresh, proposals: { gpt: made(0.4, 2_000) } }
    expect(next(alone, 'gpt', 6_999)).toEqual({ kind: 'wait', for: 'proposals', until: 7_000 })
    expect(next(alone, 'gpt', 7_000)).toMatchObject({ kind: 'resolve', flags: ['alone'], decision: { winner: 'gpt' } })
    expect(next(alone, 'claude', 7_000)).toMatchObject({ kind: 'propose' })
  })

  it('[PR2] decides with what is there 15 s after the message, and with nothing after 25 s', () => {
    const some = { ...fresh, proposals: { gpt: made(0.9), claude: made(0.2) } }
    expect(next(some, 'claude', 15_000)).toMatchObject({
      kind: 'resolve',
      flags: ['round'],
      decision: { winner: 'gpt' },
    })
    expect(next(fresh, 'mistral', 15_000)).toMatchObject({ kind: 'propose', until: 25_000 })
    const step = next(fresh, 'mistral', 25_000)
    expect(step).toMatchObject({
      kind: 'resolve',
      flags: ['last_resort'],
      decision: { responders: ['mistral'], rule: 'none' },
    })
  })

  it('[PR5] falls back to the first agent by name where rulebooks differ, but calls whoever was named', () => {
    const mixed = { ...fresh, rulebooks: { gpt: '1', mistral: '2' } }
    expect(next(mixed, 'gpt', 0)).toMatchObject({
      kind: 'resolve',
      flags: ['rulebook'],
      decision: { mode: 'solo', rule: 'rulebook', responders: ['claude'] },
    })
    expect(next(mixed, 'gpt', 0, termsFor('@gpt what now?'))).toMatchObject({ decision: { responders: ['gpt'] } })
    expect(isOneRulebook([])).toBe(true)
  })

  it('[PR5] names a rulebook by what it decides and by its limits', () => {
    const limits = defaultDispatchLimits
    const turned = Object.fromEntries(Object.entries(limits).reverse()) as unknown as typeof limits
    expect(rulebookName(turned)).toBe(rulebookName(limits))
    expect(rulebookName({ ...limits, gap: 0.31 })).not.toBe(rulebookName(limits))
    expect(rulebookName(limits, ' 9 ')).toBe('9')
    const known = fingerprint(decisionIn, limits)
    expect(rulebookName(limits)).toContain(known)
    expect(fingerprint(decisionIn, { ...limits, rule: 'seed' })).not.toBe(known)
    const decidesOnce: typeof decisionIn = (text, ...given) =>
      text === 'Cada uno: un riesgo.' ? '["solo"]' : decisionIn(text, ...given)
    expect(fingerprint(decidesOnce, limits)).not.toBe(known)
  })

  it('[PR1] gives every peer the same decision for the same inputs', () => {
    const confidence = fc.integer({ min: 0, max: 100 }).map((hundredths) => made(hundredths / 100))
    const proposals = fc.record({ claude: confidence, gpt: confidence, mistral: confidence })
    fc.assert(
      fc.property(proposals, (given) => {
        const round = { ...fresh, proposals: given }
        const decisions = agents.map((me) => JSON.stringify(decisionOf(round, me, termsFor(text), [])))
        expect(new Set(decisions).size).toBe(1)
      }),
    )
  })
})

describe('answering', () => {
  const claim = (agent: string, epoch = 1, at = 2_000) => ({ agent, epoch, at, flags: [] })

  it('[PR3] lets only the responder claim its part, and answer it under its claim', () => {
    const round = decided('solo', ['gpt'])
    expect(next(round, 'gpt', 2_000)).toEqual({ kind: 'claim', part: 0, epoch: 1, flags: [] })
    expect(next(round, 'claude', 2_000)).toEqual({ kind: 'wait', for: 'answers', until: 25_000 })
    const held = decided('solo', ['gpt'], [part({ claim: claim('gpt') })])
    expect(next(held, 'gpt', 2_100)).toMatchObject({ kind: 'answer', part: 0, claim: { epoch: 1 } })
    expect(next(held, 'claude', 2_100)).toMatchObject({ kind: 'wait', for: 'answers' })
  })

  it('[PR3] waits in a synthesis for those before, but not for one that is silent', () => {
    const open = decided('synthesis', ['gpt', 'claude'], [part({ claim: claim('gpt') })])
    expect(next(open, 'claude', 3_000)).toMatchObject({ kind: 'wait', until: 17_000 })
    expect(next(open, 'claude', 17_000)).toEqual({ kind: 'claim', part: 1, epoch: 1, flags: ['wait'] })
    const alive = decided('synthesis', ['gpt', 'claude'], [part({ claim: { ...claim('gpt'), alive: true } })])
    expect(next(alive, 'claude', 40_000)).toMatchObject({ kind: 'wait' })
    const ended = decided('synthesis', ['gpt', 'claude'], [part({ end: { kind: 'answered', at: 5_000 } })])
    expect(next(ended, 'claude', 5_000)).toEqual({ kind: 'claim', part: 1, epoch: 1, flags: [] })
  })

  it('[PR4] steps in 25 s after the message with the next epoch, unless the holder gives signs of life, and then twice as late', () => {
    const held = decided('solo', ['gpt'], [part({ claim: claim('gpt') })])
    expect(next(held, 'claude', 24_999)).toMatchObject({ kind: 'wait', until: 25_000 })
    expect(next(held, 'claude', 25_000)).toEqual({ kind: 'claim', part: 0, epoch: 2, flags: ['last_resort'] })
    expect(next(held, 'gpt', 25_000)).toMatchObject({ kind: 'answer' })
    const alive = decided('solo', ['gpt'], [part({ claim: { ...claim('gpt'), alive: true } })])
    expect(next(alive, 'claude', 25_000)).toMatchObject({ kind: 'wait' })
    const late = decided('solo', ['gpt'], [part({ claim: claim('claude', 2, 25_000) })])
    expect(next(late, 'mistral', 44_999)).toMatchObject({ kind: 'wait', until: 45_000 })
    expect(next(late, 'mistral', 45_000)).toMatchObject({ kind: 'claim', epoch: 3 })
    expect(next(decided('solo', ['gpt']), 'claude', 25_000)).toMatchObject({ kind: 'claim', epoch: 1 })
  })

  it('[PR4] drops a part that nobody answers once another was answered', () => {
    const answered = part({ claim: claim('gpt'), end: { kind: 'answered', at: 5_000 } })
    const round = decided('parallel', ['gpt', 'claude'], [answered])
    expect(next(round, 'mistral', 24_999)).toMatchObject({ kind: 'wait' })
    expect(next(round, 'mistral', 25_000)).toEqual({ kind: 'drop', part: 1 })
  })

  it('[PR4] lets agents stand in by name when the responders failed, and others when that one is silent', () => {
    const failed = part({ claim: claim('gpt'), end: { kind: 'failed', at: 4_000 }, failed: ['gpt'] })
    const round = decided('solo', ['gpt'], [failed])
    expect(next(round, 'claude', 4_000)).toEqual({ kind: 'claim', part: 0, epoch: 2, flags: ['stand_in'] })
    expect(next(round, 'mistral', 4_000)).toEqual({ kind: 'wait', for: 'answers', until: 25_000 })
    expect(next(round, 'mistral', 25_000)).toMatchObject({ kind: 'claim', flags: ['stand_in', 'last_resort'] })
    const all = decided('solo', ['gpt'], [{ ...failed, failed: [...agents] }])
    expect(next(all, 'mistral', 5_000)).toEqual({ kind: 'close' })
  })

  it('[PR4] tells the room once when those who are present have failed, and goes on waiting for the absent', () => {
    const failed = part({ claim: claim('gpt'), end: { kind: 'failed', at: 4_000 }, failed: ['gpt'] })
    const round = decided('solo', ['gpt'], [failed])
    expect(next(round, 'gpt', 34_999)).toEqual({ kind: 'wait', for: 'answers', until: 35_000 })
    expect(next(round, 'gpt', 35_000)).toEqual({ kind: 'stall' })
    expect(next({ ...round, stalled: true }, 'gpt', 35_000)).toMatchObject({ kind: 'wait', for: 'answers' })
    expect(next({ ...round, stalled: true }, 'claude', 35_000)).toMatchObject({ kind: 'claim', flags: ['stand_in'] })
    const beside = decided('parallel', ['gpt', 'claude'], [failed])
    expect(next(beside, 'gpt', 35_000)).toEqual({ kind: 'stall' })
    expect(next(beside, 'mistral', 25_000)).toMatchObject({ kind: 'claim', part: 1, flags: ['last_resort'] })
  })

  it('[RD12] asks an agent that failed no second time, for another part', () => {
    const failed = part({ claim: claim('gpt'), end: { kind: 'failed', at: 4_000 }, failed: ['gpt'] })
    expect(next(decided('parallel', ['gpt', 'claude'], [failed]), 'gpt', 30_000)).toMatchObject({ kind: 'wait' })
  })

  it('[PR4] waits without end for an agent that was called by name', () => {
    const round = {
      ...decided('solo', ['gpt']),
      decision: { ...decided('solo', ['gpt']).decision!, rule: 'mention' as const },
    }
    expect(next(round, 'claude', 10_000_000)).toMatchObject({ kind: 'wait', for: 'answers' })
    const failed = { ...round, parts: [part({ end: { kind: 'failed', at: 3_000 }, failed: ['gpt'] })] }
    expect(next(failed, 'claude', 3_000)).toEqual({ kind: 'over' })
  })

  it('[PR3] does nothing more in a round that is over', () => {
    const over: PeerStep = { kind: 'over' }
    expect(next({ ...decided('solo', ['gpt']), closed: true }, 'gpt', 3_000)).toEqual(over)
    const answered = decided('solo', ['gpt'], [part({ end: { kind: 'answered', at: 5_000 } })])
    expect(next(answered, 'gpt', 60_000)).toEqual(over)
    expect(isRoundOver(fresh)).toBe(false)
  })

  it('[PR4] asks to look again only later, in any state: no peer spins', () => {
    const kinds = fc.constantFrom('answered', 'passed', 'failed', 'dropped')
    const anyPart = fc.record({
      claim: fc.option(
        fc.record({
          agent: fc.constantFrom(...agents),
          epoch: fc.integer({ min: 1, max: 4 }),
          at: fc.nat(60_000),
          alive: fc.boolean(),
          flags: fc.constant([]),
        }),
        { nil: undefined },
      ),
      end: fc.option(fc.record({ kind: kinds, at: fc.nat(60_000) }), { nil: undefined }),
      failed: fc.subarray(agents),
      passed: fc.subarray(agents),
    })
    const anyRound = fc.record({
      mode: fc.constantFrom('solo', 'parallel', 'synthesis'),
      responders: fc.subarray(agents, { minLength: 1 }),
      parts: fc.array(anyPart, { minLength: 3, maxLength: 3 }),
    })
    fc.assert(
      fc.property(anyRound, fc.nat(200_000), fc.constantFrom(...agents), ({ mode, responders, parts }, now, me) => {
        const step = next(decided(mode as 'solo', responders, parts as PeerPart[]), me, now)
        if ('until' in step) expect(step.until).toBeGreaterThan(now)
      }),
      { numRuns: 2_000 },
    )
  })
})
