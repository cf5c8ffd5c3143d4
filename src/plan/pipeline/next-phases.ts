/** Determines the next phases from the summaries on disk, which people may edit or delete. PH3, PH5. */
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
import { eventHeader, type Plan } from '../plan.ts'
import { flagsIn } from '../plan-settings.ts'
import { askingAbout, askUser } from '../team/ask-user.ts'
import { putAside } from './gate-outcome.ts'

export interface NextPhases {
  /** Empty when the plan is finished. */
  phases: PhaseId[]
  steps: PhaseId[][]
}

/** `done`: phases finished and not sent back. Removes those whose files are gone. */
export async function nextPhases(plan: Plan, done: Set<PhaseId>): Promise<NextPhases> {
  for (;;) {
    const found = await readSummaries(plan, [...done])
    for (const { id, summary } of found.read) {
      plan.summaries.set(id, summary)
      // Read it again later too: the edit may be undone.
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
  /** Summaries that differ from what this process wrote. */
  read: { id: PhaseId; summary: Summary }[]
  /** Neither summary nor artefact is left: these phases and those that depend on them run again. */
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
        step.emit(phaseFinished.create(eventHeader(plan), about))
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

/** PH5: phases that depend on a lost one are set aside and run again. */
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
  const reason = `${files} and its summary are gone${rerun.length > 0 ? '; dependent phases run again' : ''}`
  step.emit(planReturned.create(eventHeader(plan), { from, to: from, rerun: [...lost, ...rerun], reason }))
  return rerun
}

/** ST4: a phase enabled after its place has passed is skipped. */
function skippedPhases({ passes }: Plan, order: readonly PhaseId[], present: ReadonlySet<PhaseId>): PhaseId[] {
  const reached = Math.max(-1, ...[...present].map((id) => phaseIds.indexOf(id)))
  return order.filter((id) => phaseIds.indexOf(id) < reached && !passes.has(id))
}

/** An unreadable summary holds a person's edits, so the person decides what happens to it. */
async function repairSummary(plan: Plan, { id, problem }: { id: PhaseId; problem: string }): Promise<void> {
  const file = `${plan.input.plan}/${summaryFile(id)}`
  const said = await askUser(askingAbout(plan, id), {
    text: `${file} cannot be read: ${problem}. Fix the file and choose retry, or choose rebuild to recreate it from ${phaseById(id).artefact}.`,
    choices: ['retry', 'rebuild'],
    assume: { answer: 'rebuild', words: 'the summary was rebuilt from its artefact' },
    again: ['retry'],
  })
  if (said !== 'rebuild') return
  await plan.run.step(`rebuild ${id}`, () => {
    // Keep the edited file beside it.
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
