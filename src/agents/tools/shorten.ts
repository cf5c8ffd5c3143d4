/** Shortens long text and says how much is missing. */

/** Keeps the beginning and the end of the text, more of the end: test runners put their summary there. */
export function shortenMiddle(text: string, length: number): string {
  if (text.length <= length) return text
  const head = Math.floor(length / 3)
  const tail = length - head
  const note = `\n[… ${text.length - length} characters left out …]\n`
  return whole(text.slice(0, head)) + note + whole(text.slice(text.length - tail))
}

export function shortenEnd(text: string, length: number): string {
  if (text.length <= length) return text
  return `${whole(text.slice(0, length))}… [${text.length - length} more characters]`
}

/** Avoids a cut inside a surrogate pair: providers refuse text with a lone surrogate. */
function whole(text: string): string {
  return text.toWellFormed()
}
