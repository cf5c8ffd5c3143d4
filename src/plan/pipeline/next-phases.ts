/** Which phases come next, by the summaries as they are on disk: people may edit them, and files may be lost. PH3, PH5. */
import type { StepContext } from '../../kernel/engine.ts'
import { phaseSteps, phasesRestingOn, resumeAt } from '../../rules/plan/phase.ts'
import { type PhaseId, phaseById, phaseIds } from '../../rules/plan/phase-table.ts'
import {
  readArtefact,
  readSummary,
  rebuildSummary,
  removeArtefact,
  renderSummary,
  type Summary,
  summaryFile,
  writeArtefact,
} from '../artefacts.ts'
import { phaseFinished, planReturned } from '../events.ts'
import { type Plan, placeOf } from '../plan.ts'
import { flagsIn } from '../plan-settings.ts'
import { askingAbout, askUser } from '../team/ask-user.ts'
import { putAside } from './gate-outcome.ts'

export interface NextPhases {
  /** Empty where the plan is through. */
  phases: PhaseId[]
  steps: PhaseId[][]
}

/** `done`: phases that were finished and not sent back. Those whose files are gone altogether are taken out of it. */
export async function nextPhases(plan: Plan, done: Set<PhaseId>): Promise<NextPhases> {
  for (;;) {
    const found = await readSummaries(plan, [...done])
    for (const { id, summary } of found.read) {
      plan.summaries.set(id, summary)
      // An edit that is taken back later has to be read as well.
      plan.written.delete(id)
    }
    if (found.broken) {
      await repairSummary(plan, found.broken)
      continue
    }
    for (const id of found.lost) {
      done.delete(id)
      plan.summaries.delete(id)
    }
    return found.next
  }
}

interface SummariesRead {
  /** Those that are not as this process wrote them. */
  read: { id: PhaseId; summary: Summary }[]
  /** Neither summary nor artefact is left: the phase is run again, and so is what rests on it. */
  lost: PhaseId[]
  broken: { id: PhaseId; problem: string } | null
  next: NextPhases
}

function readSummaries(plan: Plan, done: readonly PhaseId[]): Promise<SummariesRead> {
  const { run, folder, input, deps } = plan
  const order = [...done].sort((a, b) => phaseIds.indexOf(a) - phaseIds.indexOf(b))
  const read = (step: StepContext): SummariesRead => {
    const found: SummariesRead['read'] = []
    const lost: PhaseId[] = []
    let broken: SummariesRead['broken'] = null
    for (const id of order) {
      if (plan.written.has(id) && plan.written.get(id) === readArtefact(folder, summaryFile(id))) continue
      const one = readSummary(folder, id)
      if (one.kind === 'read') found.push({ id, summary: one.summary })
      if (one.kind === 'broken') broken ??= { id, problem: one.problem }
      if (one.kind !== 'missing') continue
      if (readArtefact(folder, phaseById(id).artefact) === null) lost.push(id)
      else {
        const summary = rewriteSummary(plan, id)
        const { text, ...facts } = summary
        const about = { phase: id, pass: plan.passes.get(id) ?? 1, summary: facts, text }
        step.emit(phaseFinished.create(placeOf(plan), about))
        found.push({ id, summary })
      }
    }
    if (lost.length > 0 && broken === null) lost.push(...invalidateDependents(plan, step, lost, order))
    const flags = flagsIn(deps.settings, input.mode)
    const steps = phaseSteps(input.mode, flags)
    const present = new Set(order.filter((id) => !lost.includes(id)))
    const summaries = new Set([...present, ...skippedPhases(plan, steps.flat(), present)])
    const resumption = resumeAt(input.mode, flags, { summaries, artefacts: new Set() })
    return { read: found, lost, broken, next: { phases: resumption.kind === 'run' ? resumption.phases : [], steps } }
  }
  return run.step('read summaries', read, { ahead: true })
}

/** PH5: what was made from something that is made anew does not hold any more: it is put aside, and done again. */
function invalidateDependents(
  plan: Plan,
  step: StepContext,
  lost: readonly PhaseId[],
  done: readonly PhaseId[],
): PhaseId[] {
  const rerun = phasesRestingOn(lost).filter((id) => done.includes(id))
  for (const id of rerun) putAside(plan, id)
  const from = lost[0]!
  const files = lost.map((id) => phaseById(id).artefact).join(', ')
  const reason = `${files} and its summary are gone${rerun.length > 0 ? '; what rests on it is done again' : ''}`
  step.emit(planReturned.create(placeOf(plan), { from, to: from, rerun: [...lost, ...rerun], reason }))
  return rerun
}

/** ST4: a phase that a flag brings in when its place is past is not gone back for. */
function skippedPhases({ passes }: Plan, order: readonly PhaseId[], present: ReadonlySet<PhaseId>): PhaseId[] {
  const reached = Math.max(-1, ...[...present].map((id) => phaseIds.indexOf(id)))
  return order.filter((id) => phaseIds.indexOf(id) < reached && !passes.has(id))
}

/** A summary that cannot be read holds what a person wrote: they say what becomes of it. */
async function repairSummary(plan: Plan, { id, problem }: { id: PhaseId; problem: string }): Promise<void> {
  const file = `${plan.input.plan}/${summaryFile(id)}`
  const said = await askUser(askingAbout(plan, id), {
    text: `${file} cannot be read: ${problem}. Mend it and choose retry, or have it made again from ${phaseById(id).artefact}.`,
    choices: ['retry', 'rebuild'],
    assume: { answer: 'rebuild', words: 'the summary was made again from its artefact' },
    again: ['retry'],
  })
  if (said !== 'rebuild') return
  await plan.run.step(`rebuild ${id}`, () => {
    // What they wrote stays beside it.
    const broken = readArtefact(plan.folder, summaryFile(id))
    if (broken !== null) writeArtefact(plan.folder, `${summaryFile(id)}.broken`, broken)
    removeArtefact(plan.folder, summaryFile(id))
  })
}

function rewriteSummary(plan: Plan, id: PhaseId): Summary {
  const summary = rebuildSummary(plan.folder, id)!
  writeArtefact(plan.folder, summaryFile(id), renderSummary(summary))
  return summary
}
