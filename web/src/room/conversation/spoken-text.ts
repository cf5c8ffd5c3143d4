/** Which part of a streaming text to read out next: whole sentences only. */
const sentenceEnd = /[.!?…:]["')\]]?\s|\n/g

/** The sentences completed since `from` as plain text, and where they end. */
export function nextSpokenText(text: string, from: number): { words: string; until: number } {
  let until = from
  sentenceEnd.lastIndex = from
  for (let match = sentenceEnd.exec(text); match; match = sentenceEnd.exec(text)) until = match.index + match[0].length
  return { words: plainText(text.slice(from, until)), until }
}

/** Without Markdown syntax. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' (code) ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
