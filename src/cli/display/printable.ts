/** Makes foreign text safe for a terminal: it cannot move the cursor, set colours, change the title or reorder what is read. */
export function printable(text: string): string {
  return text.replace(unprintable, '')
}

/** The same for lines that Convene has styled: their bold, dim and coloured parts stay. */
export function printableStyled(text: string): string {
  return text
    .split(styles)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('')
}

/** Line ends and tabs stay. The last two ranges make a terminal show text in another order than it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** None that hides text: neither black, nor backgrounds, nor the inverse. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a terminal is told a style.
const styles = /(\u001b\[(?:[0-4]|2[2-4]|3[1-79]|9[0-7])m)/
