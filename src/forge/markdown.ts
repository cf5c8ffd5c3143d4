/** Foreign text made harmless inside Markdown: it cannot end a fence, call a person, link an issue or hide what follows. */

/** One line of plain words. */
export function plainWords(text: string, longest = 2000): string {
  const line = readable(text).replace(/\s+/g, ' ').trim()
  return (
    shorten(line, longest)
      .replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&')
      .replace(/^([-+=:>]|\d+[.)])/, '\\$1')
      // A backslash does not keep GitHub from calling `@name` or linking `#12`: a space of no width does.
      .replace(/@(?=[\p{L}\p{N}])|\\#(?=\d)|\bGH-(?=\d)/giu, `$&${noWidth}`)
  )
}

/** A name or path as code. */
export function inlineCode(text: string, longest = 300): string {
  const line = shorten(readable(text).replace(/\s+/g, ' ').trim(), longest)
  const ticks = '`'.repeat(longestRun(line) + 1)
  const edge = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : ''
  return `${ticks}${edge}${line}${edge}${ticks}`
}

/** A block that ends where we end it: its fence is longer than any inside. */
export function fenced(text: string, language = 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${readable(text)}\n${fence}`
}

/** The end of an output, where the summary stands, and how many lines before it are left out. */
export function lastPart(output: string, { lines, characters }: { lines: number; characters: number }) {
  const all = readable(output).trimEnd().split('\n')
  const kept: string[] = []
  let size = 0
  for (const line of all.toReversed()) {
    if (kept.length === lines || size + line.length + 1 > characters) break
    kept.unshift(line)
    size += line.length + 1
  }
  // One line alone that is too long: its end.
  if (kept.length === 0) kept.push(`…${all.at(-1)!.slice(-characters)}`.toWellFormed())
  return { text: kept.join('\n'), leftOut: all.length - kept.length }
}

const noWidth = '\u200b'

/** Without colours, cursor moves and half characters, and with one kind of line end. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(ansi, '')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}

const ansi = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7, 27)}]*)`, 'g')

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
}
