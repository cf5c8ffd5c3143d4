/** Which existing tests read otherwise now. Adding cases to one is a change too: the reviewer judges what became of it. SPEC.md § VF3. */

/** A test in a file: its title, and its text without layout and comments. */
export interface TestText {
  title: string
  text: string
}

/** Titles, in the order of the file as it was. Tests that are gone are another matter (`removed-tests.ts`). */
export function changedTests(before: readonly TestText[], after: readonly TestText[]): string[] {
  const young = Map.groupBy(after, ({ title }) => title)
  const isChanged = (title: string, old: readonly TestText[]) => {
    const now = young.get(title)?.map(({ text }) => text)
    return now !== undefined && old.some(({ text }) => !now.includes(text))
  }
  return [...Map.groupBy(before, ({ title }) => title)].flatMap(([title, old]) =>
    isChanged(title, old) ? [title] : [],
  )
}
