/** Splits an output into sentences with their layout: heading, label, list, table, bold. */
import { namesDecision } from './decision-cue.ts'

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
    const { place, text, label: given } = readLine(line.trim(), heading)
    if (place === 'heading') {
      heading = text
      found.push({ text: plain(text), place, heading: '', label: '', bold: false })
      continue
    }
    let above = ''
    for (const sentence of splitSentences(text)) {
      const repeated = namesDecision(above) && sentence.split(' ', 5).length < 5 ? above : ''
      const label = given ?? /^\**([^:*]{1,40}?)\**:\**\s/.exec(sentence)?.[1] ?? repeated
      above = label
      found.push({ text: plain(sentence), place, heading, label, bold: /\*\*[^*]+\*\*/.test(sentence) })
    }
  }
  return found.map((sentence, index) => ({ ...sentence, text: resolved(sentence.text, found[index - 1]?.text ?? '') }))
}

/** "Between A and B … the latter": names what is meant. */
function resolved(text: string, before: string): string {
  const [, word] = /\bthe (former|latter)\b/i.exec(text) ?? []
  if (word === undefined) return text
  const [, first, second] = pair.exec(text) ?? pair.exec(before) ?? []
  const meant = word.toLowerCase() === 'former' ? first : second
  return meant === undefined ? text : text.replace(/\bthe (?:former|latter)\b/i, () => meant)
}

const pair =
  /\b(?:between|either)\s+((?:[\p{L}\p{N}.+#-]+ ){0,3}?[\p{L}\p{N}.+#-]+) (?:and|or) ((?:[\p{L}\p{N}.+#-]+ ){0,2}?[\p{L}\p{N}.+#-]+)(?= (?:is|was|it|would|i|we|the)\b|[,;:.]|$)/iu

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

function readLine(line: string, above: string): Pick<Sentence, 'place' | 'text'> & { label?: string } {
  const arrow = /^(?:[-*+]\s+)?(?:=+>|-+>|[→⇒➜])\s*(.+)$/.exec(line)?.[1]
  if (arrow !== undefined) return { place: 'text', text: arrow, label: 'Decision' }
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1] ?? /^\*\*([^*]{0,59}[^*.!])\*\*:?$/.exec(line)?.[1]
  // Under "Decision", a line in bold is the decision itself.
  const isChoice = line.startsWith('**') && namesDecision(above)
  if (heading !== undefined && !isChoice) return { place: 'heading', text: heading }
  if (line.startsWith('|')) return readRow(line)
  const item = /^(?:[-*+]|\d{1,3}[.)]|>)\s+(?:\[[ xX]\]\s*)?(.*)$/.exec(line)?.[1]
  if (item !== undefined) return { place: 'item', text: item }
  return { place: 'text', text: line }
}

/** A row of two cells that says yes or no to the first decides on it; others only list it. */
function readRow(row: string): Pick<Sentence, 'place' | 'text'> & { label?: string } {
  const text = firstCell(row)
  const cells = row.replace(/^\||\|\s*$/g, '').split('|')
  const [, chosen, rejected] = (cells.length === 2 ? rowVerdict.exec(cells[1]!) : null) ?? []
  if (text === '' || (chosen === undefined && rejected === undefined)) return { place: 'row', text }
  return { place: 'item', text, label: chosen === undefined ? 'Rejected' : 'Decision' }
}

const rowVerdict = /^\s*\**(?:(yes|chosen|recommended|winner|✓|✔|✅)|(no|rejected|ruled out|✗|✘|❌))(?![\p{L}\p{N}])/iu

function firstCell(row: string): string {
  const cell = row.slice(1).split('|', 1)[0]!.trim()
  return /^[-: ]*$/.test(cell) ? '' : cell
}

function splitSentences(line: string): string[] {
  const found: string[] = []
  let start = 0
  for (const end of line.matchAll(/[.!?]["'”’)*]{0,3}\s|[。！？]/g)) {
    const before = line.slice(Math.max(start, end.index - 6), end.index + 1)
    if (/\b(?:e\.g|i\.e|vs|etc|cf|approx|a\.m|p\.m)\.$/i.test(before)) continue
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
