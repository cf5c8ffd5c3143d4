/** Drops the quoted lines of a message (`> …`): they repeat what someone else said. */

/** A quoted line begins with `>`, after up to three spaces as in Markdown. The lines around it keep their places. */
export function withoutQuotes(text: string): string {
  return text.replace(/^ {0,3}>.*$/gm, '')
}
