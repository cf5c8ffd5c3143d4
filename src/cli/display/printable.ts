/** Makes foreign text safe for a terminal: it cannot move the cursor, set colours or change the title. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out; line ends and tabs stay.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
