/** Cuts text that is too long to show, and says what is missing. */

/** Keeps the beginning and, of `length` characters, the larger part for the end: that is where runners sum up. */
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

/** A cut may fall between the two halves of one character; providers refuse text with such a half. */
function whole(text: string): string {
  return text.toWellFormed()
}
