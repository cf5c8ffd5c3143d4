/** Counts consecutive failures per named context and says when to escalate. SPEC.md § CB. */
import { type Escalation, escalations, otherEscalation } from './escalations.ts'

interface Count {
  readonly failures: number
  readonly escalated: boolean
}

/** The breakers of a run by context; without an entry, there was no failure since the last success. */
export type Breakers = ReadonlyMap<string, Count>

export interface BreakerLimits {
  max_consecutive_failures: number
  overrides: ReadonlyMap<string, number>
}

export const defaultBreakerLimits: BreakerLimits = {
  max_consecutive_failures: 2,
  overrides: new Map([
    ['specify_gate', 3],
    ['parallel_dispatch', 1],
  ]),
}

export type FailureVerdict =
  | { kind: 'retry'; failures: number; limit: number }
  /** Reported once, by the failure that reaches the limit. */
  | { kind: 'escalate'; failures: number; limit: number; escalation: Escalation }
  /** It has escalated and not succeeded since. */
  | { kind: 'open'; failures: number; limit: number }

export function initialBreakers(): Breakers {
  return new Map()
}

export function fail(
  breakers: Breakers,
  context: string,
  limits: BreakerLimits = defaultBreakerLimits,
): { breakers: Breakers; verdict: FailureVerdict } {
  const before = breakers.get(context) ?? { failures: 0, escalated: false }
  const limit = limitOf(context, limits)
  const failures = before.failures + 1
  const escalates = !before.escalated && failures >= limit
  const after = new Map(breakers).set(context, { failures, escalated: before.escalated || escalates })
  if (escalates) {
    return { breakers: after, verdict: { kind: 'escalate', failures, limit, escalation: escalationOf(context) } }
  }
  return { breakers: after, verdict: { kind: before.escalated ? 'open' : 'retry', failures, limit } }
}

export function succeed(breakers: Breakers, context: string): Breakers {
  if (!breakers.has(context)) return breakers
  const after = new Map(breakers)
  after.delete(context)
  return after
}

/** Whether the context has escalated and not succeeded since. */
export function isOpen(breakers: Breakers, context: string): boolean {
  return breakers.get(context)?.escalated ?? false
}

export function escalationOf(context: string): Escalation {
  return escalations.get(context) ?? otherEscalation
}

/**
 * CB1: every round of questions that does not pass the gate is a failure. More rounds than the breaker's own limit are
 * allowed if the gate asks for them; a lower limit ends them earlier.
 */
export function roundsAllowed(breakerLimit: number, maxIterations: number): number {
  const own = defaultBreakerLimits.overrides.get('specify_gate')!
  return breakerLimit < own ? breakerLimit : Math.max(breakerLimit, maxIterations)
}

/** At least one attempt is always made. */
function limitOf(context: string, limits: BreakerLimits): number {
  return Math.max(1, limits.overrides.get(context) ?? limits.max_consecutive_failures)
}
