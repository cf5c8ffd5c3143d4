/** Parses lists of tests with ✓ and ✗, as many runners print them. Gives outcomes, not reasons. */
import { emptyReport, joined, type TestReport, withoutColours } from './test-report.ts'

const entry = /^( *)(✓|✔|√|✗|✘|✖|×|\d+\))\s+(.+?)(?:\s+\(?\d+(?:\.\d+)?\s?m?s\)?)?$/
const group = /^( *)(?:▶ )?(\S.*)$/

export function isMarked(text: string): boolean {
  return withoutColours(text)
    .split('\n')
    .some((line) => /^ *[✓✔√✗✘✖×]\s+\S/.test(line) && !isLinterSummary(line))
}

/** eslint ends with `✖ 2 problems (1 error, 1 warning)`. */
function isLinterSummary(line: string): boolean {
  return /^\s*✖ \d+ (?:problems?|errors?|warnings?)(?: \(|$)/.test(line)
}

export function readMarked(text: string): TestReport {
  const report: TestReport = { ...emptyReport(), isScraped: true }
  const groups: { indent: number; title: string }[] = []
  const pop = (indent: number) => {
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop()
  }
  for (const line of withoutColours(text).split('\n')) {
    // Below these, the same tests are listed again.
    if (/^\s*\d+ (?:passing|failing|pending)\b|^\s*✖ failing tests:/.test(line)) break
    if (line.trim() === '') groups.length = 0
    const match = isLinterSummary(line) ? null : entry.exec(line)
    if (match) {
      const [, spaces = '', mark = '', title = ''] = match
      const isEndOfGroup = groups.some((each) => each.indent === spaces.length && each.title === title)
      pop(spaces.length)
      if (isEndOfGroup) continue
      const state = /[✓✔√]/.test(mark) ? 'passed' : 'failed'
      report.tests.push({
        name: title,
        fullName: joined(
          groups.map((each) => each.title),
          title,
        ),
        state,
      })
      continue
    }
    const heading = group.exec(line)
    if (!heading) continue
    pop(heading[1]!.length)
    groups.push({ indent: heading[1]!.length, title: heading[2]!.replace(/\s+\(\d+(?:\.\d+)?m?s\)$/, '') })
  }
  return report
}
