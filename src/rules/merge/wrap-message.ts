/** Wraps the body of a commit message as git's own documentation has it. SPEC.md § MG1. */

const lineWidth = 72

interface Block {
  /** In front of the first line. */
  first: string
  /** In front of the others. */
  hang: string
  words: string
}

const item = /^( *)([-*+•]|\d{1,3}[.)]) +(\S.*)$/
const fence = /^ *(`{3,}|~{3,})/
/** Tables, quotations and headings stay as they are. */
const asItIs = /^ {0,3}(?:[|>]|#{1,6} )/

/**
 * Paragraphs stay paragraphs, and items stay items. Code, tables and words that are longer than a line stay whole. A line
 * that ends a sentence although the next word has room was ended on purpose.
 */
export function wrapMessage(text: string): string {
  const pieces: (string | Block)[] = []
  let open: string | null = null
  let inItem = 0
  let last = ''
  for (const line of text.split(/\r\n|\r|\n/).map(printable)) {
    const before = pieces.at(-1)
    const block = typeof before === 'object' ? before : null
    const indent = /^ */.exec(line)![0]
    const mark = fence.exec(line)?.[1] ?? null
    const [, , sign, words] = item.exec(line) ?? []
    const isCode = open !== null || mark !== null || (!block && indent.length >= inItem + 4)
    if (isCode || line === '' || asItIs.test(line)) {
      pieces.push(line)
      if (open === null) open = mark
      else if (mark?.startsWith(open)) open = null
    } else if (sign !== undefined) {
      inItem = indent.length + sign.length + 1
      pieces.push({ first: `${indent}${sign} `, hang: ' '.repeat(inItem), words: words! })
    } else if (block && !isEndedOnPurpose(last, line)) block.words += ` ${line.trim()}`
    else {
      if (indent === '') inItem = 0
      pieces.push({ first: indent, hang: indent, words: line.trim() })
    }
    last = line
  }
  const lines = pieces.flatMap((piece) => (typeof piece === 'string' ? [piece] : filled(piece)))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '')
}

function isEndedOnPurpose(line: string, next: string): boolean {
  const [word = ''] = next.trim().split(' ', 1)
  return /[.:!?]$/.test(line) && line.length + 1 + word.length <= lineWidth
}

function filled({ first, hang, words }: Block): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of unbroken(words)) {
    if (line === '') line = first + word
    else if (line.length + 1 + word.length <= lineWidth) line += ` ${word}`
    else {
      lines.push(line)
      line = hang + word
    }
  }
  return [...lines, line]
}

/** The words; one that would begin a comment or an item of a list at the start of a line stays with the one before. */
function unbroken(text: string): string[] {
  const words: string[] = []
  for (const word of text.split(/\s+/)) {
    if (words.length > 0 && /^(?:#.*|[-*+•>|]|\d{1,3}[.)])$/.test(word)) words[words.length - 1] += ` ${word}`
    else words.push(word)
  }
  return words
}

/** Control characters would let an agent move the cursor or colour the terminal. */
function printable(line: string): string {
  return line
    .replaceAll('\t', '    ')
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trimEnd()
}
