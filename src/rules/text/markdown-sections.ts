/** Takes sections out of a Markdown document, or replaces them, by their titles. */

/** Removes each second-level section with one of these titles, up to the next heading of its level or above. Ignores headings inside fences. */
export function withoutSections(text: string, titles: readonly string[]): string {
  const left: string[] = []
  let isSkipped = false
  for (const { line, heading } of headedLines(text)) {
    if (heading && heading.level <= 2) isSkipped = heading.level === 2 && titles.includes(heading.title)
    if (!isSkipped) left.push(line)
  }
  return left.join('\n').trim()
}

/** What stands under the first heading with this title, up to the next one of its level or above; empty if there is none. */
export function sectionUnder(text: string, title: string): string {
  const lines = headedLines(text)
  const at = lines.findIndex(({ heading }) => heading !== undefined && sameTitle(heading.title, title))
  if (at === -1) return ''
  const { level } = lines[at]!.heading!
  const next = lines.findIndex(({ heading }, index) => index > at && heading !== undefined && heading.level <= level)
  return lines
    .slice(at + 1, next === -1 ? undefined : next)
    .map(({ line }) => line)
    .join('\n')
    .trim()
}

/**
 * Replaces the section under this heading, subsections included, and keeps its level. A heading that the document does not
 * have becomes a new section before the first one of `before`, or at the end.
 */
export function withSection(
  text: string,
  { heading: title, text: body }: { heading: string; text: string },
  before: readonly string[] = [],
): string {
  const lines = headedLines(text)
  const at = lines.findIndex(({ heading }) => heading !== undefined && sameTitle(heading.title, title))
  const own = headedLines(body.trim())
  // Agents often repeat the heading as the first line of its section.
  const content = own[0]?.heading && sameTitle(own[0].heading.title, title) ? own.slice(1) : own
  const written = content
    .map(({ line }) => line)
    .join('\n')
    .trim()
  const join = (parts: readonly string[]) =>
    parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n\n')
  const textOf = (part: readonly HeadedLine[]) => part.map(({ line }) => line).join('\n')
  if (at === -1) {
    const end = lines.findIndex(({ heading }) => heading?.level === 2 && before.includes(heading.title))
    const place = end === -1 ? lines.length : end
    const added = `## ${plainTitle(title)}\n\n${written}`
    return join([textOf(lines.slice(0, place)), added, textOf(lines.slice(place))])
  }
  const { level } = lines[at]!.heading!
  const next = lines.findIndex(({ heading }, index) => index > at && heading !== undefined && heading.level <= level)
  const rest = next === -1 ? [] : lines.slice(next)
  return join([textOf(lines.slice(0, at)), `${lines[at]!.line}\n\n${written}`, textOf(rest)])
}

/** Makes every heading a fourth-level one: a quoted document stays inside the section that quotes it. */
export function lowerHeadings(text: string): string {
  return headedLines(text.trim())
    .map(({ line, heading }) => (heading ? `#### ${heading.title}` : line))
    .join('\n')
}

function sameTitle(one: string, other: string): boolean {
  return plainTitle(one).toLowerCase() === plainTitle(other).toLowerCase()
}

function plainTitle(title: string): string {
  return title
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

interface HeadedLine {
  line: string
  heading?: { level: number; title: string }
}

function headedLines(text: string): HeadedLine[] {
  let fence: string | null = null
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (mark) {
      if (fence === null) fence = mark[1]!
      else if (mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null
    }
    const heading = fence === null ? /^(#{1,6})\s+(.*?)\s*$/.exec(line) : null
    return heading ? { line, heading: { level: heading[1]!.length, title: heading[2]! } } : { line }
  })
}
