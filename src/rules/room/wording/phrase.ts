/** Compiles a phrase that must match whole words. `~` stands for up to 40 characters of the same sentence, `~~` for up to 160. */

export type Language = 'en' | 'de' | 'fr' | 'es'

export type Phrases = Readonly<Record<Language, readonly RegExp[]>>

/** `\b` knows ASCII letters only, so it would end a word before an accent. */
export function phrase(text: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  const source = String.raw(text, ...parts)
    .replaceAll('~~', '[^.?!\\n]{0,160}?')
    .replaceAll('~', '[^.?!\\n]{0,40}?')
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'u')
}

/** Where an order or a wish begins: the start of the message, of a sentence or of a clause. */
export const clauseStart = '(?<=^|[.!?:;,\\n)]\\s*|[–—-] )'

/** The words of the first phrase found, in any language. */
export function findPhrase(text: string, phrases: Phrases): string | undefined {
  for (const pattern of Object.values(phrases).flat()) {
    const found = pattern.exec(text)?.[0].trim()
    if (found) return found
  }
  return undefined
}
