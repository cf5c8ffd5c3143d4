import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { jaccard, keywords } from '../text/words.ts'
import { dispatch as dispatchBy, rule } from './dispatch.ts'
import { type DispatchLimits, defaultDispatchLimits } from './dispatch-limits.ts'
import type { Proposal, Proposals } from './proposal.ts'

const storage = 'database schema storage'
const interfaces = 'accessible keyboard navigation'

function proposal(confidence: number, angle = storage, more: Partial<Proposal> = {}): Proposal {
  return { angle, confidence, covers: [], ...more }
}

const seed: DispatchLimits = { ...defaultDispatchLimits, rule: 'seed' }

/** By the table of rule `seed`; `measured.test.ts` has the other rule. */
function dispatch(proposals: Proposals, agents: readonly string[] = [], limits = seed) {
  return dispatchBy(proposals, agents, limits)
}

function decide(input: { limits?: object } & Record<string, unknown>) {
  const ruling = applyRule(rule, { ...input, limits: { rule: 'seed', ...input.limits } })
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

function errorOf(input: unknown) {
  const ruling = applyRule(rule, input)
  return ruling.ok ? undefined : ruling.error
}

describe('the order of the tests', () => {
  it('[DP3] a lead of more than 0.30 wins alone, whatever the angles', () => {
    expect(dispatch({ gpt: proposal(0.9), claude: proposal(0.59, interfaces) })).toEqual({
      mode: 'solo',
      winner: 'gpt',
      runnerUp: 'claude',
      responders: ['gpt'],
      overlap: 0,
      rule: 'gap',
      reason: 'gpt leads claude by 0.31, more than 0.30.',
    })
  })

  it('[DP3] two confident agents with different angles answer in parallel', () => {
    expect(dispatch({ gpt: proposal(0.51), claude: proposal(0.81, interfaces) })).toMatchObject({
      mode: 'parallel',
      winner: 'claude',
      runnerUp: 'gpt',
      responders: ['claude', 'gpt'],
      rule: 'parallel',
    })
  })

  it('[DP3] two very confident agents with one angle go into synthesis when either wants to build on the other', () => {
    const eager = { builds_on_other: true }
    for (const proposals of [
      { gpt: proposal(0.9, storage, eager), claude: proposal(0.71) },
      { gpt: proposal(0.9), claude: proposal(0.71, storage, eager) },
    ]) {
      const decision = dispatch(proposals)
      expect(decision).toMatchObject({
        mode: 'synthesis',
        rule: 'synthesis',
        responders: ['gpt', 'claude'],
        overlap: 1,
      })
    }
    expect(dispatch({ gpt: proposal(0.9, storage, eager), claude: proposal(0.7) }).rule).toBe('overlap')
    expect(dispatch({ gpt: proposal(0.9), claude: proposal(0.71) }).rule).toBe('overlap')
  })

  it('[DP3] builds_on_other changes nothing when the angles differ', () => {
    const decision = dispatch({
      gpt: proposal(0.9, storage, { builds_on_other: true }),
      claude: proposal(0.9, interfaces),
    })
    expect(decision.rule).toBe('parallel')
  })

  it('[DP3] an overlap of exactly one half is too much for parallel', () => {
    const half = dispatch({ a: proposal(0.8, 'cache storage index'), b: proposal(0.8, 'cache storage security') })
    expect(half).toMatchObject({ overlap: 0.5, rule: 'overlap', responders: ['a'] })
  })

  it('[DP3] low conviction, or in between: the more confident agent alone', () => {
    expect(dispatch({ a: proposal(0.1), b: proposal(0.29) })).toMatchObject({ winner: 'b', rule: 'low_conviction' })
    expect(dispatch({ a: proposal(0.1), b: proposal(0.3) })).toMatchObject({ winner: 'b', rule: 'default' })
    expect(dispatch({ a: proposal(0.5), b: proposal(0.8, interfaces) })).toMatchObject({ winner: 'b', rule: 'default' })
  })
})

describe('confidence', () => {
  it('[DP1] is compared in whole hundredths, where floats would err', () => {
    expect(dispatch({ a: proposal(0.9), b: proposal(0.6, interfaces) }).rule).toBe('parallel')
    expect(dispatch({ a: proposal(0.7), b: proposal(0.4, interfaces) }).rule).toBe('default')
    expect(dispatch({ a: proposal(0.7), b: proposal(0.39, interfaces) }).rule).toBe('gap')
  })

  it('[DP1] is rounded half up, as the figure is written', () => {
    expect(dispatch({ a: proposal(0.505), b: proposal(0.505, interfaces) }).rule).toBe('parallel')
    expect(dispatch({ a: proposal(0.504), b: proposal(0.504, interfaces) }).rule).toBe('default')
    // 0.575 and 0.885 lie a hair below their written value in binary
    expect(dispatch({ a: proposal(0.885), b: proposal(0.58) }).rule).toBe('gap')
    expect(dispatch({ a: proposal(0.885), b: proposal(0.585) }).rule).toBe('overlap')
    expect(dispatch({ a: proposal(0.575), b: proposal(0.58) }).winner).toBe('a')
    expect(dispatch({ a: proposal(1e-9), b: proposal(0) }).winner).toBe('a')
  })

  it('[DP1] outside 0 to 1 is clamped', () => {
    expect(dispatch({ a: proposal(1), b: proposal(250) }).winner).toBe('a')
    expect(dispatch({ a: proposal(-3), b: proposal(0) })).toMatchObject({ winner: 'a', rule: 'low_conviction' })
    expect(decide(JSON.parse('{"proposals":{"a":{"angle":"x","confidence":1e999,"covers":[]}}}')).winner).toBe('a')
  })

  it('[DP1] the table does not read solo_sufficient', () => {
    const plain = { a: proposal(0.8), b: proposal(0.7, interfaces) }
    const selfish = { a: { ...plain.a, solo_sufficient: true }, b: { ...plain.b, solo_sufficient: true } }
    expect(dispatch(selfish)).toEqual(dispatch(plain))
  })
})

describe('the winner', () => {
  it('[DP2] is the most confident, and among equals the first name by code unit', () => {
    expect(dispatch({ b: proposal(0.6), a: proposal(0.6), c: proposal(0.61) })).toMatchObject({
      winner: 'c',
      runnerUp: 'a',
    })
    expect(dispatch({ a: proposal(0.6), B: proposal(0.6) })).toMatchObject({ winner: 'B', runnerUp: 'a' })
    expect(dispatch({ é: proposal(0.6), z: proposal(0.6) }).winner).toBe('z')
    expect(dispatch({ a: proposal(0.604), b: proposal(0.6) }).winner).toBe('a')
    expect(dispatch({ b: proposal(0.604), a: proposal(0.6) }).winner).toBe('a')
  })
})

describe('overlap', () => {
  it('[DP4] reads angle and topics together', () => {
    const left = { angle: 'Caching', confidence: 0.8, covers: ['databases'] }
    const right = { angle: 'the database', confidence: 0.8, covers: ['caches'] }
    expect(dispatch({ left, right })).toMatchObject({ overlap: 1, rule: 'overlap' })
  })

  it('[DP4] is 1 for two empty keyword sets, 0 for one', () => {
    expect(dispatch({ a: proposal(0.8, ''), b: proposal(0.8, 'the of and') }).overlap).toBe(1)
    expect(dispatch({ a: proposal(0.8, ''), b: proposal(0.8) })).toMatchObject({ overlap: 0, rule: 'parallel' })
  })

  it('[DP4] is reported and compared unrounded', () => {
    const a = proposal(0.8, 'alpha beta gamma delta')
    const b = proposal(0.8, 'alpha beta gamma epsilon zeta')
    expect(dispatch({ a, b }).overlap).toBe(3 / 6)
    expect(dispatch({ a, b: proposal(0.8, 'alpha epsilon zeta') }).overlap).toBe(1 / 6)
    const nearlyHalf = { limits: { overlap: 0.5000001 }, proposals: { a, b } }
    expect(decide(nearlyHalf).rule).toBe('parallel')
  })
})

describe('what it reads', () => {
  it('[DP5] by the table, proposals, names and limits alone: other fields of the input change nothing', () => {
    const proposals = { a: proposal(0.8), b: proposal(0.7, interfaces) }
    const register = { topic: interfaces, last_responder: 'b', history: ['b', 'b'] }
    const talk = { message: 'what did b miss?', history: [{ sender: 'b', text: 'all of it' }] }
    expect(decide({ proposals, register, now: 5, ...talk })).toEqual(decide({ proposals }))
  })
})

describe('more than two agents', () => {
  const security = 'threat model authentication'
  const money = 'pricing budget invoices'

  it('[DP6] each agent that differs from all chosen joins, most confident first, up to three', () => {
    const decision = dispatch({
      a: proposal(0.9),
      b: proposal(0.8, interfaces),
      c: proposal(0.7, security),
      d: proposal(0.65, money),
    })
    expect(decision).toMatchObject({ mode: 'parallel', responders: ['a', 'b', 'c'], winner: 'a', runnerUp: 'b' })
  })

  it('[DP6] an agent that repeats a chosen one, lags behind or has low confidence does not join', () => {
    expect(
      dispatch({
        a: proposal(0.9),
        b: proposal(0.8, interfaces),
        c: proposal(0.8, interfaces),
        d: proposal(0.7, security),
      }).responders,
    ).toEqual(['a', 'b', 'd'])
    expect(
      dispatch({ a: proposal(0.9), b: proposal(0.8, interfaces), c: proposal(0.59, security) }).responders,
    ).toEqual(['a', 'b'])
    expect(dispatch({ a: proposal(0.7), b: proposal(0.6, interfaces), c: proposal(0.5, security) }).responders).toEqual(
      ['a', 'b'],
    )
  })

  it('[DP6] reports the overlap of winner and runner-up, even where a third joins', () => {
    const decision = dispatch({ a: proposal(0.9), b: proposal(0.8), c: proposal(0.7, interfaces) })
    expect(decision).toMatchObject({ mode: 'parallel', responders: ['a', 'c'], runnerUp: 'b', overlap: 1 })
  })

  it('[DP6] if none joins, those that pass the synthesis test form a chain', () => {
    const builds = { builds_on_other: true }
    const all = {
      a: proposal(0.95),
      b: proposal(0.9),
      c: proposal(0.85, storage, builds),
      d: proposal(0.8, storage, builds),
    }
    expect(dispatch(all)).toMatchObject({ mode: 'synthesis', responders: ['a', 'c', 'd'], runnerUp: 'b' })
    const winnerBuilds = { ...all, a: proposal(0.95, storage, builds) }
    expect(dispatch(winnerBuilds).responders).toEqual(['a', 'b', 'c'])
  })

  it('[DP6] an agent that lags behind the winner does not join the chain either', () => {
    const builds = { builds_on_other: true }
    const proposals = { a: proposal(0.9, storage, builds), b: proposal(0.85), c: proposal(0.75) }
    expect(decide({ proposals, limits: { gap: 0.1 } }).responders).toEqual(['a', 'b'])
  })

  it('[DP6] max_responders bounds both, and 1 means solo always', () => {
    const four = {
      a: proposal(0.9),
      b: proposal(0.8, interfaces),
      c: proposal(0.7, security),
      d: proposal(0.65, money),
    }
    const responders = (max: number) => decide({ proposals: four, limits: { max_responders: max } }).responders
    expect([4, 2, 1].map(responders)).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['a']])
    expect(decide({ proposals: four, limits: { max_responders: 1 } })).toMatchObject({ mode: 'solo', rule: 'default' })
  })

  it('[DP6] for two agents equals DP3', () => {
    fc.assert(
      fc.property(anyProposal, anyProposal, anyLimits, (a, b, limits) => {
        const { mode, winner, rule: fired } = dispatch({ a, b }, [], limits)
        expect({ mode, winner, rule: fired }).toEqual(twoAgents({ a, b }, limits))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('fewer than two proposals', () => {
  it('[DP7] a single proposal wins, however low its confidence', () => {
    expect(dispatch({ claude: proposal(0) }, ['gpt', 'claude'])).toEqual({
      mode: 'solo',
      winner: 'claude',
      responders: ['claude'],
      overlap: null,
      rule: 'only',
      reason: 'Only claude made a proposal.',
    })
  })

  it('[DP7] none: the first of the room by name, flagged by its rule', () => {
    expect(decide({ proposals: {}, agents: ['gpt', 'claude'] })).toMatchObject({
      mode: 'solo',
      winner: 'claude',
      responders: ['claude'],
      overlap: null,
      rule: 'none',
    })
  })

  it('[DP7] without proposals and agents it throws', () => {
    for (const agents of [undefined, []]) expect(errorOf({ proposals: {}, agents })).toMatchObject({ path: 'agents' })
    expect(() => dispatch({})).toThrow(RangeError)
  })

  it('[DP7] proposals from outside the room do not count', () => {
    const proposals = { gone: proposal(1), gpt: proposal(0.4) }
    expect(decide({ proposals, agents: ['gpt', 'claude'] })).toMatchObject({ winner: 'gpt', rule: 'only' })
    expect(decide({ proposals: { gone: proposal(1) }, agents: ['gpt', 'claude'] })).toMatchObject({
      winner: 'claude',
      rule: 'none',
    })
    expect(decide({ proposals, agents: [] }).winner).toBe('gone')
  })
})

describe('any room', () => {
  it('[DP8] arrival, key order and the order of agents do not matter', () => {
    fc.assert(
      fc.property(anyRoom, fc.infiniteStream(fc.nat()), (room, random) => {
        const shuffled = Object.fromEntries(
          shuffle(Object.entries(room), random).map(([name, one]) => [name, turned(one)]),
        )
        const names = Object.keys(room)
        expect(dispatch(shuffled, shuffle(names, random))).toEqual(dispatch(room, names))
      }),
    )
  })

  it('[DP8] has exactly one winner, who answers first, and nobody answers twice', () => {
    fc.assert(
      fc.property(anyRoom, anyLimits, (room, limits) => {
        const { winner, responders, mode, runnerUp } = dispatch(room, Object.keys(room), limits)
        expect(responders[0]).toBe(winner)
        expect(new Set(responders).size).toBe(responders.length)
        expect(responders.every((name) => Object.hasOwn(room, name))).toBe(true)
        expect(responders.length).toBeLessThanOrEqual(limits.max_responders)
        expect(mode === 'solo').toBe(responders.length === 1)
        expect(runnerUp === undefined).toBe(Object.keys(room).length === 1)
      }),
    )
  })
})

describe('the rule by hand', () => {
  it('[DP1] names what is wrong, and where', () => {
    const good = proposal(0.5)
    const cases: [unknown, string | undefined][] = [
      [{ proposals: { gpt: { ...good, confidence: '0.8' } } }, 'proposals.gpt.confidence'],
      [{ proposals: { gpt: { ...good, confidence: null } } }, 'proposals.gpt.confidence'],
      [{ proposals: { gpt: { ...good, confidence: Number.NaN } } }, 'proposals.gpt.confidence'],
      [{ proposals: { gpt: { confidence: 0.5, covers: [] } } }, 'proposals.gpt.angle'],
      [{ proposals: { gpt: { angle: 'x', confidence: 0.5 } } }, 'proposals.gpt.covers'],
      [{ proposals: { gpt: { ...good, covers: ['a', 1] } } }, 'proposals.gpt.covers.1'],
      [{ proposals: { gpt: { ...good, builds_on_other: 'yes' } } }, 'proposals.gpt.builds_on_other'],
      [{ proposals: { gpt: null } }, 'proposals.gpt'],
      [{ proposals: [good] }, 'proposals'],
      [{}, 'proposals'],
      [{ proposals: { gpt: good }, agents: ['gpt', ''] }, 'agents.1'],
      [{ proposals: { gpt: good }, agents: 'gpt' }, 'agents'],
      [{ proposals: { gpt: good }, limits: { gap: 2 } }, 'limits.gap'],
      [{ proposals: { gpt: good }, limits: { max_responders: 0 } }, 'limits.max_responders'],
      [{ proposals: { gpt: good }, limits: { gaps: 0.2 } }, 'limits'],
      [{ proposals: { gpt: good }, limits: { rule: 'other' } }, 'limits.rule'],
      [{ proposals: { gpt: good }, message: 5 }, 'message'],
      [{ proposals: { gpt: good }, history: [{ sender: 'gpt' }] }, 'history.0.text'],
      [
        JSON.parse('{"proposals": {"__proto__": {"angle": "x", "confidence": 1, "covers": []}}}'),
        'proposals.__proto__',
      ],
      [null, undefined],
    ]
    for (const [input, path] of cases) {
      const error = errorOf(input)
      expect(error?.code, JSON.stringify(input)).toBe('invalid_input')
      expect(error?.path, JSON.stringify(input)).toBe(path)
    }
  })

  it('[DP2] takes names that objects already have', () => {
    const names = JSON.parse('{"constructor": 0.7, "toString": 0.9}') as Record<string, number>
    const proposals = Object.fromEntries(
      Object.entries(names).map(([name, confidence]) => [name, proposal(confidence)]),
    )
    expect(decide({ proposals })).toMatchObject({ winner: 'toString', runnerUp: 'constructor' })
  })

  it('[DP3] takes limits, compared in hundredths too', () => {
    const proposals = { a: proposal(0.9), b: proposal(0.6, interfaces) }
    expect(decide({ proposals, limits: { gap: 0.29 } }).rule).toBe('gap')
    expect(decide({ proposals, limits: { gap: 0.295 } }).rule).toBe('parallel')
    expect(decide({ proposals, limits: { high: 0.6 } }).rule).toBe('default')
    expect(decide({ proposals, limits: { overlap: 0 } }).rule).toBe('overlap')
    expect(decide({ proposals, limits: { high: 0.95, low: 0.95 } }).rule).toBe('low_conviction')
    const builders = { a: proposal(0.9, storage, { builds_on_other: true }), b: proposal(0.65) }
    expect(decide({ proposals: builders, limits: { synthesis: 0.6 } }).rule).toBe('synthesis')
  })

  it('[DP3] explains the decision with its figures', () => {
    const ruling = applyRule(rule, {
      proposals: { gpt: proposal(0.9), claude: proposal(0.4, `\u001b[31m${interfaces}\n`) },
      limits: { rule: 'seed' },
    })
    expect(ruling.ok && ruling.explanation()).toBe(
      [
        'SOLO: gpt',
        '  0.90  gpt     database schema storage [DP2]',
        '  0.40  claude  [31maccessible keyboard navigation [DP2]',
        '  gap 0.50, limit 0.30 [DP1]',
        '  overlap 0.00, limit 0.50 [DP4]',
        '  gap: gpt leads claude by 0.50, more than 0.30. [DP3]',
      ].join('\n'),
    )
  })

  it('[DP7] explains a room without proposals', () => {
    const ruling = applyRule(rule, { proposals: {}, agents: ['b', 'a'] })
    expect(ruling.ok && ruling.explanation()).toContain('[DP7]')
  })
})

/** DP3 for two agents, written a second time, straight from the rulebook. */
function twoAgents({ a, b }: { a: Proposal; b: Proposal }, limits: DispatchLimits) {
  const figure = (value: number) => Math.round(value * 100)
  const [ca, cb] = [figure(a.confidence), figure(b.confidence)]
  const overlap = jaccard(keywords(`${a.angle} ${a.covers.join(' ')}`), keywords(`${b.angle} ${b.covers.join(' ')}`))
  const winner = cb > ca ? 'b' : 'a'
  const both = (test: (confidence: number) => boolean) => test(ca) && test(cb)
  const answer = (rule: string, mode = 'solo') => ({ mode, winner, rule })
  if (Math.abs(ca - cb) > figure(limits.gap)) return answer('gap')
  if (both((c) => c > figure(limits.high)) && overlap < limits.overlap) return answer('parallel', 'parallel')
  const wanted = a.builds_on_other === true || b.builds_on_other === true
  if (both((c) => c > figure(limits.synthesis)) && overlap >= limits.overlap && wanted)
    return answer('synthesis', 'synthesis')
  if (both((c) => c > figure(limits.high)) && overlap >= limits.overlap) return answer('overlap')
  if (both((c) => c < figure(limits.low))) return answer('low_conviction')
  return answer('default')
}

const anyShare = fc.integer({ min: 0, max: 100 }).map((value) => value / 100)
const anyText = fc
  .array(fc.constantFrom('cache', 'caching', 'index', 'security', 'the', 'to', 'latency'), { maxLength: 4 })
  .map((all) => all.join(' '))

const anyProposal: fc.Arbitrary<Proposal> = fc.record(
  {
    angle: anyText,
    confidence: fc.oneof(anyShare, fc.constantFrom(0.6, 0.75, 0.8, 0.9)),
    covers: fc.array(anyText, { maxLength: 2 }),
    solo_sufficient: fc.boolean(),
    builds_on_other: fc.boolean(),
  },
  { requiredKeys: ['angle', 'confidence', 'covers'] },
)

const anyLimits: fc.Arbitrary<DispatchLimits> = fc
  .record(
    { gap: anyShare, overlap: anyShare, high: anyShare, low: anyShare, synthesis: anyShare },
    { requiredKeys: [] },
  )
  .chain((some) => fc.integer({ min: 2, max: 4 }).map((max) => ({ ...seed, ...some, max_responders: max })))

const anyRoom: fc.Arbitrary<Proposals> = fc.dictionary(
  fc.constantFrom('gpt', 'claude', 'gemini', 'Ä', '__', 'constructor'),
  anyProposal,
  {
    minKeys: 1,
    noNullPrototype: true,
  },
)

function shuffle<Item>(items: Item[], random: fc.Stream<number>): Item[] {
  return items
    .map((item) => ({ item, at: random.next().value as number }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function turned(one: Proposal): Proposal {
  return Object.fromEntries(Object.entries(one).reverse()) as unknown as Proposal
}
