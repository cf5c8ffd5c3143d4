/** A refusal in one line for a person: what does not hold and its cause, not everything that the agent gets. SPEC.md § VF8. */
import { oneLine } from '../text/one-line.ts'
import { shownBelow } from './failed-command.ts'

const longest = 240

export function refusalLine(message: string): string {
  const [first = '', ...rest] = message.split('\n')
  if (!first.trimEnd().endsWith(':')) return first
  const cause = causeIn(rest)
  if (cause === undefined) return oneLine(first.trimEnd().replace(/:$/, ''), longest)
  return oneLine(`${withoutNamed(first, cause)} ${cause}`, longest)
}

/** The names of failing tests in front of a cause that begins with one of them are said once. */
function withoutNamed(first: string, cause: string): string {
  const [all = '', names = ''] = / \((.+)\)(?=:$)/.exec(first.trimEnd()) ?? []
  return names !== '' && !names.includes(', ') && cause.startsWith(names) ? first.replace(all, '') : first
}

/** The line of an excerpt that shows the cause; undefined if none looks like it. */
export function causeOf(excerpt: string): string | undefined {
  const lines = excerpt.split('\n').map((line) => line.trim())
  const isError = (line: string) => mentionsError.test(line) && !onlyCounts.test(line) && !isPassing.test(line)
  const cause = complaintIn(lines) ?? lines.find(isError)
  return cause === undefined ? undefined : oneLine(cause, longest)
}

/** The first failing test with its message, else the first line that names an error, else the command and its exit code. */
function causeIn(lines: readonly string[]): string | undefined {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '' && line !== '```')
  const [output, tests] = [said.indexOf(shownBelow), said.indexOf('Failing tests:')]
  // A linter's words stand before the tests that fail beside it.
  const isLintFirst = output !== -1 && output < tests
  const failing = said[tests + 1]
  if (tests !== -1 && failing && !isLintFirst) return failing.replace(/^- /, '')
  return causeOf(said.slice(output + 1, isLintFirst ? tests : undefined).join('\n')) ?? said[0]
}

/** A test that is about errors, and passes. */
const isPassing = /^(?:[✓✔√]|ok \d|PASS\b)|\.\.\. ok$|\bPASSED\b/

const mentionsError = /error|\b(?:failed|failure|cannot|not found|exception|expected)\b/i

const onlyCounts = /^(?:[✖×] )?(?:found )?\d+ (?:errors?|warnings?|problems?)\b/i

/** The first complaint of a linter: file, line, words and rule. */
function complaintIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => complaints.some((one) => one.test(line)))
  const line = lines[at]
  if (line === undefined) return undefined
  const [, row, what = '', rule] = below.exec(line) ?? []
  if (row !== undefined) {
    const file = lines.slice(0, at).findLast((one) => /^\S+\.\w+(?::\d+)*$/.test(one))
    return `${file === undefined ? 'line ' : `${file.replace(/(?::\d+)+$/, '')}:`}${row} ${what.trim()}${rule === undefined ? '' : ` (${rule})`}`
  }
  const [, place, name] = heading.exec(line) ?? []
  if (place === undefined) return line.replace(/^\[(?:warn|error)\]\s*(?=\S+\.\w+$)/, 'not formatted: ')
  const words = lines.slice(at + 1).find((one) => /^[✖×!]\s/.test(one))
  return `${place}${words === undefined ? '' : ` ${words.replace(/^[✖×!]\s+/, '')}`} (${name})`
}

/** ESLint, XO, Stylelint and tsd: below the name of the file; tsd names no rule. */
const below =
  /^(?=[✖×]|\d+:\d+\s+error\s|.*\s{2,}[\w@/-]+$)(?:[✖×]\s+)?(\d+):\d+\s+(?!\s|warning\b)(?:(?:error|[✖×])\s+)?(.*?)(?:\s{2,}([\w@/-]+))?$/
/** Biome: the place and the rule above the words. */
const heading = /^(\S+\.\w+:\d+)(?::\d+)?\s+((?:lint|parse|format|assist)(?:\/\S+)?)\b/
const complaints = [
  below,
  heading,
  // Standard, Ruff, Flake8, mypy, golangci-lint: one line says it all.
  /^\S+\.\w+:\d+(?::\d+)?:\s+\S/,
  // Prettier names the file alone.
  /^\[(?:warn|error)\]\s*\S+\.\w+$/,
]
