/** Decides how a node is merged, whether the merged tree is accepted, and who must adapt to it. SPEC.md § MG, RB1. */
import type { ExitPayload, ImpactLevel } from '../build/exits.ts'
import { findTests, type TestFacts, testIdentity, testKey, testOfCase } from '../build/test-facts.ts'
import { lostCases } from '../evidence/removed-tests.ts'

/** Squashing a subtree would lose the trailers of the merges below it (MG1). */
export function mergeStyle(node: { children: number }): 'squash' | 'merge-commit' {
  return node.children === 0 ? 'squash' : 'merge-commit'
}

export interface MergeNames {
  run: string
  /** Ids from the root. */
  node: string
  spec: string
  criteria: readonly string[]
  /** `<feature>#<n>`. */
  issue?: string
}

/** The trailers of a merge's message (MG1). */
export function mergeTrailers({ run, node, spec, criteria, issue }: MergeNames): string[] {
  const trailers = [
    ['Convene-Run', run],
    ['Convene-Node', node],
    ['Convene-Spec', spec],
    ['Convene-Criteria', criteria.join(', ')],
    ['Convene-Issue', issue ?? ''],
  ]
  const plain = trailers.map(([name, value = '']) => [name, value.replace(/\s+/g, ' ').trim()])
  return plain.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
}

export interface MergeFacts {
  /** Exit code of the build in the merged tree; absent if no build is configured. */
  build?: number
  /** Exit code of the child's own tests, run alone. */
  own?: number
  /** Exit code of the contract tests of the criteria the child was given. */
  contract?: number
  /** Exit code of a checker in the test command, where no test was seen to run. */
  checks?: number
  /** Tests in the parent's tree, before the merge and after it. */
  before: readonly TestFacts[]
  after: readonly TestFacts[]
  /** Names of the child's own tests. */
  ownTests: readonly string[]
  /** Names of the parent's own tests that are red until its implementer has run. */
  pendingTests: readonly string[]
  /** Identities of red tests that refuse nothing: they failed before, or are unreliable (VF4). */
  excused?: readonly string[]
  /** Tests that the work contradicts, which its reviewer was shown: they may be gone, as when they got another name. */
  outdated?: readonly string[]
  /** Whether a test passes and fails on the same code: then it may also be missing, with the file that crashed. */
  isUnreliable?(test: TestFacts): boolean
}

export type MergeVerdict = { merged: true } | ({ merged: false } & ExitPayload<'MergeRejected'>)

/** Checks the merged tree before the parent's branch moves (MG2). */
export function mergeVerdict(facts: MergeFacts): MergeVerdict {
  const own = facts.ownTests.filter((name) => facts.after.length > 0 && !isGreen(findTests(facts.after, name)))
  const turned = turnedRed(facts)
  const removed = removedTests(facts)
  const failingTests = [...new Set([...own, ...turned])]
  const reject = (reason: ExitPayload<'MergeRejected'>['reason'], details: string): MergeVerdict => ({
    merged: false,
    reason,
    details,
    failingTests,
  })
  if (facts.build) return reject('BuildFailure', `the merged tree does not build (exit code ${facts.build})`)
  if (facts.contract) return reject('ContractViolation', `the contract tests fail (exit code ${facts.contract})`)
  if (own.length > 0) return reject('IntegrationFailure', `its own tests do not pass once merged: ${own.join(', ')}`)
  if (facts.checks)
    return reject('IntegrationFailure', `a check of the test command fails once merged (exit code ${facts.checks})`)
  if (facts.own) return reject('IntegrationFailure', `its own tests fail once merged (exit code ${facts.own})`)
  const lost = [
    ...(turned.length > 0 ? [`tests that must be green are not: ${turned.join(', ')}`] : []),
    ...(removed.length > 0 ? [`tests that were there before were removed: ${removed.join(', ')}`] : []),
  ]
  if (lost.length > 0) return reject('IntegrationFailure', lost.join('\n'))
  if (facts.own === undefined && facts.after.length === 0 && facts.ownTests.length > 0) {
    return reject('IntegrationFailure', 'its own tests were not seen to run once merged')
  }
  return { merged: true }
}

/**
 * The tests that refuse a merge of two histories (MG2): red ones that were green on a side, or are new to both. A test that
 * was red on a side before and green on neither is not caused by the merge.
 */
export function redOnceJoined(sides: readonly (readonly TestFacts[])[], joined: readonly TestFacts[]): string[] {
  const before = sides.map((tests) => Map.groupBy(tests, testKey))
  const isOld = (key: string) => {
    const known = before.flatMap((tests) => (tests.has(key) ? [tests.get(key)!] : []))
    return known.length > 0 && !known.some((tests) => isGreen(tests))
  }
  const red = new Set(joined.filter(isRed).map(testKey))
  return [...red].filter((key) => !isOld(key))
}

/** An agent rebases only for a conflict or a breaking change; otherwise git does (RB1). */
export function needsRebaser({ impact, conflict }: { impact: ImpactLevel; conflict: boolean }): boolean {
  return conflict || impact === 'Breaking'
}

/** Tests that were green and are red now, and red tests that the merge added. The parent's pending tests may stay red. */
function turnedRed({ before, after, pendingTests, excused = [] }: MergeFacts): string[] {
  const [old, young] = [Map.groupBy(before, testKey), Map.groupBy(after, testKey)]
  const isExcused = (test: TestFacts) => isRed(test) && excused.includes(testIdentity(test))
  const isHeld = (tests: readonly TestFacts[]) => tests.some(isExcused) && isGreen(tests, isExcused)
  const turned = [...old].filter(([key, tests]) => {
    const now = young.get(key) ?? []
    return isGreen(tests) && now.length > 0 && !isGreen(now) && !isHeld(now)
  })
  const pending = new Set(pendingTests.flatMap((name) => findTests(after, name)))
  const brought = after.filter(
    (test) => isRed(test) && !old.has(testKey(test)) && !pending.has(test) && !isExcused(test),
  )
  return [...turned.map(([key]) => key), ...brought.map(testKey)]
}

/**
 * Green tests that are missing now. A case that is gone is no loss where the same test has another one that passes: a runner
 * may number the cases anew when one is inserted.
 */
function removedTests({ before, after, isUnreliable, outdated = [] }: MergeFacts): string[] {
  const [old, young] = [Map.groupBy(before, testKey), Map.groupBy(after, testKey)]
  const greenIn = (tests: typeof old, others: typeof old) =>
    [...tests].flatMap(([key, [first, ...same]]) => (others.has(key) || !isGreen([first!, ...same]) ? [] : [first!]))
  const gone = greenIn(old, young).filter((test) => !isUnreliable?.(test) && !outdated.includes(testKey(test)))
  const fresh = Map.groupBy(greenIn(young, old), testOfCase)
  const all = Map.groupBy(old.values(), ([one]) => testOfCase(one!))
  return [...Map.groupBy(gone, testOfCase)].flatMap(([test, cases]) => {
    const lost = cases.length - (fresh.get(test)?.length ?? 0)
    return lost > 0 ? [lostCases(test, lost, all.get(test)!.length)] : []
  })
}

function isGreen(tests: readonly TestFacts[], isExcused: (test: TestFacts) => boolean = () => false): boolean {
  return tests.length > 0 && tests.every((test) => test.outcome === 'passed' || isExcused(test))
}

function isRed({ outcome }: TestFacts): boolean {
  return outcome !== 'passed' && outcome !== 'skipped'
}
