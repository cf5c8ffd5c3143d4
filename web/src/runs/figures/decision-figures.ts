/** A decision and the figures behind it. Unknown kinds are shown by their plain data. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { problemText } from '../../../../src/rules/schema/problem-text.ts'
import { hundredths } from '../../ui/format.ts'
import { eventLabel } from '../view/event-label.ts'

export interface DecisionFigures {
  /** What was decided. */
  outcome: string
  /** Who or what decided: a rule, a person, an agent. */
  by: string
  because: string
  figures: { name: string; value: string }[]
}

type Data = Record<string, unknown>

export function decisionFigures(event: StoredEvent): DecisionFigures {
  const data = (event.data ?? {}) as Data
  const read = readers[event.type]
  if (!read) return { outcome: eventLabel(event), by: event.actor ?? 'rule', because: '', figures: numbersIn(data) }
  const { outcome, by = 'rule', because = '', figures = [] } = read(data, event)
  return { outcome, by, because, figures: figures.flatMap(([name, value]) => figure(name, value)) }
}

type Figure = readonly [string, unknown]
type Reading = { outcome: string; by?: string; because?: string; figures?: Figure[] }

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const list = (value: unknown) => (Array.isArray(value) ? value.map(text).join(', ') : '')

const readers: Record<string, (data: Data, event: StoredEvent) => Reading> = {
  'round.resolved': (data) => ({
    outcome: `${text(data.mode).toUpperCase()}: ${list(data.responders)}`,
    by: data.override ? 'person' : `rule ${text(data.rule)}`,
    because: text(data.reason),
    figures: [
      ...proposals(data.proposals),
      ['overlap', data.overlap],
      ...Object.entries((data.limits ?? {}) as Data).map(([name, value]) => [`limit ${name}`, value] as const),
    ],
  }),
  'session.ended': (data) => ({
    outcome: `ended after round ${text(data.round)}`,
    because: text(data.reason),
    figures: [['cap', data.cap]],
  }),
  'plan.started': (data) => ({
    outcome: `${text(data.mode)} mode, team ${text(data.preset)}`,
    because: list(data.risk_flags) ? `risks: ${list(data.risk_flags)}` : 'no risk found',
    figures: (Array.isArray(data.estimates) ? (data.estimates as Data[]) : []).map(
      ({ mode, calls }) => [`${text(mode)}, asks`, calls] as const,
    ),
  }),
  'phase.started': (data) => ({
    outcome: `${text(data.name)}: ${text(data.strategy) || 'one agent'}`,
    by: data.override ? 'configuration' : 'rule',
    because: list(data.cast),
    figures: [['pass', data.pass]],
  }),
  'specify.scored': (data) => ({
    outcome: data.passed ? 'clear enough' : `not clear enough, weakest: ${text(data.weakest)}`,
    figures: [['score', data.score], ['needed', data.threshold], ...Object.entries((data.scores ?? {}) as Data)],
  }),
  'convergence.measured': (data) => ({
    outcome: `agreement ${text(data.verdict) || 'not measured'}`,
    because: text(data.skipped),
    figures: [
      ['round', data.round],
      ['words', data.score],
      ['conclusions', data.positions],
      ['agreement ratio', data.agreement_ratio],
      ['stability', data.stability],
    ],
  }),
  'panel.tallied': (data) => ({
    outcome: `${text(data.level) || 'not scored'}, next: ${text(data.next)}`,
    by: 'panel',
    figures: [
      ['points', data.points],
      ['out of', data.outOf],
      ['answered', data.answered],
      ['members', data.members],
    ],
  }),
  'review.decided': (data) => ({
    outcome: `${text(data.outcome)}, ${text(data.action)}`,
    by: data.degraded ? 'rule, degraded' : 'rule',
    figures: (['blocking', 'carried', 'noted', 'advisory', 'overridden'] as const).map(
      (name) => [name, Array.isArray(data[name]) ? (data[name] as unknown[]).length : undefined] as const,
    ),
  }),
  'decision.recorded': (data, event) => {
    const decision = (data.decision ?? {}) as Data
    return { outcome: text(decision.decision), by: event.actor ?? 'plan', because: text(decision.rationale) }
  },
  'build.started': (data) => ({
    outcome: `${text(data.strategy)} for ${text(data.spec)}`,
    because: text(data.because),
    figures: [['attempts', data.attempts]],
  }),
  'exit.routed': (data) => ({
    outcome: `${text(data.from)} → ${list(data.to) || 'a person'}`,
    because: `${text(data.exit)}${data.capped ? `, cap: ${text(data.capped)}` : ''}`,
    figures: [['severity', (data.envelope as Data | undefined)?.severity]],
  }),
  'reply.refused': (data) => {
    const problems = Array.isArray(data.problems) ? (data.problems as Data[]) : []
    return {
      outcome: `${text(data.kind)} refused`,
      by: `rule ${problems.map(({ rule }) => text(rule)).join(', ')}`,
      because: problems
        .map(({ path, message }) => problemText({ path: text(path), message: text(message) }))
        .join('; '),
      figures: [['attempt', data.attempt]],
    }
  },
  'issue.moved': (data) => ({
    outcome: `#${text(data.issue)} ${text(data.from)} → ${text(data.to)}`,
    because: [text(data.cause).replaceAll('_', ' '), text(data.reason)].filter(Boolean).join(': '),
  }),
  'issue.sized': (data) => ({
    outcome: `#${text(data.issue)} ${data.verdict === 'split' ? 'in parts' : 'as a whole'}`,
    by: text(data.by),
    because: text(data.reason),
  }),
  'order.chosen': (data) => ({ outcome: `#${text(data.issue)} first`, by: text(data.by), because: text(data.reason) }),
  'failure.analysed': (data) => ({
    outcome: text(data.recommendation),
    by: text(data.by),
    because: text(data.diagnosis),
    figures: [['attempt', data.attempt]],
  }),
  'child.judged': (data) => ({ outcome: `${text(data.child)}: ${text(data.verdict)}`, by: 'agent' }),
  'question.answered': (data) => ({ outcome: text(data.choice) || text(data.text), by: 'person' }),
  'plan.returned': (data) => ({
    outcome: `back from phase ${text(data.from)} to ${text(data.to)}`,
    because: text(data.reason),
  }),
}

function proposals(given: unknown): Figure[] {
  return Object.entries((given ?? {}) as Record<string, { confidence?: number }>).map(
    ([agent, proposal]) => [agent, proposal?.confidence] as const,
  )
}

function numbersIn(data: Data): { name: string; value: string }[] {
  return Object.entries(data)
    .flatMap(([name, value]) => (typeof value === 'number' ? figure(name, value) : []))
    .slice(0, 6)
}

function figure(name: string, value: unknown): { name: string; value: string }[] {
  if (typeof value === 'number') return [{ name, value: Number.isInteger(value) ? String(value) : hundredths(value) }]
  return typeof value === 'string' && value !== '' ? [{ name, value }] : []
}
