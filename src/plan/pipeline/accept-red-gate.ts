/** Overrides a RED gate: records the decision and its risk in the phase's files and in the log. PH4. */
import type { PhaseSummary } from '../../rules/plan/phase-summary.ts'
import { phaseById } from '../../rules/plan/phase-table.ts'
import { amendArtefact, renderSummary, type Summary, summaryFile, writeArtefact } from '../artefacts.ts'
import { artefactWritten, decisionRecorded, phaseFinished } from '../events.ts'
import { eventHeader, type Plan } from '../plan.ts'
import { decidedBy, type UserAnswer } from '../team/ask-user.ts'
import { decisionSection, flat } from '../team/phase-result.ts'

export async function acceptRedGate(plan: Plan, red: Summary, why: string, said: UserAnswer): Promise<void> {
  const { phase: id } = red
  const pass = plan.passes.get(id) ?? 1
  const number = `${id}${pass > 1 ? `.${pass}` : ''}-1`
  const against = why ? `: ${flat(why)}` : ''
  const decision = {
    id: `P${number}`,
    decision: `Continue although the panel of phase ${id} scored RED${against}`,
    rationale: decidedBy[said.by],
    confidence: 'HIGH' as const,
    ...(said.asked === undefined ? {} : { ask: said.asked }),
  }
  const risk = { id: `R${number}`, risk: `The panel of phase ${id} scored RED${against}`, severity: 'CRITICAL' }
  const summary: Summary = {
    ...red,
    flags: [...new Set([...red.flags, 'red_overridden'])],
    key_decisions: [...red.key_decisions, decision],
    risks_identified: [...red.risks_identified, risk],
  }
  const { text, ...facts } = summary
  await plan.run.step(`go on in spite of ${id}`, async (step) => {
    const { artefact } = phaseById(id)
    const page = amend(plan, artefact, facts, { decisions: [decision], questions: [], risks: [risk] })
    const files: Record<string, string> = {}
    if (page !== null) {
      const artefact_ref = await plan.deps.store.putPayload(page)
      files[artefact] = artefact_ref
      const about = { phase: id, file: artefact, bytes: Buffer.byteLength(page), artefact_ref }
      step.emit(artefactWritten.create(eventHeader(plan), about))
    }
    const rendered = renderSummary(summary)
    writeArtefact(plan.folder, summaryFile(id), rendered)
    plan.written.set(id, rendered)
    const ask = decision.ask === undefined ? {} : { ask: decision.ask }
    step.emit(decisionRecorded.create(eventHeader(plan), { phase: id, decision, ...ask }))
    step.emit(phaseFinished.create(eventHeader(plan), { phase: id, pass, summary: facts, text }))
    return { summary, files }
  })
  plan.summaries.set(id, summary)
}

function amend(
  { folder }: Plan,
  file: string,
  facts: PhaseSummary,
  found: Parameters<typeof decisionSection>[0],
): string | null {
  const note = '**RED was overridden:** the plan continued anyway.'
  return amendArtefact(folder, file, facts, `${note}\n\n${decisionSection(found)}`)
}
