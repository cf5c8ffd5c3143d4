/** Finds phrases as whole words. `~` stands for up to 40 characters of the same sentence, `~~` for up to 160. */

export type Language = 'en' | 'de' | 'fr' | 'es'

/** Each phrase is the source of an expression. */
export type Phrases = Readonly<Record<Language, readonly string[]>>

export function phrase(text: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw(text, ...parts)
    .replaceAll('~~', '[^.?!\\n]{0,160}?')
    .replaceAll('~', '[^.?!\\n]{0,40}?')
}

/** Where an order or a wish begins: the start of the message, of a sentence or of a clause. */
export const clauseStart = '(?<=^|[.!?:;,\\n)]\\s*|[–—-] )'

/** The words of the first phrase found, in any language. */
export function findPhrase(text: string, phrases: Phrases): string | undefined {
  const { any, each } = compiled(phrases)
  if (!any.test(text)) return undefined
  for (const pattern of each()) {
    const found = pattern.exec(text)?.[0].trim()
    if (found) return found
  }
  return undefined
}

interface Compiled {
  /** Matches where any phrase does: most messages contain none, and one expression is read far faster than all. */
  any: RegExp
  each(): RegExp[]
}

const kept = new WeakMap<Phrases, Compiled>()

/** Compiles on first use: a command that reads no message compiles nothing. */
function compiled(phrases: Phrases): Compiled {
  const known = kept.get(phrases)
  if (known) return known
  const sources = Object.values(phrases).flat()
  let each: RegExp[] | undefined
  const fresh = {
    any: wholeWords(sources.map((source) => `(?:${source})`).join('|')),
    each: () => (each ??= sources.map(wholeWords)),
  }
  kept.set(phrases, fresh)
  return fresh
}

/** `\b` knows ASCII letters only, so it would end a word before an accent. */
function wholeWords(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'u')
}
