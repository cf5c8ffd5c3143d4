/** One phase from its start to its summary: the work, the files, and what later phases are told. PH2. */
import type { Run } from '../kernel/engine.ts'
import { type FlagSet, flagsForPhase } from '../rules/feature-flags.ts'
import { type PhaseSummary, phaseSummarySchema } from '../rules/phase-summary.ts'
import { type PhaseId, phaseById } from '../rules/phase-table.ts'
import { renderArtefact, renderSummary, type Summary, summaryFile, writeArtefact } from './artefacts.ts'
import { artefactWritten, decisionRecorded, phaseFinished, phaseStarted } from './events.ts'
import type { PanelResult } from './panel.ts'
import type { PhaseResult } from './phase-result.ts'
import { architecture } from './phases/architecture.ts'
import { clarification } from './phases/clarification.ts'
import { completion } from './phases/completion.ts'
import { deepThinking } from './phases/deep-thinking.ts'
import { expertReview, type ReviewEnd } from './phases/expert-review.ts'
import { research } from './phases/research.ts'
import { setup } from './phases/setup.ts'
import { assets, testStrategy } from './phases/test-strategy.ts'
import { coverage, validation } from './phases/validation.ts'
import { type Phase, type Plan, placeOf, systemFor } from './plan.ts'
import { flagsIn } from './plan-settings.ts'
import { castOf } from './teamwork.ts'

type Ended = PhaseResult & { panel?: PanelResult; end?: ReviewEnd; issues?: unknown[] }

const work: Record<PhaseId, (phase: Phase) => Promise<Ended>> = {
  '1': setup,
  '2': research,
  '3': clarification,
  '4': architecture,
  '5': deepThinking,
  '6': validation,
  '6b': expertReview,
  '7': testStrategy,
  '8': coverage,
  '8b': assets,
  '9': completion,
}

const staffed = new Set<PhaseId>(['2', '4', '6b', '7'])

export interface FinishedPhase {
  summary: Summary
  panel?: Pick<PanelResult, 'after' | 'level'>
  end?: ReviewEnd
  issues?: number
}

export async function runPhase(plan: Plan, run: Run, id: PhaseId): Promise<FinishedPhase> {
  const pass = (plan.passes.get(id) ?? 0) + 1
  plan.passes.set(id, pass)
  // ST4: a flag that was changed while the plan ran holds for phases that have not begun.
  const on = await run.step(`flags of phase ${id}`, () => [...flagsIn(plan.around.settings, plan.input.mode)])
  const flags = flagsForPhase(undefined, new Set(on) as FlagSet)
  const phase: Phase = { plan, run, id, pass, flags, system: systemFor(plan, id, flags), noted: [] }
  const staff = staffed.has(id) ? castOf(phase) : null
  const cast = staff ? castNames(staff.cast) : [...phaseById(id).panel]
  await run.append(
    phaseStarted.create(placeOf(plan, run), {
      phase: id,
      name: phaseById(id).name,
      pass,
      strategy: staff?.choice.strategy ?? null,
      ...(staff?.choice.override ? { override: staff.choice.override } : {}),
      cast,
    }),
  )
  const result = await work[id](phase)
  const summary = await keep(plan, run, phase, result)
  return {
    summary,
    ...(result.panel ? { panel: { after: result.panel.after, level: result.panel.level } } : {}),
    ...(result.end ? { end: result.end } : {}),
    ...(result.issues ? { issues: result.issues.length } : {}),
  }
}

/** Files first, then the fact that they are there: a summary on record is always on disk. */
async function keep(plan: Plan, run: Run, phase: Phase, result: Ended): Promise<Summary> {
  const { id, pass } = phase
  const facts: PhaseSummary = phaseSummarySchema.parse({
    phase: id,
    status: 'completed',
    flags: phase.noted,
    key_decisions: result.decisions,
    open_questions: result.questions,
    risks_identified: result.risks,
    ...result.more,
  })
  const summary: Summary = { ...facts, text: result.text }
  return run.step(`keep phase ${id}`, async (step) => {
    const files = { [phaseById(id).artefact]: renderArtefact(facts, result.title, result.body), ...result.files }
    for (const [file, text] of Object.entries(files)) {
      writeArtefact(plan.folder, file, text)
      const about = {
        phase: id,
        file,
        bytes: Buffer.byteLength(text),
        artefact_ref: await plan.around.store.putPayload(text),
      }
      step.emit(artefactWritten.create(placeOf(plan, run), about))
    }
    writeArtefact(plan.folder, summaryFile(id), renderSummary(summary))
    for (const decision of result.decisions) {
      const about = { phase: id, decision, ...(result.ask ? { ask: result.ask } : {}) }
      step.emit(decisionRecorded.create(placeOf(plan, run), about))
    }
    step.emit(phaseFinished.create(placeOf(plan, run), { phase: id, pass, summary: facts, text: result.text }))
    return summary
  })
}

function castNames(cast: ReturnType<typeof castOf>['cast']): string[] {
  if (cast.strategy !== 'red_team') return [...cast.agents]
  return [cast.proposer, cast.challenger, ...(cast.defender === 'coordinator' ? ['coordinator'] : [])]
}
