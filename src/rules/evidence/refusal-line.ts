/** A refusal in one line for a person: what does not hold and its cause, not everything that the agent gets. SPEC.md § VF8. */
import { oneLine } from '../text/one-line.ts'
import { shownBelow } from './failed-command.ts'
import { complaintsIn } from './lint-complaints.ts'
import { nothingRanLine } from './nothing-ran.ts'

const longest = 240

/** The path is said once. */
export function refusalLine(message: string, path?: string): string {
  const line = lineOf(message)
  return path === undefined || line.includes(path) ? line : `${path}: ${line}`
}

function lineOf(message: string): string {
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
  const cause = complaintsIn(excerpt)[0]?.shown ?? errorIn(excerpt) ?? nothingRanLine(excerpt)
  return cause === undefined ? undefined : oneLine(cause, longest)
}

/** A program says better why it failed than the package manager that started it. */
function errorIn(excerpt: string): string | undefined {
  const errors = excerpt
    .split('\n')
    .map((line) => line.trim().replace(ofScript, ''))
    .filter(isError)
  const own = errors.find((line) => !ofManager.test(line))
  if (own !== undefined) return own
  const relayed = errors.filter((line) => !aroundCause.test(line)).map((line) => line.replace(ofNpm, ''))
  return relayed.find(isError) ?? relayed[0] ?? errors[0]?.replace(ofNpm, '')
}

function isError(line: string): boolean {
  return mentionsError.test(line) && !onlyCounts.test(line) && !isPassing.test(line) && !isSource.test(line)
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

/** What a package manager says of a script that failed: the script itself said why. */
const ofManager =
  /^npm (?:error|ERR!|warn)|^\[?WARN(?:ING)?\b|^error \S+: Command failed|^lerna ERR!|\bcommand failed with exit code|\bELIFECYCLE\b|\bERR_PNPM_RECURSIVE|\brun failed: command\b/i

/** Where npm itself is the cause: the lines around the one that says what is wrong. */
const aroundCause =
  /^npm warn|^npm (?:error|ERR!)(?:$|\s+(?:code|errno|syscall|path|command|workspace|location|lifecycle|node|npm|os|a complete log|\/\S*debug))/i

const ofNpm = /^npm (?:error|ERR!)\s+/

/** How pnpm names the script of a package that it installs, in front of each of its lines. */
const ofScript = /^\S+ (?:preinstall|install|postinstall|prepare): +/

/** A line of the stack, or of the code that throws. */
const isSource = /^(?:at|throw|raise) /

/** A test that is about errors, and passes. */
const isPassing = /^(?:[✓✔√]|ok \d|PASS\b)|\.\.\. ok$|\bPASSED\b/

const mentionsError = /error|\bERR_PNPM_|\b(?:failed|failure|cannot|not found|exception|expected)\b/i

const onlyCounts = /^(?:[✖×] )?(?:found )?\d+ (?:errors?|warnings?|problems?)\b/i
