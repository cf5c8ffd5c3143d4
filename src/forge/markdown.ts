/** Escapes untrusted text in Markdown: it cannot end a fence, mention a person, link an issue or hide what follows. */

/** One line of plain text. */
export function plainWords(text: string, longest = 2000): string {
  return (
    oneLineOf(text, longest)
      .replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&')
      .replace(/^[-+=]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
      // A backslash does not stop GitHub from mentioning `@name` or linking `#12`; a zero-width space does.
      .replace(/@(?=[\p{L}\p{N}])|\\#(?=\d)|[Gg][Hh]-(?=\d)/gu, `$&${noWidth}`)
  )
}

/** A name or path as code. */
export function inlineCode(text: string, longest = 300): string {
  const line = oneLineOf(text, longest)
  const ticks = '`'.repeat(longestRun(line) + 1)
  const edge = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : ''
  return `${ticks}${edge}${line}${edge}${ticks}`
}

/** A code block whose fence is longer than any fence inside it. */
export function fenced(text: string, language = 'text'): string {
  const content = readable(text)
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1))
  return `${fence}${language}\n${content}\n${fence}`
}

/** The end of an output, with its summary, and the number of lines left out before it. */
export function lastPart(output: string, { lines, characters }: { lines: number; characters: number }) {
  const all = readable(output).trimEnd().split('\n')
  const kept: string[] = []
  let size = 0
  for (const line of all.toReversed()) {
    if (kept.length === lines || size + line.length + 1 > characters) break
    kept.unshift(line)
    size += line.length + 1
  }
  // A single line that is too long: keep its end.
  if (kept.length === 0) kept.push(`…${all.at(-1)!.slice(-characters)}`.toWellFormed())
  return { text: kept.join('\n'), leftOut: all.length - kept.length }
}

const noWidth = '\u200b'

/** Removes colours, cursor movements and broken characters, and normalises line endings. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(ansi, '')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}

const ansi = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7, 27)}]*)`, 'g')

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

/** Cut before cleaning: a text may be megabytes long. */
function oneLineOf(text: string, longest: number): string {
  const line = readable(text.slice(0, longest * 10))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`
}
