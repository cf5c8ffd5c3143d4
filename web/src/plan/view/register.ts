/** A plan's decisions, and which of them match a filter. */
import type { PlanView } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'

export type Decided = PlanView['decisions'][number]
export type Standing = 'stands' | 'superseded' | 'withdrawn'

export interface RegisterFilter {
  standing: Standing | 'all'
  phase: PhaseId | 'all'
  confidence: Decided['decision']['confidence'] | 'all'
  text: string
}

export const everything: RegisterFilter = { standing: 'stands', phase: 'all', confidence: 'all', text: '' }

export function standingOf({ withdrawn, supersededBy }: Pick<Decided, 'withdrawn' | 'supersededBy'>): Standing {
  if (withdrawn) return 'withdrawn'
  return supersededBy === undefined ? 'stands' : 'superseded'
}

export function filtered(decisions: readonly Decided[], filter: RegisterFilter): Decided[] {
  const wanted = filter.text.trim().toLowerCase()
  return decisions.filter((one) => {
    const { id, decision, rationale = '', confidence } = one.decision
    return (
      (filter.standing === 'all' || standingOf(one) === filter.standing) &&
      (filter.phase === 'all' || one.phase === filter.phase) &&
      (filter.confidence === 'all' || confidence === filter.confidence) &&
      `${id} ${decision} ${rationale}`.toLowerCase().includes(wanted)
    )
  })
}

/** Open questions of phases that count; what a decision resolves is no longer open. */
export function openQuestionsOf({ phases, decisions }: Pick<PlanView, 'phases' | 'decisions'>) {
  const resolved = new Set(
    decisions.flatMap((one) => (standingOf(one) === 'stands' ? (one.decision.resolves ?? []) : [])),
  )
  for (const { state, summary } of phases)
    if (state !== 'to-come')
      for (const { resolves = [] } of summary?.closed_questions ?? []) for (const id of resolves) resolved.add(id)
  return phases.flatMap(({ id: phase, state, summary }) =>
    state === 'to-come'
      ? []
      : (summary?.open_questions ?? []).flatMap((one) => (resolved.has(one.id) ? [] : [{ phase, ...one }])),
  )
}

/** Risks of phases that count; what a decision removes is none any more, unless a later phase raises it again. */
export function risksOf({ phases, decisions }: Pick<PlanView, 'phases' | 'decisions'>) {
  const settled = decisions.flatMap((one) =>
    (standingOf(one) === 'stands' ? (one.decision.resolves ?? []) : []).map((id) => ({ id, phase: one.phase })),
  )
  const order = phases.map(({ id }) => id)
  const isSettled = (id: string, phase: PhaseId) =>
    settled.some((one) => one.id === id && order.indexOf(one.phase) >= order.indexOf(phase))
  return phases.flatMap(({ id: phase, state, summary }) =>
    state === 'to-come'
      ? []
      : (summary?.risks_identified ?? []).flatMap((one) => (isSettled(one.id, phase) ? [] : [{ phase, ...one }])),
  )
}

/** A question or risk that a later phase raised again is one: of its first phase, in the latest words. */
export function saidOnce<Item extends { id: string; phase: PhaseId }>(items: readonly Item[]): Item[] {
  const once = new Map<string, Item>()
  for (const item of items) once.set(item.id, { ...item, phase: once.get(item.id)?.phase ?? item.phase })
  return [...once.values()]
}
