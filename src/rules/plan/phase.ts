/** Decides which phases run, in what order, and where a plan goes after a rubric or a restart. SPEC.md § PH. */
import type { FlagSet } from './feature-flags.ts'
import type { Mode } from './mode.ts'
import { type PhaseId, parallelPairs, phaseById, phaseIds, phases, redTargets } from './phase-table.ts'

export interface PhaseLimits {
  /** Percent of the rubric's points. */
  green: number
  yellow: number
  /** How often a RED may send the plan back before the user is asked. */
  max_returns: number
}

export const defaultPhaseLimits: PhaseLimits = { green: 80, yellow: 60, max_returns: 2 }

/** PH1: the phases of a mode, in order. Without expert review there is no 6b. */
export function phasesOf(mode: Mode, flags: FlagSet): PhaseId[] {
  return phases
    .filter((phase) => phase.modes.includes(mode))
    .filter((phase) => phase.id !== '6b' || flags.has('a4_expert_review'))
    .map((phase) => phase.id)
}

/** PH1: the same phases as steps; the phases of one step may run at once. */
export function phaseSteps(mode: Mode, flags: FlagSet): PhaseId[][] {
  const order = phasesOf(mode, flags)
  const pairs = flags.has('s11_parallel_dispatch') ? parallelPairs : []
  const followers = new Map(pairs.filter((pair) => pair.every((id) => order.includes(id))))
  const paired = new Set(followers.values())
  return order.filter((id) => !paired.has(id)).map((id) => (followers.has(id) ? [id, followers.get(id)!] : [id]))
}

/** PH1: the rounds of phase 6's panel; in complete mode it debates. */
export function validationRounds(mode: Mode): number {
  return mode === 'complete' ? 3 : 1
}

/** What is left of a phase after a restart, judging by its files. */
export interface PhaseTraces {
  summaries: ReadonlySet<PhaseId>
  artefacts: ReadonlySet<PhaseId>
}

export type Resumption =
  | { kind: 'run'; phases: PhaseId[] }
  /** Only the summary is lost: rebuild it from the artefact, flagged. */
  | { kind: 'rebuild'; phase: PhaseId; flags: ['summary_rebuilt'] }
  | { kind: 'done' }

/** PH5: a plan resumes at the first phase without a summary. */
export function resumeAt(mode: Mode, flags: FlagSet, traces: PhaseTraces): Resumption {
  for (const step of phaseSteps(mode, flags)) {
    const missing = step.filter((id) => !traces.summaries.has(id))
    const lost = missing.find((id) => traces.artefacts.has(id))
    if (lost) return { kind: 'rebuild', phase: lost, flags: ['summary_rebuilt'] }
    if (missing.length > 0) return { kind: 'run', phases: missing }
  }
  return { kind: 'done' }
}

export type RubricLevel = 'GREEN' | 'YELLOW' | 'RED'

/** PH4. Compared in whole millionths: in floats, 2.4 of 3 points is less than 80 %. */
export function rubricLevel(points: number, outOf: number, limits: PhaseLimits = defaultPhaseLimits): RubricLevel {
  if (!(outOf > 0)) return 'RED'
  const percent = Math.round((points / outOf) * 100_000_000) / 1_000_000
  if (percent >= limits.green) return 'GREEN'
  if (percent >= limits.yellow) return 'YELLOW'
  return 'RED'
}

export interface Ballot {
  member: string
  points: number
  outOf: number
}

export type PanelVerdict =
  | { kind: 'scored'; level: RubricLevel; percent: number; missing: string[]; flags: string[] }
  /** Nobody scored: there is no level, and the plan continues without one. */
  | { kind: 'skipped'; missing: string[]; flags: string[] }

/**
 * PH4: the mean of the members' percentages, so that a larger scale weighs no more. A member who did not score is named
 * and not counted.
 */
