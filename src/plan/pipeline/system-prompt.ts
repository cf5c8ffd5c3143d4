/** The system prompt of a phase: byte-identical for all its calls, so that prompt caches hit. CX1, CX4. */
import { type AccumulatedContext, accumulate } from '../../rules/context/context.ts'
import type { PhaseId } from '../../rules/plan/phase-table.ts'
import type { Summary } from '../artefacts.ts'
import type { Plan } from '../plan.ts'
import type { PhaseSettings } from '../plan-settings.ts'
import { describeFacts } from '../project-facts.ts'
import { materialOf } from './material.ts'

/** Ordered from stable to changing: the plan's constants, what the phase reads, what every phase adds to. */
export function systemPrompt(
  plan: Plan,
  { id, pass }: { id: PhaseId; pass: number },
  settings: PhaseSettings,
  own: readonly Summary[] = [],
): string {
  const { deps, input } = plan
  const context = contextOf(plan, settings, [...plan.summaries.values(), ...own])
  return deps.prompts.render('planner', {
    request: input.goal,
    facts: id === '1' ? '' : describeFacts(plan.facts),
    accumulated: context.text,
    material: materialOf(plan, { id, pass }, settings, context),
  })
}

/** CX2: what the settings carry over from earlier summaries. */
export function contextOf(plan: Plan, { context }: PhaseSettings, summaries: readonly Summary[]): AccumulatedContext {
  const sources = summaries.map(({ phase, key_decisions, open_questions, closed_questions, risks_identified }) => ({
    phase,
    key_decisions: context.fields.includes('key_decisions') ? key_decisions : [],
    open_questions: context.fields.includes('open_questions') ? open_questions : [],
    ...(closed_questions ? { closed_questions } : {}),
    risks_identified: context.fields.includes('risks_identified') ? risks_identified : [],
  }))
  return accumulate(sources, plan.deps.countTokens, context.tokens)
}
