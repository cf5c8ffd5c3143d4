/** Existing tests that read otherwise now, and those of them that say less. SPEC.md § VF3. */

/** A test in a file: its title, and its words without layout and comments. */
export interface TestText {
  title: string
  tokens: readonly string[]
}

/** Titles, in the order of the file as it was. Tests that are gone are another matter (`removed-tests.ts`). */
export function changedTests(before: readonly TestText[], after: readonly TestText[]): string[] {
  return unmatched(before, after, (old, now) => old.join('\n') === now.join('\n'))
}

/** Those of which a word is gone or another one. What was only added to, such as a table with more rows, says all it said. */
export function weakenedTests(before: readonly TestText[], after: readonly TestText[]): string[] {
  return unmatched(before, after, isWithin)
}

/** Titles of which some test has no counterpart among those of that title now. */
function unmatched(
  before: readonly TestText[],
  after: readonly TestText[],
  matches: (old: readonly string[], now: readonly string[]) => boolean,
): string[] {
  const young = Map.groupBy(after, ({ title }) => title)
  return [...Map.groupBy(before, ({ title }) => title)].flatMap(([title, old]) => {
    const now = young.get(title)
    return now !== undefined && old.some((one) => !now.some(({ tokens }) => matches(one.tokens, tokens))) ? [title] : []
  })
}

/** All of its words, in their order, perhaps with others between, but with no new way around them. */
function isWithin(old: readonly string[], now: readonly string[]): boolean {
  const words = old.filter((token) => !form.test(token)).map(strictest)
  let next = 0
  for (const token of now) if (strictest(token) === words[next]) next++
  const waysAround = (tokens: readonly string[]) => tokens.filter((token) => around.test(token)).length
  return next === words.length && waysAround(now) <= waysAround(old)
}

const around = /^(?:if|skip|skipIf|todo|only|xit|xtest|pass)$/

/** `assert.equal` may become `assert.strictEqual`. */
function strictest(token: string): string {
  return stricter.get(token) ?? token
}

const stricter = new Map([
  ['equal', 'strictEqual'],
  ['equals', 'strictEqual'],
  ['deepEqual', 'deepStrictEqual'],
  ['deepEquals', 'deepStrictEqual'],
  ['toEqual', 'toStrictEqual'],
  ['assertEquals', 'assertEqual'],
])

/** How something is said, not what. */
const form = /^(?:[{}()[\];,]|=>|function|return)$/
