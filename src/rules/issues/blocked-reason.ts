/** Says why an issue is blocked, attempt by attempt, and what a person can do about it. SPEC.md § IS6. */
import { refusalLine } from '../evidence/refusal-line.ts'
import { oneLine } from '../text/one-line.ts'

export interface FailedAttemptFacts {
  attempt: number
  /** The problems, the first one first, each with the id of its rule in brackets. */
  detail: string
}

/** As many causes are named; attempts that failed for the same one share it. */
const mostCauses = 3
const longestCause = 160

/** `ended` is why the build ended, in a few words. */
export function blockedReason(ended: string, failures: readonly FailedAttemptFacts[]): string {
  const causes = new Map<string, number[]>()
  for (const { attempt, detail } of failures) {
    const cause = causeIn(detail)
    causes.set(cause, [...(causes.get(cause) ?? []), attempt])
  }
  if (causes.size === 0) return ended
  const all = [...causes].map(([cause, attempts]) => `${named(attempts)}: ${cause}`)
  // The last cause is what a person has to deal with; the first say how it began.
  const shown = all.length <= mostCauses ? all : [...all.slice(0, mostCauses - 1), all.at(-1)!]
  return `${ended.replace(/\.$/, '')}. ${shown.join('; ')}.`
}

/** What a person can do about an issue that is BLOCKED or MANUAL_REQUIRED. */
export function afterBlocked(feature: string, number: number): string {
  return `repair the cause, or correct the issue and greenlight it again; then allow new attempts with \`convene unblock ${feature} --issue ${number}\` and continue with \`convene run ${feature}\``
}

function causeIn(detail: string): string {
  return oneLine(refusalLine(detail.replace(/^\[[A-Z]+\d+\] /, '')), longestCause).replace(/[.:;]$/, '')
}

/** `Attempt 2`, `Attempts 1 and 3`, `Attempts 1 to 4`. */
function named(attempts: readonly number[]): string {
  const [first, last] = [attempts[0]!, attempts.at(-1)!]
  if (attempts.length === 1) return `Attempt ${first}`
  const isRow = attempts.length > 2 && last - first === attempts.length - 1
  return isRow ? `Attempts ${first} to ${last}` : `Attempts ${attempts.slice(0, -1).join(', ')} and ${last}`
}
