/** Judges the tests of a claim one by one, beside those of the commit that the work starts from. SPEC.md § VF4. */
import { isSameTest, type TestFacts } from '../build/test-facts.ts'

export interface ClaimedTests {
  /** The tests of the work. */
  after: readonly TestFacts[]
  /** The tests of the commit that the work starts from; undefined if they have not run yet. */
  before: readonly TestFacts[] | undefined
  /** The tests that prove the work; they must pass. */
  isOwn(test: TestFacts): boolean
  /** What the work did with a test file. */
  changeOf(file: string): 'added' | 'changed' | undefined
  /** Tests that pass and fail on the same code. */
  isUnreliable(test: TestFacts): boolean
}

export interface ExcusedTest {
  test: string
  why: 'failed before' | 'unreliable'
}

export interface ClaimedVerdict {
  /** The work's own tests, and other tests that it brings, that fail. */
  failing: TestFacts[]
  /** Tests that passed before the work and fail now. */
  broken: TestFacts[]
  excused: { test: TestFacts; why: ExcusedTest['why'] }[]
  /** Nothing can be said about these before the tests of the base have run. */
  unknown: TestFacts[]
}

export function claimedTests({ after, before, isOwn, changeOf, isUnreliable }: ClaimedTests): ClaimedVerdict {
  const verdict: ClaimedVerdict = { failing: [], broken: [], excused: [], unknown: [] }
  for (const test of after.filter(isRed)) {
    if (isOwn(test)) verdict.failing.push(test)
    else if (isUnreliable(test)) verdict.excused.push({ test, why: 'unreliable' })
    else if (test.file !== undefined && changeOf(test.file) === 'added') verdict.failing.push(test)
    else if (before === undefined) verdict.unknown.push(test)
    else {
      const was = standing(test, { before, after, changeOf })
      if (was === 'new') verdict.failing.push(test)
      else if (was === 'green') verdict.broken.push(test)
      else verdict.excused.push({ test, why: 'failed before' })
    }
  }
  return verdict
}

/** What a red test was before the work. */
function standing(
  test: TestFacts,
  { before, after, changeOf }: Pick<ClaimedTests, 'after' | 'changeOf'> & { before: readonly TestFacts[] },
): 'new' | 'green' | 'red' {
  const same = before.filter((other) => isSameTest(other, test))
  if (same.some(isGreen)) {
    // Two tests may have one name, of which one was always red.
    const redNow = after.filter((other) => isSameTest(other, test) && isRed(other)).length
    return redNow > same.filter(isRed).length ? 'green' : 'red'
  }
  if (same.some(isRed)) return 'red'
  const { file } = test
  if (file === undefined || changeOf(file) !== undefined) return 'new'
  // A test that was skipped, or whose file could not be loaded, ran now for the first time; the work did not write it.
  const isFirstSeen = same.length > 0 || before.some((other) => other.file === file && isUnloaded(other))
  return isFirstSeen ? 'red' : 'new'
}

function isUnloaded({ outcome }: TestFacts): boolean {
  return outcome === 'import-error' || outcome === 'error'
}

function isGreen({ outcome }: TestFacts): boolean {
  return outcome === 'passed'
}

export function isRed({ outcome }: TestFacts): boolean {
  return outcome !== 'passed' && outcome !== 'skipped'
}
