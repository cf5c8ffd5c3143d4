/** Reads what linters and type checkers complain about: file, line, words and rule. SPEC.md § VF4, VF8. */

export interface Complaint {
  /** As the linter names it; undefined if it names none. */
  file?: string
  /** Words and rule, without the place and with every number the same. */
  kind: string
  /** File, line, words and rule, for people and agents. */
  shown: string
}

/** ESLint, XO, Stylelint and tsd: below the name of the file; tsd names no rule. */
const below =
  /^(?=[✖×]|\d+:\d+\s+error\s|.*\s{2,}[\w@/-]+$)(?:[✖×]\s+)?(\d+):\d+\s+(?!\s|warning\b)(?:(?:error|[✖×])\s+)?(.*?)(?:\s{2,}([\w@/-]+))?$/
/** Biome: the place and the rule above the words. */
const heading = /^(\S+\.\w+):(\d+)(?::\d+)?\s+((?:lint|parse|format|assist)(?:\/\S+)?)\b/
/** Standard, Ruff, Flake8, mypy, golangci-lint: one line says it all. */
const oneLiner = /^(\S+\.\w+):\d+(?::\d+)?:\s+(\S.*)$/
/** The TypeScript compiler. */
const compiler = /^(\S+\.\w+)\(\d+,\d+\): (error .*)$/
/** Prettier names the file alone. */
const unformatted = /^\[(?:warn|error)\]\s*(\S+\.\w+)$/

export function complaintsIn(output: string): Complaint[] {
  const lines = output.split('\n').map((line) => line.trim())
  return lines.flatMap((line, at) => complaintAt(lines, line, at) ?? [])
}

function complaintAt(lines: readonly string[], line: string, at: number): Complaint | undefined {
  const [, row, what = '', rule] = below.exec(line) ?? []
  if (row !== undefined) {
    const file = lines
      .slice(0, at)
      .findLast((one) => /^\S+\.\w+(?::\d+)*$/.test(one))
      ?.replace(/(?::\d+)+$/, '')
    const words = `${what.trim()}${rule === undefined ? '' : ` (${rule})`}`
    return complaint(file, words, `${file === undefined ? 'line ' : `${file}:`}${row} ${words}`)
  }
  const [, named, place, name] = heading.exec(line) ?? []
  if (named !== undefined) {
    const said = lines.slice(at + 1).find((one) => /^[✖×!]\s/.test(one))
    const words = `${said === undefined ? '' : `${said.replace(/^[✖×!]\s+/, '')} `}(${name})`
    return complaint(named, words, `${named}:${place} ${words}`)
  }
  const [, file, words] = oneLiner.exec(line) ?? compiler.exec(line) ?? []
  if (file !== undefined && words !== undefined) return complaint(file, words, line)
  const [, loose] = unformatted.exec(line) ?? []
  return loose === undefined ? undefined : complaint(loose, 'not formatted', `not formatted: ${loose}`)
}

/** Of a checker whose form is unknown: the lines that name such a file, and do not say that all is well. */
export function linesAbout(output: string, isMeant: (file: string) => boolean): Complaint[] {
  const lines = output.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => !/^[✓✔]|\b(?:ok|passed|check(?:ed|ing)|lint(?:ed|ing))\b/i.test(line))
    .flatMap((line) => {
      const file = line.match(/[\w@./-]+\.\w+/g)?.find(isMeant)
      return file === undefined ? [] : [complaint(file, line, line)]
    })
}

function complaint(file: string | undefined, words: string, shown: string): Complaint {
  return { ...(file === undefined ? {} : { file }), kind: words.replace(/\d+/g, 'N'), shown }
}

/**
 * Complaints about files that the work changed, beyond those that the linter had there before: a file may keep as many of a kind
 * as it had, wherever they stand, and bring them along to another place. One that fails anyway excuses nothing else.
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
