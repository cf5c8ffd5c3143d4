/** Turns untrusted text into one short line: no line breaks, no control characters, limited length. */
export function oneLine(text: string, longest = 72): string {
  // Control characters would let an agent move the cursor or colour the terminal.
  const plain = text
    .slice(0, longest * 20)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const characters = [...plain]
  return characters.length <= longest ? plain : `${characters.slice(0, longest - 1).join('')}…`
}
