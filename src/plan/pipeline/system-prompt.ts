/** The system prompt of a phase: byte-identical for all its calls, so that prompt caches hit. CX1, CX4. */
import { type AccumulatedContext, accumulate } from '../../rules/context/context.ts'
import { type PhaseId, phaseById } from '../../rules/plan/phase-table.ts'
import { earlierFile, readArtefact, type Summary } from '../artefacts.ts'
import type { Plan } from '../plan.ts'
import type { PhaseSettings } from '../plan-settings.ts'
import { describeFacts } from '../project-facts.ts'

const longest = 24_000

/** Ordered from stable to changing: the plan's constants, what the phase reads, what every phase adds to. */
export function systemPrompt(plan: Plan, id: PhaseId, pass: number, settings: PhaseSettings): string {
  const { deps, input } = plan
  const { summaries, artefacts, artefact } = { ...phaseById(id).reads, artefact: phaseById(id).artefact }
  const earlier = pass > 1 ? readArtefact(plan.folder, earlierFile(artefact, pass - 1)) : null
  const material = [
    ...(input.heard ?? []).map(({ agent, text }) => ({ title: `What ${agent} said in the room`, text: cut(text) })),
    ...artefacts.flatMap((file) => {
      const text = readArtefact(plan.folder, file)
      return text === null ? [] : [{ title: file, text: cut(text) }]
    }),
    ...summaries.flatMap((phase) => {
      const summary = plan.summaries.get(phase)
      return summary ? [{ title: `What phase ${phase} (${phaseById(phase).name}) found`, text: summary.text }] : []
    }),
    ...(earlier === null ? [] : [{ title: `${artefact}, as it was sent back`, text: cut(earlier) }]),
  ]
  return deps.prompts.render('planner', {
    request: input.goal,
    facts: id === '1' ? '' : describeFacts(plan.facts),
    accumulated: contextOf(plan, settings, [...plan.summaries.values()]).text,
    material,
  })
}

/** CX2: what the settings carry over from earlier summaries. */
export function contextOf(plan: Plan, { context }: PhaseSettings, summaries: readonly Summary[]): AccumulatedContext {
  const sources = summaries.map(({ phase, key_decisions, open_questions, risks_identified }) => ({
    phase,
    key_decisions: context.fields.includes('key_decisions') ? key_decisions : [],
    open_questions: context.fields.includes('open_questions') ? open_questions : [],
    risks_identified: context.fields.includes('risks_identified') ? risks_identified : [],
  }))
  return accumulate(sources, plan.deps.countTokens, context.tokens)
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… (cut)`
}
