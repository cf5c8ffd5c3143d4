/** What the lines of a test file test where neither its runner nor its source names tests. SPEC.md § VF5. */

const comment = /^\s*(?:#|\/\/|\/\*|\*|--|;|%|REM\b|$)/i

/** The lines that do something, each with the comment above it. A comment that nothing follows tests nothing. */
export function statedTests(text: string): string[] {
  const stated: string[] = []
  let [above, isOpen]: [string[], boolean] = [[], false]
  for (const line of text.split('\n')) {
    if (comment.test(line)) {
      above = isOpen ? [...above, line] : [line]
      isOpen = true
    } else {
      stated.push([...above, line].join('\n'))
      isOpen = false
    }
  }
  return stated
}
