/** Reads what linters and type checkers complain about: file, line, words and rule. SPEC.md § VF4, VF8. */

export interface Complaint {
  /** As the linter names it; undefined if it names none. */
  file?: string
  /** Words and rule, without the place and with every number the same. */
  kind: string
  /** File, line, words and rule, for people and agents. */
  shown: string
}

/** ESLint, XO, Stylelint, tsd and eclint, below the name of the file: `3:5  error  Missing semicolon  semi`; the last two name no rule. */
const below = /^([✖×]\s+)?0*(\d+):\d+\s+(?!\s|warning\b)(?:(error|[✖×❌])\s+)?/u
const fileName = /^\S+\.\w+(?::\d+)*$/
/** Biome: the place and the rule above the words. */
const heading = /^(\S+\.\w+):(\d+)(?::\d+)?\s+((?:lint|parse|format|assist)(?:\/\S+)?)\b/
/** Standard, Ruff, Flake8, mypy, golangci-lint: one line says it all. */
const oneLiner = /^(\S+\.\w+):\d+(?::\d+)?:\s+(\S.*)$/
/** The TypeScript compiler. */
const compiler = /^(\S+\.\w+)\(\d+,\d+\): (error .*)$/
/** Prettier names the file alone, and oxfmt how long it took. */
const unformatted = /^(?:\[(?:warn|error)\]\s*(\S+\.\w+)|(\S+\.\w+) \(\d+m?s\))$/

const mostComplaints = 1000
/** Longer lines are source code that a linter prints, such as a minified file. */
const longestLine = 1000
/** Within so many lines, Biome says in words what the heading is about. */
const wordsWithin = 20

/** Linear in the output, which agents influence. */
export function complaintsIn(output: string, most = mostComplaints): Complaint[] {
  const lines = output.split('\n')
  const found: Complaint[] = []
  let file: string | undefined
  for (let at = 0; at < lines.length && found.length < most; at++) {
    const line = lines[at]!.trim()
    if (line.length > longestLine) continue
    if (fileName.test(line)) file = line.replace(/(?::\d+)+$/, '')
    const one = complaintBelow(line, file) ?? complaintUnder(line, lines, at) ?? complaintInLine(line)
    if (one) found.push(one)
  }
  return found
}

function complaintBelow(line: string, file: string | undefined): Complaint | undefined {
  const [start = '', mark, row, level] = below.exec(line) ?? []
  if (row === undefined) return undefined
  const rest = line.slice(start.length)
  const gap = rest.lastIndexOf('  ')
  const last = rest.slice(gap + 2)
  const rule = gap > 0 && /^[\w@/-]+$/.test(last) ? last : undefined
  // Without any of these it is a time of day, or a line of source code.
  if (mark === undefined && level === undefined && rule === undefined) return undefined
  const words = rule === undefined ? rest : `${rest.slice(0, gap).trim()} (${rule})`
  return complaint(file, words, `${file === undefined ? 'line ' : `${file}:`}${row} ${words}`)
}

function complaintUnder(line: string, lines: readonly string[], at: number): Complaint | undefined {
  const [, file, row, rule] = heading.exec(line) ?? []
  if (file === undefined) return undefined
  const said = lines.slice(at + 1, at + 1 + wordsWithin).find((one) => /^\s*[✖×!]\s/.test(one))
  const words = `${said === undefined ? '' : `${said.trim().replace(/^[✖×!]\s+/, '')} `}(${rule})`
  return complaint(file, words, `${file}:${row} ${words}`)
}

function complaintInLine(line: string): Complaint | undefined {
  const [, file, words] = oneLiner.exec(line) ?? compiler.exec(line) ?? []
  if (file !== undefined && words !== undefined) return complaint(file, words, line)
  const [, warned, timed] = unformatted.exec(line) ?? []
  const loose = warned ?? timed
  return loose === undefined ? undefined : complaint(loose, 'not formatted', `not formatted: ${loose}`)
}

/** Of a checker whose form is unknown: the lines that name such a file, and do not say that all is well. */
export function linesAbout(output: string, isMeant: (file: string) => boolean): Complaint[] {
  const lines = output.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => !/^[✓✔]|\b(?:ok|passed|check(?:ed|ing)|lint(?:ed|ing))\b/i.test(line))
    .flatMap((line) => {
      if (line.length > longestLine) return []
      const file = line.match(/[\w@./-]+\.\w+/g)?.find(isMeant)
      return file === undefined ? [] : [complaint(file, line, line)]
    })
}

function complaint(file: string | undefined, words: string, shown: string): Complaint {
  return { ...(file === undefined ? {} : { file }), kind: words.replace(/\d+/g, 'N'), shown }
}

/**
 * Complaints about files that the work changed, beyond those that the linter had there before: a file may keep as many of a kind
 * as it had, wherever they stand, and bring them along to another place. A failing linter excuses only what it already reported.
 */
export function newComplaints(
  after: readonly Complaint[],
  before: readonly Complaint[],
  isChanged: (file: string) => boolean,
): Complaint[] {
  const shown = new Set(before.map((one) => one.shown))
  const count = (all: readonly Complaint[], { kind }: Complaint, file?: string) =>
    all.filter((one) => one.kind === kind && (file === undefined || one.file === file)).length
  const isNew = (one: Complaint) =>
    one.file !== undefined &&
    isChanged(one.file) &&
    !shown.has(one.shown) &&
    count(after, one, one.file) > count(before, one, one.file) &&
    count(after, one) > count(before, one)
  return after.filter(isNew)
}
