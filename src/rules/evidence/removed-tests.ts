/** Finds existing tests, and cases of them, that a test author removed. SPEC.md § VF3. */
import { findTests, type TestFacts, testKey } from '../build/test-facts.ts'
import type { Problem } from '../schema/problem.ts'
import { isRed } from './claimed-tests.ts'
import type { TestSource } from './new-tests.ts'

export interface RewrittenTests {
  sources: readonly TestSource[]
  /** The tests of these files on the base. */
  before: readonly TestFacts[]
  /** Those that ran now: the new ones among them are still red. */
  ran: readonly TestFacts[]
}

/**
 * Counts by title, because a runner may number the cases of a test anew when one is inserted. What the merge would miss
 * beyond that, it refuses (MG2).
 */
export function removedTests({ sources, before, ran }: RewrittenTests): Problem[] {
  return sources.flatMap((source) => {
    const inFile = ({ file }: TestFacts) => file === source.path
    const [then, now] = [before.filter(inFile), ran.filter(inFile)]
    const [old, young] = [then, now].map((tests) => new Set(tests.map(testKey)))
    // Looked for by title only if the name is gone: comparing all with all takes seconds in a large file.
    const missing = then.filter((test) => test.outcome === 'passed' && !young!.has(testKey(test)))
    const removed = source.before.flatMap((title) => {
      if (findTests(missing, title).length === 0) return []
      const had = findTests(then, title)
      const has = findTests(now, title)
      const gone = had.filter((test) => missing.includes(test) && !isThere(test, now))
      const fresh = has.filter((test) => test.outcome !== 'skipped' && !old!.has(testKey(test)))
      // Where the source still has the title, a run that ended early may not have come to the missing cases.
      const isSeen = !source.titles.includes(title) || (has.length > 0 && !mayEndWith(has, ran))
      const lost = gone.length - fresh.length
      return lost > 0 && isSeen ? [lostCases(title, lost, had.length)] : []
    })
    if (removed.length === 0) return []
    const message = `tests that were there before may not be removed: ${removed.join(', ')}`
    return [{ rule: 'VF3', message, path: source.path }]
  })
}

/** How many cases of a test are gone. */
export function lostCases(test: string, lost: number, all: number): string {
  return all === 1 ? test : `${test} (${lost} of ${all} cases)`
}

/** A file that could not be loaded shows its tests without their cases. */
function isThere(test: TestFacts, tests: readonly TestFacts[]): boolean {
  return [test.name, testKey(test)].some((name) => findTests(tests, name).length > 0)
}

/** A runner that stops at the first red test (`pytest -x`) runs no case behind it. */
function mayEndWith(tests: readonly TestFacts[], ran: readonly TestFacts[]): boolean {
  const [first, ...others] = ran.filter(isRed)
  return first !== undefined && others.length === 0 && first === ran.at(-1) && tests.includes(first)
}
