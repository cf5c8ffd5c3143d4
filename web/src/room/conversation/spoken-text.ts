/** Which part of a text that is being written is read out next: whole sentences, so that no word is read half. */

const sentenceEnd = /[.!?…:]["')\]]?\s|\n/g

/** What has been completed since `from`, as plain words; and up to where. */
export function nextSpokenText(text: string, from: number): { words: string; until: number } {
  let until = from
  sentenceEnd.lastIndex = from
  for (let match = sentenceEnd.exec(text); match; match = sentenceEnd.exec(text)) until = match.index + match[0].length
  return { words: plainText(text.slice(from, until)), until }
}

/** Markdown's marks are not words. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' (code) ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
