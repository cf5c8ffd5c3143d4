import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { samplePayloads } from './exits.fixture.ts'
import {
  afterRebase,
  type Counts,
  countExit,
  defaultGraphLimits,
  isLastAttempt,
  nextStep,
  noCounts,
  rule,
} from './graph.ts'
import {
  type ExitName,
  edgeAt,
  exitsAt,
  type GraphNode,
  type GraphPlace,
  graphNodes,
  graphPlace,
  graphPlaces,
  type TddMode,
  tddModes,
} from './graph-table.ts'

const writeTests = { node: 'tdd', mode: 'write-tests' }
const review = { node: 'tdd', mode: 'review' }

function decide(input: unknown) {
  const ruling = applyRule(rule, input)
  return ruling.ok ? ruling.output : ruling.error
}

function at(place: GraphPlace) {
  const [node, mode] = place.split(':')
  return mode ? { node, mode } : { node }
}

describe('the edges', () => {
  it.each([
    ['scaffold', 'InitWork', [writeTests, { node: 'impl' }], 'spawn'],
    ['scaffold', 'ClarificationNeeded', [], 'escalate'],
    ['tdd:write-tests', 'TestsReady', [{ node: 'impl' }], 'route'],
    ['tdd:write-tests', 'InvalidScaffold', [{ node: 'scaffold' }], 'route'],
    ['tdd:review', 'Approved', [{ node: 'merger' }], 'route'],
    ['tdd:review', 'MoreTests', [writeTests], 'route'],
    ['tdd:review', 'Reject', [], 'escalate'],
    ['impl', 'TestsPassed', [review], 'route'],
    ['impl', 'RequestRetry', [{ node: 'impl' }], 'route'],
    ['impl', 'BlockedDependency', [{ node: 'scaffold' }], 'route'],
    ['impl', 'SpecAmbiguity', [{ node: 'scaffold' }], 'route'],
    ['impl', 'Stuck', [], 'escalate'],
    ['merger', 'MergeComplete', [{ node: 'parent' }, { node: 'rebaser' }], 'broadcast'],
    ['merger', 'MergeRejected', [{ node: 'impl' }], 'route'],
    ['rebaser', 'RebaseClean', [writeTests], 'route'],
    ['rebaser', 'RebaseAdapted', [writeTests], 'route'],
    ['rebaser', 'RebaseConflict', [{ node: 'scaffold' }], 'route'],
  ] as const)('[GR1] %s %s', (place, exit, next, action) => {
    expect(decide({ ...at(place), exit })).toEqual({ exit, next, action })
  })

  it('[GR1] the table has no other edges', () => {
    expect(graphPlaces.flatMap((place) => exitsAt(place))).toHaveLength(17)
  })

  it.each([
    [true, true],
    [2, true],
    [['lexer'], true],
    [false, false],
    [0, false],
    [[], false],
    [null, false],
  ])('[GR1] children given as %j are started: %s', (children, started) => {
    const spawned = [writeTests, { node: 'impl' }]
    expect(decide({ node: 'scaffold', exit: 'InitWork', children })).toEqual({
      exit: 'InitWork',
      next: started ? [{ node: 'children' }, ...spawned] : spawned,
      action: 'spawn',
    })
  })

  it('[GR1] an exit may come with its payload, whose child specs count as children', () => {
    const exit = { InitWork: { ...samplePayloads.InitWork, childSpecs: [{ id: 'lexer' }] } }
    expect(decide({ node: 'scaffold', exit })).toMatchObject({ exit: 'InitWork', next: [{ node: 'children' }, {}, {}] })
    expect(decide({ node: 'scaffold', exit, children: 0 })).toMatchObject({ next: [writeTests, { node: 'impl' }] })
    expect(decide({ node: 'impl', exit: { Stuck: samplePayloads.Stuck } })).toMatchObject({ action: 'escalate' })
  })

  it('[GR1] after a rebase new tests are written only for a criterion that lost its test', () => {
    expect(afterRebase({ node: 'impl' }, [])).toEqual({ node: 'impl' })
    expect(afterRebase({ node: 'impl' }, ['c2'])).toEqual(writeTests)
  })
})