export function tallyPanel(
  members: readonly string[],
  ballots: readonly Ballot[],
  limits: PhaseLimits = defaultPhaseLimits,
): PanelVerdict {
  const counted = firstBallots(members, ballots)
  const missing = members.filter((member) => !counted.has(member))
  if (counted.size === 0) return { kind: 'skipped', missing, flags: ['degraded', 'consensus_skipped'] }

  const shares = [...counted.values()].map(({ points, outOf }) => points / outOf)
  const level = rubricLevel(sum(shares), shares.length, limits)
  const percent = Math.round((sum(shares) / shares.length) * 10_000) / 100
  const flags = [...(missing.length > 0 ? ['degraded'] : []), ...(level === 'YELLOW' ? ['rubric_yellow'] : [])]
  return { kind: 'scored', level, percent, missing, flags }
}

/** A member's objection. */
export interface Objection {
  member: string
  text: string
}

/** PH4: whether objections have to be compared: only after GREEN, and if two members have one. */
export function needsComparing(level: RubricLevel, objections: readonly Objection[]): boolean {
  return level === 'GREEN' && new Set(objections.map(({ member }) => member)).size > 1
}

/**
 * PH4: GREEN does not hold against a gap that two members name. Returns the shared objection in the words of the first;
 * `same` groups the objections that mean the same.
 */
export function sharedGap(same: readonly (readonly Objection[])[]): Objection | null {
  const shared = same.find((group) => new Set(group.map(({ member }) => member)).size > 1)
  return shared?.[0] ?? null
}

export type AfterRubric =
  | { kind: 'proceed'; flags: string[] }
  /** Back to an earlier phase; the summaries and artefacts of these phases are void. */
  | { kind: 'return'; to: PhaseId; rerun: PhaseId[] }
  | { kind: 'ask_user'; reason: string }

/** PH4: what follows a rubric. `returns` counts how often this phase has sent the plan back. */
export function afterRubric(
  phase: PhaseId,
  level: RubricLevel,
  returns: number,
  steps: readonly PhaseId[][],
  limits: PhaseLimits = defaultPhaseLimits,
): AfterRubric {
  if (level === 'GREEN') return { kind: 'proceed', flags: [] }
  if (level === 'YELLOW') return { kind: 'proceed', flags: ['rubric_yellow'] }
  const to = redTargets.get(phase)
  if (!to) return { kind: 'ask_user', reason: `Phase ${phase} scored RED, and there is no phase to go back to` }
  if (returns >= limits.max_returns) {
    return { kind: 'ask_user', reason: `Phase ${phase} is still RED after going back to phase ${to} ${returns} times` }
  }
  return { kind: 'return', to, rerun: phasesToRerun(to, phase, steps) }
}

/** PH4: from one phase to the end of another's step, because a phase that ran beside it read void results too. */
export function phasesToRerun(from: PhaseId, to: PhaseId, steps: readonly PhaseId[][]): PhaseId[] {
  const last = steps.findIndex((step) => step.includes(to))
  const reach = steps.slice(0, last + 1).flat()
  return reach.filter((id) => phaseIds.indexOf(id) >= phaseIds.indexOf(from))
}

/** PH5: the phases that depend on these, directly or indirectly; in order, without these. */
export function phasesRestingOn(changed: readonly PhaseId[]): PhaseId[] {
  const resting: PhaseId[] = []
  for (const { id, reads } of phases) {
    if (changed.includes(id)) continue
    const stale = [...changed, ...resting].filter((one) => phaseIds.indexOf(one) < phaseIds.indexOf(id))
    const written = stale.flatMap((one) => [phaseById(one).artefact, ...phaseById(one).alsoWrites])
    const isStale =
      reads.summaries.some((one) => stale.includes(one)) || reads.artefacts.some((file) => written.includes(file))
    if (isStale) resting.push(id)
  }
  return resting
}

/** Each member's first valid ballot; ballots of non-members do not count. */
function firstBallots(members: readonly string[], ballots: readonly Ballot[]): Map<string, Ballot> {
  const counted = new Map<string, Ballot>()
  for (const ballot of ballots) {
    const readable = Number.isFinite(ballot.points) && ballot.outOf > 0 && Number.isFinite(ballot.outOf)
    if (!readable || !members.includes(ballot.member) || counted.has(ballot.member)) continue
    counted.set(ballot.member, { ...ballot, points: Math.min(Math.max(ballot.points, 0), ballot.outOf) })
  }
  return counted
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
