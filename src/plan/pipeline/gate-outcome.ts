/** Decides where a gate sends the plan: on, back to an earlier phase, or to its end. PH4, RV3. */
import { phasesToRerun } from '../../rules/plan/phase.ts'
import { ownFiles, type PhaseId, redTargets } from '../../rules/plan/phase-table.ts'
import { removeArtefact, setAside, summaryFile } from '../artefacts.ts'
import { planReturned } from '../events.ts'
import { eventHeader, type Plan } from '../plan.ts'
import { askingAbout, askUserWithSource } from '../team/ask-user.ts'
import { acceptRedGate } from './accept-red-gate.ts'
import type { FinishedPhase } from './run-phase.ts'

export type GateOutcome = { kind: 'on' } | { kind: 'give-up' } | { kind: 'back'; rerun: PhaseId[] }

export async function gateOutcome(
  plan: Plan,
  steps: readonly PhaseId[][],
  step: readonly PhaseId[],
  finished: readonly FinishedPhase[],
): Promise<GateOutcome> {
  for (const [index, id] of step.entries()) {
    const { panel, end } = finished[index]!
    if (end?.kind === 'redesign')
      return goBack(plan, steps, id, '4', `The expert review asks for a redesign: ${end.why}`)
    if (!panel || panel.after.kind === 'proceed') continue
    const to = redTargets.get(id)!
    const red = `Phase ${id} scored RED${panel.why ? `: ${panel.why}` : ''}`
    if (panel.after.kind === 'return') return goBack(plan, steps, id, to, red)
    const answer = await askUserWithSource(askingAbout(plan, id), {
      text: `${panel.after.reason}${panel.why ? ` (${panel.why})` : ''}. How should the plan continue?`,
      options: [
        { choice: 'go on', follows: 'the plan continues, and what the panel says is carried as a risk' },
        { choice: 'once more', follows: `phase ${to} and all phases up to ${id} are repeated` },
        { choice: 'give up', follows: 'the plan ends here; its files stay' },
      ],
      assume: { answer: 'go on', words: 'continued although the panel scored RED' },
      again: ['once more'],
      ...(panel.turn === undefined ? {} : { turn: panel.turn }),
    })
    const said = answer.answer
    if (said === 'give up') return { kind: 'give-up' }
    if (said === 'go on') {
      await acceptRedGate(plan, finished[index]!.summary, panel.why, answer)
      continue
    }
    // Free text guides the next pass.
    const heed = said === 'once more' ? 'The person wants it done once more' : `The person says: ${said}`
    return goBack(plan, steps, id, to, `${red}. ${heed}`)
  }
  return { kind: 'on' }
}

/** PH5: phases sent back lose their summary; their artefacts are set aside for the next pass. */
async function goBack(
  plan: Plan,
  steps: readonly PhaseId[][],
  from: PhaseId,
  to: PhaseId,
  reason: string,
): Promise<GateOutcome> {
  const rerun = phasesToRerun(to, from, steps).filter((id) => plan.passes.has(id))
  plan.returns.set(from, (plan.returns.get(from) ?? 0) + 1)
  plan.guidance = reason
  await plan.run.step(`back to ${to}`, (step) => {
    for (const id of rerun) putAside(plan, id)
    step.emit(planReturned.create(eventHeader(plan), { from, to, rerun, reason }))
    return rerun
  })
  for (const id of rerun) plan.summaries.delete(id)
  return { kind: 'back', rerun }
}

/** Sets a phase's files aside to make room for the next pass. */
export function putAside({ folder, passes }: Pick<Plan, 'folder' | 'passes'>, id: PhaseId): void {
  removeArtefact(folder, summaryFile(id))
  for (const file of ownFiles(id)) setAside(folder, file, passes.get(id)!)
}
