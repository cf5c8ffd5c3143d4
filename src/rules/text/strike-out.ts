/** Marks a quoted statement in a Markdown document that somebody has decided on since. SPEC.md § RV5. */

/** A shorter quote may occur by chance. */
const fewestWords = 4

/** Strikes the statement, and says what holds instead. */
export function strikeOut(text: string, statement: string, instead: string): string {
  return marked(text, statement, (found) => `~~${found}~~ (${instead})`)
}

/** Leaves the statement, with a note behind it. */
export function noteBeside(text: string, statement: string, note: string): string {
  return marked(text, statement, (found) => `${found} (${note})`)
}

/**
 * Marks the first occurrence of the statement, however its lines are broken. Unchanged if the document does not have these
 * words, or only in code. Idempotent.
 */
function marked(text: string, statement: string, mark: (found: string) => string): string {
  const words = statement.trim().split(/\s+/)
  if (words.length < fewestWords) return text
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'))
  const parts = text.split(/(^ {0,3}(?:```|~~~)[\s\S]*?^ {0,3}(?:```|~~~)[^\n]*$)/m)
  const at = parts.findIndex((part, index) => index % 2 === 0 && pattern.test(part))
  if (at === -1) return text
  const part = parts[at]!
  const found = pattern.exec(part)![0]
  if (part.includes(mark(found))) return text
  const changed = part.replace(pattern, () => mark(found))
  return [...parts.slice(0, at), changed, ...parts.slice(at + 1)].join('')
}
