/** A refusal in one line for a person: what does not hold and its cause, not everything that the agent gets. SPEC.md § VF8. */
import { oneLine } from '../text/one-line.ts'

const longest = 240

export function refusalLine(message: string): string {
  const [first = '', ...rest] = message.split('\n')
  if (!first.trimEnd().endsWith(':')) return first
  const cause = causeIn(rest)
  return oneLine(cause === undefined ? first.trimEnd().replace(/:$/, '') : `${first} ${cause}`, longest)
}

/** The first failing test with its message, else the first line that names an error, else the command and its exit code. */
function causeIn(lines: readonly string[]): string | undefined {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '' && line !== '```')
  const failing = said[said.indexOf('Failing tests:') + 1]
  if (said.includes('Failing tests:') && failing) return failing.replace(/^- /, '')
  const shown = said.slice(said.indexOf('Output around the first error:') + 1)
  const complaint = complaintIn(shown)
  if (complaint !== undefined) return complaint
  const error = shown.find(
    (line) => /error|\b(?:failed|failure|cannot|not found|exception|expected)\b/i.test(line) && !onlyCounts.test(line),
  )
  return error ?? said[0]
}

const onlyCounts = /^(?:[✖×] )?(?:found )?\d+ (?:errors?|warnings?|problems?)\b/i

/** The first complaint of a linter that names the file above its lines, as ESLint, XO and Stylelint do. */
function complaintIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => complaint.test(line))
  const [, line, what = '', rule] = complaint.exec(lines[at] ?? '') ?? []
  if (line === undefined) return undefined
  const file = lines.slice(0, at).findLast((one) => /^\S+\.\w+(?::\d+)*$/.test(one))
  return `${file === undefined ? 'line ' : `${file.replace(/(?::\d+)+$/, '')}:`}${line} ${what.trim()} (${rule})`
}

const complaint = /^(?:[✖×]\s+)?(\d+):\d+\s+(?:(?:error|[✖×])\s+)?(.*?)\s{2,}([\w@/-]+)$/
