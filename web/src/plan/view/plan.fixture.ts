/** Plans made of events, for tests. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { foldEvents } from '../../../../src/kernel/fold.ts'
import { type PlanView, planView } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'

export const planId = 'plan-1'

export interface Fact {
  type: string
  data: Record<string, unknown>
}

export function viewOf(...facts: Fact[]): PlanView {
  const events = facts.map(
    ({ type, data }, index): StoredEvent => ({
      seq: index + 1,
      id: `e${index + 1}`,
      ts: new Date(Date.UTC(2030, 0, 1, 0, 0, index)).toISOString(),
      type,
      version: 1,
      stream: 'plan:search-1',
      run: planId,
      feature: 'search',
      data,
    }),
  )
  return foldEvents(planView(planId), events)
}

const standard: PhaseId[][] = [['1'], ['2'], ['3'], ['4'], ['6'], ['6b'], ['7'], ['8'], ['9']]

export const started = (steps: PhaseId[][] = standard): Fact => ({
  type: 'plan.started',
  data: {
    plan: 'search-1',
    goal: 'Search is quick',
    mode: 'standard',
    preset: 'balanced',
    flags: [],
    risk_flags: [],
    suggestion: null,
    estimates: [{ mode: 'standard', calls: 20, tokens: 100_000, cost: 1.5 }],
    steps,
    agents: ['claude'],
    rehearsal: true,
    warnings: [],
  },
})

export const begun = (phase: PhaseId, cast: string[] = [], pass = 1): Fact => ({
  type: 'phase.started',
  data: {
    phase,
    name: 'a phase',
    pass,
    strategy: cast.length > 0 && !['6', '8'].includes(phase) ? 'quick' : null,
    cast,
  },
})

export const said = (phase: PhaseId, role: string, round = 1): Fact => ({
  type: 'output.received',
  data: {
    phase,
    round,
    role,
    agent: 'claude',
    ask: `${role} ${round}`,
    excerpt: 'words',
    output_ref: 'r',
    empty: false,
  },
})

export const missed = (phase: PhaseId, role: string, round = 1): Fact => ({
  type: 'member.missing',
  data: { phase, round, role, agent: 'gpt', reason: 'rate limited' },
})

export const voted = (phase: PhaseId, member: string, points: number): Fact => ({
  type: 'panel.voted',
  data: { phase, round: 1, member, agent: 'claude', points, outOf: 10 },
})

export const tallied = (phase: PhaseId, level: string, answered: number, next = 'proceed'): Fact => ({
  type: 'panel.tallied',
  data: { phase, level, points: answered * 8, outOf: answered * 10, answered, members: 3, missing: [], next },
})

export const ended = (phase: PhaseId, summary: Record<string, unknown> = {}): Fact => ({
  type: 'phase.finished',
  data: {
    phase,
    pass: 1,
    text: 'in short',
    summary: {
      phase,
      status: 'completed',
      flags: [],
      key_decisions: [],
      open_questions: [],
      risks_identified: [],
      risk_flags: [],
      parallel_pairs_completed: [],
      consensus_skipped: false,
      ...summary,
    },
  },
})

export const decided = (phase: PhaseId, decision: Record<string, unknown>): Fact => ({
  type: 'decision.recorded',
  data: { phase, decision: { decision: 'Do it', confidence: 'HIGH', ...decision } },
})

export const returned = (from: PhaseId, to: PhaseId, rerun: PhaseId[]): Fact => ({
  type: 'plan.returned',
  data: { from, to, rerun, reason: 'RED' },
})

export const asked = (id: string, phase: PhaseId): Fact => ({
  type: 'question.asked',
  data: { id, run: planId, text: 'Which?', context: { phase } },
})

export const answered = (id: string): Fact => ({ type: 'question.answered', data: { id, text: 'This' } })

export const over = (degraded: boolean): Fact => ({
  type: 'plan.finished',
  data: { status: 'done', degraded, issues: 2, assumptions: 0 },
})
