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

/** All of its words, in their order, perhaps with others between. */
function isWithin(old: readonly string[], now: readonly string[]): boolean {
  const words = old.filter((token) => !form.test(token))
  let next = 0
  for (const token of now) if (token === words[next]) next++
  return next === words.length
}

/** How something is said, not what. */
const form = /^(?:[{}()[\];,]|=>|function|return)$/
