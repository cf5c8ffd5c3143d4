/** Labels and tones for plans and phases. */
import type { PhaseState, PhaseView, PlanStatus } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'
import { phaseById } from '../../../../src/rules/plan/phase-table.ts'
import type { Strategy } from '../../../../src/rules/plan/strategy-table.ts'
import type { Tone } from '../../ui/chip.tsx'
import { capitalised } from '../../ui/format.ts'

export const statusLabel: Record<PlanStatus, { word: string; tone: Tone }> = {
  running: { word: 'planning', tone: 'live' },
  waiting: { word: 'waiting for you', tone: 'warn' },
  stopped: { word: 'stopped', tone: 'plain' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
}

/** A plan that ended with something missing is done, but degraded. */
export function endLabel(status: PlanStatus, degraded: boolean): { word: string; tone: Tone } {
  const words = statusLabel[status]
  return degraded && status === 'done' ? { word: 'done, degraded', tone: 'warn' } : words
}

export const isOver = (status: PlanStatus) => status === 'stopped' || status === 'done' || status === 'failed'

export const phaseTitle = (id: PhaseId) => capitalised(phaseById(id).name)

export const strategyLabel: Record<Strategy, string> = {
  quick: 'independent',
  perspectives: 'perspectives',
  red_team: 'red team',
}

const states: Record<PhaseState, { word: string; tone: Tone }> = {
  'to-come': { word: 'pending', tone: 'plain' },
  working: { word: 'working', tone: 'live' },
  question: { word: 'needs your answer', tone: 'warn' },
  done: { word: 'done', tone: 'ok' },
  degraded: { word: 'degraded', tone: 'warn' },
  skipped: { word: 'skipped', tone: 'warn' },
}

/** A phase that was working when the plan ended or stopped is not finished. */
export function stateLabel(
  { state, pass }: Pick<PhaseView, 'state' | 'pass'>,
  over: boolean,
): { word: string; tone: Tone } {
  if (state === 'working' && over) return { word: 'not finished', tone: 'plain' }
  if (state === 'to-come' && over) return { word: 'not reached', tone: 'plain' }
  if (state === 'to-come' && pass > 0) return { word: 'will be redone', tone: 'warn' }
  return states[state]
}

export const levelTones: Record<'GREEN' | 'YELLOW' | 'RED', Tone> = { GREEN: 'ok', YELLOW: 'warn', RED: 'bad' }

export const outcomeLabel: Record<string, { word: string; tone: Tone }> = {
  pass: { word: 'passed', tone: 'ok' },
  pass_with_risk: { word: 'passed, with risks carried', tone: 'warn' },
  fail: { word: 'critical findings', tone: 'bad' },
}

export const verdictTones: Record<string, Tone> = { high: 'ok', medium: 'warn', low: 'bad', ambiguous: 'warn' }

export const percent = (points: number, outOf: number) => (outOf > 0 ? `${Math.round((points / outOf) * 100)} %` : '')
