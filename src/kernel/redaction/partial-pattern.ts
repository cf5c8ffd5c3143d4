/**
 * Derives a pattern that also matches a prefix of a match at the end of the text. Omits lookaheads, so it may match a
 * little more, never less. For the patterns of `secret-shapes.ts`, which have no back references.
 */
export function partialPattern(pattern: string): string {
  const reader = { pattern, at: 0 }
  return alternatives(reader)
}

interface Reader {
  readonly pattern: string
  at: number
}

function alternatives(reader: Reader): string {
  const read = [sequence(reader)]
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    read.push(sequence(reader))
  }
  return read.join('|')
}

function sequence(reader: Reader): string {
  let read = ''
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at]!)) read += item(reader)
  return read
}

/** Matches one item, or the end of the text before or within it. */
function item(reader: Reader): string {
  const opening = take(reader, /\((?:\?(?:<?[=!]|[a-z]*:))?/y)
  if (opening === undefined) {
    const atom = take(reader, /\[(?:\\.|[^\]\\])*\]|\\.|./sy)!
    const times = take(reader, quantifier)
    return times === undefined ? `(?:${atom}|$)` : `(?:${atom}${times}|${atom}*$)`
  }
  const start = reader.at
  const inner = alternatives(reader)
  const source = reader.pattern.slice(start, reader.at)
  reader.at += 1
  if (/^\(\?[=!]/.test(opening)) return ''
  if (opening.startsWith('(?<')) return `${opening}${source})`
  const flags = opening === '(' ? '(?:' : opening
  return `(?:${flags}${inner})${take(reader, quantifier) ?? ''}|$)`
}

const quantifier = /[*+?]|\{\d+(?:,\d*)?\}/y

function take(reader: Reader, expression: RegExp): string | undefined {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.pattern)?.[0]
  if (found !== undefined) reader.at += found.length
  return found
}