describe('input that is not a step of the graph', () => {
  it('[GR1] an exit that is not the node’s own is refused with those that are', () => {
    for (const place of graphPlaces) {
      for (const exit of graphPlaces.flatMap((other) => exitsAt(other) as ExitName[])) {
        if (edgeAt(place, exit)) continue
        const error = { code: 'invalid_input', path: 'exit', expected: exitsAt(place).join(' | ') }
        expect(decide({ ...at(place), exit })).toMatchObject(error)
      }
    }
  })

  it.each([
    [{ node: 'tdd', exit: 'Approved' }, 'mode', 'write-tests | review'],
    [{ node: 'tdd', mode: 'write', exit: 'TestsReady' }, 'mode', 'write-tests | review'],
    [{ node: 'impl', mode: 'review', exit: 'Stuck' }, 'mode', 'no mode'],
    [{ node: 'judge', exit: 'Stuck' }, 'node', graphNodes.join(' | ')],
    [{ node: 'merger' }, 'exit', 'MergeComplete | MergeRejected'],
    [{ node: 'merger', exit: { MergeComplete: {}, MergeRejected: {} } }, 'exit', 'MergeComplete | MergeRejected'],
    [{ node: 'merger', exit: ['MergeComplete'] }, 'exit', 'MergeComplete | MergeRejected'],
    [{ node: 'merger', exit: 'constructor' }, 'exit', 'MergeComplete | MergeRejected'],
    [{ node: 'impl', exit: 'RequestRetry', attempt: 0 }, 'attempt', 'at least 1'],
    [{ node: 'impl', exit: 'RequestRetry', attempt: '5' }, 'attempt', 'number'],
    [{ node: 'scaffold', exit: 'InitWork', children: 'two' }, 'children', 'number | boolean | list'],
    [{ node: 'scaffold', exit: 'InitWork', children: -1 }, 'children', 'number | boolean | list'],
    [{ node: 'impl', exit: 'Stuck', counts: { reviews: -1 } }, 'counts.reviews', 'at least 0'],
    [{ node: 'impl', exit: 'Stuck', limits: { retries: 2 } }, 'limits', 'no other keys'],
  ])('[GR1] %j is wrong at %s', (input, path, expected) => {
    expect(decide(input)).toMatchObject({ code: 'invalid_input', path, expected })
  })

  it('[GR1] a name that was mistyped is suggested', () => {
    expect(decide({ node: 'impl', exit: 'TestPassed' })).toMatchObject({
      message: expect.stringMatching(/TestsPassed/),
    })
  })

  it('[GR1] whatever comes in, it answers with a decision or an input error', () => {
    const value = fc.anything({ withNullPrototype: true })
    const step = fc.record(
      {
        node: fc.oneof(fc.constantFrom(...graphNodes), value),
        mode: fc.oneof(fc.constantFrom(...tddModes), value),
        exit: fc.oneof(fc.constantFrom(...(Object.keys(samplePayloads) as ExitName[])), value),
        attempt: fc.oneof(fc.nat(9), value),
        children: value,
        counts: value,
        limits: value,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(step, value), (input) => {
        const ruling = applyRule(rule, input)
        if (ruling.ok) expect(ruling.explanation()).toMatch(/\[GR\d\]/)
        else expect(ruling.error.code).toBe('invalid_input')
      }),
    )
  })
})

