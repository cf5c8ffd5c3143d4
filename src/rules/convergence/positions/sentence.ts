/** Splits an output into sentences with their layout: heading, label, list, table, bold. */

export interface Sentence {
  /** Without layout marks. */
  text: string
  place: 'text' | 'item' | 'row' | 'heading'
  /** The heading above it, empty if there is none. */
  heading: string
  /** The label before a colon at its start: "Decision: …". */
  label: string
  bold: boolean
}

export function sentencesOf(output: string): Sentence[] {
  const found: Sentence[] = []
  let heading = ''
  for (const line of withoutCode(shortened(output)).split(/\r?\n/)) {
    const { place, text } = readLine(line.trim())
    if (place === 'heading') {
      heading = text
      found.push({ text: plain(text), place, heading: '', label: '', bold: false })
      continue
    }
    for (const sentence of splitSentences(text)) {
      const label = /^\**([^:*]{1,40}?)\**:\**\s/.exec(sentence)?.[1] ?? ''
      found.push({ text: plain(sentence), place, heading, label, bold: /\*\*[^*]+\*\*/.test(sentence) })
    }
  }
  return found
}

/** Decisions are near the start or the end of a long text; the middle is not read. */
const longest = 60_000

/** Cut before and after normalising, because one character can become eighteen. */
function shortened(output: string): string {
  return ends(ends(output).normalize('NFKC'))
}

function ends(text: string): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest / 3)}\n${text.slice(-(longest * 2) / 3)}`
}

/** An unclosed fence does not count, because it would hide the rest of the output. */
function withoutCode(output: string): string {
  const parts = output.split(/^[ \t]{0,3}```.*$/m)
  const closed = parts.length - ((parts.length + 1) % 2)
  return parts.filter((_, index) => index % 2 === 0 || index >= closed).join('\n')
}

function readLine(line: string): Pick<Sentence, 'place' | 'text'> {
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1] ?? /^\*\*([^*]{0,59}[^*.!])\*\*:?$/.exec(line)?.[1]
  if (heading !== undefined) return { place: 'heading', text: heading }
  if (line.startsWith('|')) return { place: 'row', text: firstCell(line) }
  const item = /^(?:[-*+]|\d{1,3}[.)]|>)\s+(?:\[[ xX]\]\s*)?(.*)$/.exec(line)?.[1]
  if (item !== undefined) return { place: 'item', text: item }
  return { place: 'text', text: line }
}

function firstCell(row: string): string {
  const cell = row.slice(1).split('|', 1)[0]!.trim()
  return /^[-: ]*$/.test(cell) ? '' : cell
}

function splitSentences(line: string): string[] {
  const found: string[] = []
  let start = 0
  for (const end of line.matchAll(/[.!?]["'”’)*]{0,3}\s|[。！？]/g)) {
    const before = line.slice(Math.max(start, end.index - 6), end.index + 1)
    if (/\b(?:e\.g|i\.e|vs|etc|cf|approx)\.$/i.test(before)) continue
    found.push(line.slice(start, end.index + end[0].length).trim())
    start = end.index + end[0].length
  }
  found.push(line.slice(start).trim())
  return found.filter((sentence) => sentence !== '')
}

/** "TL;DR" is one word: its semicolon ends nothing. */
function plain(text: string): string {
  return text.replace(/[*`]/g, '').replace(/^tl;?dr[:,]?(?= )/i, 'In short,')
}
