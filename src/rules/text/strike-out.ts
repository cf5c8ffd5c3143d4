/** Strikes a quoted statement out of a Markdown document. SPEC.md § RV5. */

/** A shorter quote may occur by chance. */
const fewestWords = 4

/**
 * Strikes the first occurrence of the statement, however its lines are broken, and says what holds instead. Unchanged if the
 * document does not have these words, or only in code. Idempotent.
 */
export function strikeOut(text: string, statement: string, instead: string): string {
  const words = statement.trim().split(/\s+/)
  if (words.length < fewestWords) return text
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'))
  const parts = text.split(/(^ {0,3}(?:```|~~~)[\s\S]*?^ {0,3}(?:```|~~~)[^\n]*$)/m)
  const at = parts.findIndex((part, index) => index % 2 === 0 && pattern.test(part))
  if (at === -1) return text
  const struck = parts[at]!.replace(pattern, (found, offset: number) =>
    parts[at]!.slice(0, offset).endsWith('~~') ? found : `~~${found}~~ (${instead})`,
  )
  return [...parts.slice(0, at), struck, ...parts.slice(at + 1)].join('')
}