describe('caps', () => {
  it.each([
    ['tdd:review', 'MoreTests', 'reviews', 3],
    ['tdd:write-tests', 'InvalidScaffold', 'scaffolds', 3],
    ['impl', 'BlockedDependency', 'scaffolds', 3],
    ['impl', 'SpecAmbiguity', 'scaffolds', 3],
    ['merger', 'MergeRejected', 'merges', 3],
    ['rebaser', 'RebaseConflict', 'rebases', 5],
  ] as const)('[GR4] %s %s is capped by %s at %i', (place, exit, counter, cap) => {
    const last = { ...at(place), exit, counts: { ...noCounts, [counter]: cap } }
    expect(decide(last)).toEqual({ exit, next: [], action: 'escalate', capped: counter })
    expect(decide({ ...last, counts: { [counter]: cap + 4 } })).toMatchObject({ capped: counter })
    const earlier = decide({ ...at(place), exit, counts: { [counter]: cap - 1 } })
    expect(earlier).toMatchObject({ action: 'route', next: [expect.anything()] })
    expect(earlier).not.toHaveProperty('capped')
    const lower = decide({ ...at(place), exit, counts: { [counter]: cap - 1 }, limits: { [counter]: cap - 1 } })
    expect(lower).toMatchObject({ action: 'escalate', capped: counter })
  })

  it('[GR4] another loop’s cap stops nothing', () => {
    const counts = { reviews: 9, scaffolds: 9, merges: 9, rebases: 1 }
    expect(decide({ node: 'rebaser', exit: 'RebaseConflict', counts })).toMatchObject({ next: [{ node: 'scaffold' }] })
    expect(decide({ node: 'tdd', mode: 'review', exit: 'Approved', counts })).toMatchObject({
      next: [{ node: 'merger' }],
    })
  })

  it('[GR4] RequestRetry on the fifth attempt counts as Stuck', () => {
    const stuck = { exit: 'Stuck', next: [], action: 'escalate', capped: 'attempts' }
    expect(decide({ node: 'impl', exit: 'RequestRetry', attempt: 5 })).toEqual(stuck)
    expect(decide({ node: 'impl', exit: 'RequestRetry', attempt: 6 })).toEqual(stuck)
    expect(decide({ node: 'impl', exit: 'RequestRetry', attempt: 2, limits: { attempts: 2 } })).toEqual(stuck)
    expect(decide({ node: 'impl', exit: 'RequestRetry', attempt: 4 })).toMatchObject({ exit: 'RequestRetry' })
    expect(decide({ node: 'impl', exit: 'TestsPassed', attempt: 5 })).toMatchObject({ next: [review] })
  })

  it('[GR4] the last attempt is known as the last', () => {
    expect([1, 4, 5, 6].map((attempt) => isLastAttempt(attempt))).toEqual([false, false, true, true])
  })

  it('[GR4] whatever exits agents give, every path ends within its caps', () => {
    const choices = fc.array(fc.nat(99), { minLength: 400, maxLength: 400 })
    fc.assert(
      fc.property(choices, fc.nat(7), fc.array(fc.nat(8), { maxLength: 7 }), (exits, siblings, merges) => {
        const walk = walkThrough(exits, merges.slice(0, siblings))
        expect(walk.ended).toMatch(/merged|escalated/)
        expect(walk.steps).toBeLessThanOrEqual(longestWalk(siblings))
      }),
    )
  })

  it('[GR4] tried exhaustively, no path between sibling merges is longer than its caps allow', () => {
    expect(longestFrom({ place: 'scaffold', attempt: 1, counts: noCounts })).toBeLessThanOrEqual(longestWalk(0))
    const { rebases } = defaultGraphLimits
    const manyConflicts = { ...noCounts, rebases: rebases - 1 }
    expect(longestFrom({ place: 'rebaser', attempt: 1, counts: manyConflicts })).toBeLessThanOrEqual(longestWalk(1))
  })

  it('[GR4] a graph that only ever goes back ends too, by the cap it went round on', () => {
    for (const place of graphPlaces) {
      for (const exit of exitsAt(place) as ExitName[]) {
        if (!edgeAt(place, exit)?.counter) continue
        let counts = noCounts
        let rounds = 0
        for (;;) {
          counts = countExit(counts, place, exit)
          rounds++
          const [node, mode] = place.split(':') as [GraphNode, TddMode?]
          if (nextStep({ node, mode, exit, counts }).action === 'escalate') break
        }
        expect(rounds).toBe(defaultGraphLimits[edgeAt(place, exit)!.counter!])
      }
    }
  })
})

