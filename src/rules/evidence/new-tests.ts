/** Which of the tests that ran are new. Tests that the base had, by name and file, never are. SPEC.md § VF2. */
import { findTests, isSameTest, type TestFacts, testKey, testOfCase } from '../build/test-facts.ts'

/** A test file that the agent wrote, with the titles in its source. */
export interface TestSource {
  path: string
  titles: readonly string[]
  /** The titles that the file had before. */
  before: readonly string[]
}

export interface OldTests {
  /**
   * The command was given only these files, which does not keep every runner from running others. A test of unknown origin
   * is new only if no test has a title of these files and all of them are new.
   */
  narrowed: boolean
  /** The tests of these files as they ran on the base. Without them, the titles in the source decide. */
  before?: readonly TestFacts[] | undefined
}

export function newTests(
  ran: readonly TestFacts[],
  sources: readonly TestSource[],
  { narrowed, before }: OldTests,
): TestFacts[] {
  const has = (titles: readonly string[], test: TestFacts) =>
    titles.some((title) => findTests([test], title).length > 0)
  const isTitled = (test: TestFacts) => sources.some(({ titles }) => has(titles, test))
  const areTitlesUnknown = narrowed && !ran.some(isTitled) && sources.every(({ before }) => before.length === 0)
  return ran.filter((test) => {
    if (test.file !== undefined) {
      const source = sources.find(({ path }) => path === test.file)
      if (source === undefined) return false
      if (before === undefined) return !has(source.before, test)
      // A file that could not be loaded shows none of its tests.
      const isUnseen = before.some(({ hinted, file }) => hinted && file === test.file) && has(source.before, test)
      return !isUnseen && !before.some((other) => isSameTest(other, test))
    }
    if (!isTitled(test)) return areTitlesUnknown
    return sources.some((source) => has(source.titles, test) && (!has(source.before, test) || isNewCase(test, source)))
  })

  /** Other cases of its title ran on the base. One that crashed there before them shows none. */
  function isNewCase(test: TestFacts, source: TestSource): boolean {
    if (before === undefined || before.some((other) => isSameTest(other, test))) return false
    const titles = source.before.filter((title) => has([title], test))
    return before.some((other) => !other.hinted && has(titles, other))
  }
}

export interface RenumberedCases {
  /** New ones under the names of old ones. */
  fresh: TestFacts[]
  /** Old ones under new names. */
  old: TestFacts[]
}

/**
 * After a case that was inserted, a runner may number all others anew. `ran` is without the code, where an old case passes as
 * before; `isKept` names those for what holds already. Only as many are old as have lost their names.
 */
export function renumberedCases(
  ran: readonly TestFacts[],
  before: readonly TestFacts[] = [],
  isKept: (test: TestFacts) => boolean = () => false,
): RenumberedCases {
  const found: RenumberedCases = { fresh: [], old: [] }
  const had = Map.groupBy(before.filter(isNumbered), numberedAlike)
  for (const [alike, cases] of Map.groupBy(ran.filter(isNumbered), numberedAlike)) {
    const known = had.get(alike) ?? []
    const [names, green] = [keysOf(known), keysOf(cases.filter(isGreen))]
    const lost = keysOf(known.filter((test) => isGreen(test) && !green.has(testKey(test))))
    const renamed = cases.filter((test) => !names.has(testKey(test)))
    const old = renamed.filter((test) => isGreen(test) && !isKept(test))
    const red = cases.filter((test) => !isGreen(test) && test.outcome !== 'skipped' && lost.has(testKey(test)))
    // Where more are red than were added, the test itself has changed.
    if (red.length <= renamed.length) found.fresh.push(...red)
    if (old.length <= lost.size) found.old.push(...old)
  }
  return found
}

function isGreen({ outcome }: TestFacts): boolean {
  return outcome === 'passed'
}

function keysOf(tests: readonly TestFacts[]): Set<string> {
  return new Set(tests.map(testKey))
}

/** `test_a[row1]`, `test_a[left0-right0]`, as pytest names values that are no plain text or number. */
function isNumbered(test: TestFacts): boolean {
  return testOfCase(test) !== testKey(test) && /[[-][A-Za-z_]\w*?\d+(?=[\]-])/.test(test.name)
}

/** Cases of one test whose names differ in their numbers alone. */
function numberedAlike(test: TestFacts): string {
  const numbers = /(?<=[[-][A-Za-z_]\w*?)\d+(?=[\]-])/g
  return `${test.file ?? ''}\n${testOfCase(test)}\n${test.name.replaceAll(numbers, '#')}`
}
