/** Parses acceptance criteria from an issue that a person wrote. */
import type { Criterion } from '../rules/build/spec.ts'

interface Line {
  text: string
  /** Level of a heading; a line in bold, or one that ends in a colon, counts as the lowest. */
  heading?: number
  item?: { indent: number; text: string; task: boolean }
}

/** The list under an "Acceptance criteria" heading, else all task items, else none. */
export function parseAcceptanceCriteria(body: string): Criterion[] {
  const lines = readLines(body)
  const section = sectionOf(lines)
  const listed = section ? itemsOf(section) : []
  const texts = listed.length > 0 ? listed : lines.flatMap(({ item }) => (item?.task ? [item.text] : []))
  return texts
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .map((text, index) => ({ id: `c${index + 1}`, text }))
}

const title = /^(acceptance[ -]criteria|criteria for acceptance|definition of done)\b/i

/** From the heading to the next heading of the same or a higher level. */
function sectionOf(lines: Line[]): Line[] | null {
  const start = lines.findIndex(({ heading, text }) => heading !== undefined && title.test(text))
  if (start < 0) return null
  const level = lines[start]!.heading!
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(({ heading }) => heading !== undefined && heading <= level)
  return end < 0 ? rest : rest.slice(0, end)
}

/** Indented lines belong to the item above, unless they are tasks themselves. */
function itemsOf(section: Line[]): string[] {
  const items: { indent: number; text: string }[] = []
  for (const { text, item } of section) {
    const last = items.at(-1)
    if (item && (item.task || !last || item.indent <= last.indent + 1)) items.push({ ...item })
    else if (item && last) last.text += ` ${item.text}`
    else if (last && /^\s{2,}\S/.test(text)) last.text += ` ${text}`
  }
  return items.map((item) => item.text)
}

function readLines(body: string): Line[] {
  const lines: Line[] = []
  let fence: string | null = null
  for (const raw of body
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .split('\n')) {
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(raw)?.[1]
    if (fence) {
      if (mark?.startsWith(fence)) fence = null
    } else if (mark) fence = mark
    else lines.push(readLine(raw.replaceAll('\t', '    ')))
  }
  return lines
}

function readLine(raw: string): Line {
  const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(raw)
  if (heading) return { heading: heading[1]!.length, text: heading[2]!.replace(/[*_:]+/g, '').trim() }
  const item = /^( *)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(raw)
  if (item) return { text: raw, item: { indent: item[1]!.length, text: item[3]!, task: item[2] !== undefined } }
  const bold = /^ {0,3}(?:\*\*|__)(.+?):?(?:\*\*|__):?\s*$/.exec(raw) ?? /^ {0,3}([A-Z][\w -]{2,60}):\s*$/.exec(raw)
  return bold ? { heading: 7, text: bold[1]!.trim() } : { text: raw }
}
