/** What the board shows of each phase, including phases the mode skips. */
import type { PhaseState, PlanView } from '../../../../src/plan/view.ts'
import { type PhaseId, phaseIds } from '../../../../src/rules/plan/phase-table.ts'
import type { Tone } from '../../ui/chip.tsx'
import { plural } from '../../ui/format.ts'
import { attendanceOf, isWhole, speakersOf, turnoutLabel } from './attendance.ts'
import { percent, phaseTitle, stateLabel, strategyLabel } from './labels.ts'

export interface PhaseCard {
  id: PhaseId
  title: string
  state: PhaseState | 'left-out'
  tone: Tone
  /** Its status or outcome, always including what is missing. */
  words: string
  pass: number
  /** How they work together, and how many of them. */
  team: string
  cast: readonly string[]
  /** Runs at the same time as these. */
  beside: readonly PhaseId[]
}

type Shown = Pick<PlanView, 'phases' | 'steps' | 'specify' | 'reviews' | 'contradictions'>

export function cardsOf(view: Shown, over: boolean): PhaseCard[] {
  return phaseIds.map((id) => cardOf(view, id, over))
}

function cardOf(view: Shown, id: PhaseId, over: boolean): PhaseCard {
  const base = { id, title: phaseTitle(id) }
  const phase = view.phases.find((one) => one.id === id)
  if (!phase)
    return {
      ...base,
      state: 'left-out',
      tone: 'plain',
      words: 'skipped in this mode',
      pass: 0,
      team: '',
      cast: [],
      beside: [],
    }
  const { word, tone } = stateLabel(phase, over)
  const attendance = phase.state === 'to-come' ? null : attendanceOf(phase, view.reviews)
  const lacks = attendance !== null && !isWhole(attendance)
  const ended = phase.state === 'done' || phase.state === 'degraded'
  const outcome = ended ? outcomeOf(view, id, lacks) : ''
  const said = lacks ? turnoutLabel(phase, attendance) : ''
  const size = speakersOf(phase).length
  const together = phase.strategy ? strategyLabel[phase.strategy] : ''
  return {
    ...base,
    state: phase.state,
    tone: tone === 'ok' && (lacks || isPoor(view, id)) ? 'warn' : tone,
    words: [phase.state === 'done' && outcome ? '' : word, outcome, said].filter(Boolean).join(' · '),
    pass: phase.pass,
    team: size === 0 ? together : together ? `${size} ${together}` : `panel of ${size}`,
    cast: phase.cast,
    beside: view.steps.find((step) => step.includes(id))?.filter((one) => one !== id) ?? [],
  }
}

/** A score is shown even if members are missing; the agreement of the rest is not. */
function outcomeOf(view: Shown, id: PhaseId, lacks: boolean): string {
  const { phases, specify, reviews } = view
  const phase = phases.find((one) => one.id === id)!
  if (id === '3') return specify.length > 0 ? `${specify.at(-1)!.score} of 10` : ''
  if (phase.tally) {
    const { level, points, outOf } = phase.tally
    return level === null ? 'no score' : `${level} ${percent(points, outOf)}`
  }
  const open = openIn(view, id)
  if (open > 0) return `${plural(open, 'contradiction')} open`
  if (id === '6b')
    return { pass: 'passed', pass_with_risk: 'with risks', fail: 'failed' }[reviews.at(-1)?.outcome ?? 'pass']
  const verdict = lacks ? null : phase.convergence.at(-1)?.verdict
  return verdict ? `${verdict} agreement` : ''
}

/** Done with a poor result, so the card is not green. */
function isPoor(view: Shown, id: PhaseId): boolean {
  const { phases, specify, reviews } = view
  if (openIn(view, id) > 0) return true
  if (id === '3') return specify.at(-1)?.passed === false
  if (id === '6b') return (reviews.at(-1)?.outcome ?? 'pass') !== 'pass'
  const level = phases.find((one) => one.id === id)?.tally?.level
  return level === 'YELLOW' || level === 'RED'
}

function openIn({ contradictions }: Shown, id: PhaseId): number {
  return contradictions.filter(({ phase, end }) => phase === id && end === 'open').length
}