describe('the explanation', () => {
  it.each([
    [{ node: 'impl', exit: 'RequestRetry', attempt: 5 }, /attempt 5 of 5[\s\S]*Stuck[\s\S]*\[GR4\]/],
    [{ node: 'impl', exit: 'RequestRetry' }, /attempt 1 of 5[\s\S]*Next: impl/],
    [{ node: 'tdd', mode: 'review', exit: 'MoreTests', counts: { reviews: 2 } }, /2 of at most 3 reviews/],
    [{ node: 'scaffold', exit: 'InitWork', children: 2 }, /children, tdd \(write-tests\), impl[\s\S]*\[GR2\]/],
    [{ node: 'merger', exit: 'MergeComplete' }, /parent, rebaser/],
    [{ node: 'tdd', mode: 'review', exit: 'Reject' }, /a person decides/],
  ])('[GR1] of %j gives the figures and the rule', (input, words) => {
    const ruling = applyRule(rule, input)
    expect(ruling.ok && ruling.explanation()).toMatch(words)
  })
})

type State = { place: GraphPlace; attempt: number; counts: Counts }

/** One turn of the orchestrator: it counts, the rule decides, the graph goes on or ends. */
function turn({ place, attempt, counts: before }: State, exit: ExitName): State | 'escalated' | 'merged' {
  const [node, mode] = place.split(':') as [GraphNode, TddMode?]
  const counts = countExit(before, place, exit)
  const decision = nextStep({ node, mode, exit, attempt, counts })
  if (decision.action === 'escalate') return 'escalated'
  if (decision.action === 'broadcast') return 'merged'
  const [target] = decision.next
  const next = graphPlace(target!.node as GraphNode, target!.mode)!
  return { place: next, attempt: exit === 'RequestRetry' ? attempt + 1 : 1, counts }
}

/** One node's life: agents choose any of their exits, and siblings merge at any time. */
function walkThrough(choices: readonly number[], siblingMerges: readonly number[]) {
  let state: State = { place: 'scaffold', attempt: 1, counts: noCounts }
  let steps = 0
  const waiting = [...siblingMerges]
  for (const choice of choices) {
    if (waiting.length > 0 && waiting[0]! <= steps && state.place !== 'scaffold') {
      waiting.shift()
      state = { ...state, place: 'rebaser', attempt: 1 }
    }
    const own = exitsAt(state.place) as ExitName[]
    const next = turn(state, own[choice % own.length]!)
    steps++
    if (typeof next === 'string') return { ended: next, steps, counts: state.counts }
    state = next
  }
  return { ended: 'never', steps, counts: state.counts }
}

/** The longest way to an end; a state met again on its own way would never end, and is an error. */
function longestFrom(state: State, known = new Map<string, number>(), onTheWay = new Set<string>()): number {
  const key = JSON.stringify(state)
  if (onTheWay.has(key)) throw new Error(`endless: ${key}`)
  const before = known.get(key)
  if (before !== undefined) return before
  onTheWay.add(key)
  const lengths = (exitsAt(state.place) as ExitName[]).map((exit) => {
    const next = turn(state, exit)
    return typeof next === 'string' ? 1 : 1 + longestFrom(next, known, onTheWay)
  })
  onTheWay.delete(key)
  const longest = Math.max(...lengths)
  known.set(key, longest)
  return longest
}

/** From a return to the next: scaffold, tests, five attempts, review, merge; two returns a cap of three, four a cap of five. */
function longestWalk(siblings: number): number {
  const returns = 2 + 2 + 2 + 4
  const stretch = 9
  return (returns + 1 + siblings) * stretch + siblings
}
