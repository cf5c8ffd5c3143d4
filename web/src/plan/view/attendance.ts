/** Who was meant to answer in a phase and who did, so that no incomplete result looks complete. */
import type { PhaseView, PlanView } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'
import { flagLabel } from '../../../../src/rules/plan/words/flag-words.ts'
import { joinNames } from '../../ui/format.ts'
import { phaseTitle } from './labels.ts'

export interface Absentee {
  role: string
  agent: string
  reason: string
  round: number
  /** Answered in another round; missing only from this one. */
  spokeElsewhere: boolean
}

export interface Attendance {
  answered: number
  expected: number
}

type Reviews = PlanView['reviews']

/** Null where nobody was meant to speak, or nothing is known yet. */
export function attendanceOf(phase: PhaseView, reviews: Reviews): Attendance | null {
  const counted = counts(phase, reviews)
  if (counted) return counted
  const absent = new Set(absenteesOf(phase).flatMap(({ role, spokeElsewhere }) => (spokeElsewhere ? [] : [role])))
  if (absent.size === 0) return null
  const expected = Math.max(speakersOf(phase).length, absent.size)
  return { answered: Math.max(0, expected - absent.size), expected }
}

/** The agent that synthesises the others' answers does not count as a voice. */
export const speakersOf = ({ cast }: Pick<PhaseView, 'cast'>) => cast.filter((role) => role !== 'coordinator')

export const isWhole = ({ answered, expected }: Attendance) => answered >= expected

export const attendanceLabel = ({ answered, expected }: Attendance) => `${answered} of ${expected} answered`

/** While members are still working, only the missing ones are known. */
export function turnoutLabel({ state, tally }: PhaseView, attendance: Attendance): string {
  const { answered, expected } = attendance
  return state === 'working' && !tally ? `${expected - answered} of ${expected} missing` : attendanceLabel(attendance)
}

/** Each member who did not answer, once per round, however many attempts failed. */
export function absenteesOf({ missing, outputs, votes }: PhaseView): Absentee[] {
  const spoke = new Set([
    ...outputs.filter(({ empty }) => !empty).map(({ role, round }) => `${role} ${round}`),
    ...votes.map(({ member, round }) => `${member} ${round}`),
  ])
  const roles = new Set([
    ...outputs.flatMap(({ role, empty }) => (empty ? [] : [role])),
    ...votes.map(({ member }) => member),
  ])
  const found = new Map<string, Absentee>()
  for (const { role, agent, reason, round } of missing) {
    const key = `${role} ${round}`
    if (!spoke.has(key)) found.set(key, { role, agent, reason, round, spokeElsewhere: roles.has(role) })
  }
  return [...found.values()]
}

export interface Shortfall {
  phase: PhaseId
  /** "2 of 3 answered; researcher-risk is missing", "its synthesis is missing". */
  words: string[]
}

/** What is missing from a plan, phase by phase. */
export function shortfallsOf(view: Pick<PlanView, 'phases' | 'reviews'>): Shortfall[] {
  return view.phases.flatMap((phase) => {
    const words = shortfallLabel(phase, view.reviews)
    return words.length > 0 ? [{ phase: phase.id, words }] : []
  })
}

export function shortfallLabel(phase: PhaseView, reviews: Reviews): string[] {
  // A pass that was sent back no longer counts.
  if (phase.state === 'to-come') return []
  const attendance = attendanceOf(phase, reviews)
  const absent = absenteesOf(phase)
  const gone = [...new Set(absent.flatMap(({ role, spokeElsewhere }) => (spokeElsewhere ? [] : [role])))]
  const partly = absent.filter(({ spokeElsewhere }) => spokeElsewhere)
  const flags = phase.summary?.flags ?? []
  const words = [
    attendance && !isWhole(attendance)
      ? `${turnoutLabel(phase, attendance)}${gone.length > 0 ? `; ${joinNames(gone)} ${gone.length === 1 ? 'is' : 'are'} missing` : ''}`
      : '',
    ...partly.map(({ role, round }) => `${role} is missing from round ${round}`),
    phase.state === 'skipped' ? 'skipped' : '',
    ...flags.filter((flag) => shortfallFlags.has(flag)).map(flagLabel),
  ].filter(Boolean)
  if (words.length > 0 || !flags.includes('degraded')) return words
  return [flagLabel('degraded')]
}

export const phaseShortfall = ({ phase, words }: Shortfall) => `${phaseTitle(phase)}: ${words.join('; ')}`

/** Flags that say what is missing; `degraded` alone says only that something is. */
const shortfallFlags = new Set([
  'assets_missing',
  'consensus_skipped',
  'contradictions_missing',
  'debate_incomplete',
  'deep_thinking_skipped',
  'issues_by_rule',
  'red_team_given_up',
  'research_degraded',
  'review_skipped',
  'round_two_incomplete',
  'run_again_alone',
  'specify_unscored',
  'summary_rebuilt',
  'synthesis_missing',
])

function counts(phase: PhaseView, reviews: Reviews): Attendance | null {
  if (phase.tally) return { answered: phase.tally.answered, expected: phase.tally.members }
  const told = /^(\d+) of (\d+)$/.exec(phase.summary?.answered ?? '')
  if (told) return { answered: Number(told[1]), expected: Number(told[2]) }
  const review = phase.id === '6b' && phase.state !== 'to-come' ? reviews.at(-1) : undefined
  return review ? { answered: review.answered, expected: review.reviewers } : null
}
