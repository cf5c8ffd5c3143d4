/** Takes sections out of a Markdown document by their titles. */

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
