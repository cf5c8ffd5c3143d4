/** Runs independent phases in parallel, each as its own run; a phase that fails runs again alone. PH1, CB1. */
import { RunFailed } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { fail } from '../../rules/plan/breaker.ts'
import type { PhaseId } from '../../rules/plan/phase-table.ts'
import { renderSummary, summaryFile, writeArtefact } from '../artefacts.ts'
import { breakerTripped } from '../events.ts'
import { emit, eventHeader, type Plan } from '../plan.ts'
import { type PhaseWorkflow, snapshotPlan } from './phase-workflow.ts'
import { type FinishedPhase, runPhase } from './run-phase.ts'

export async function runParallelPhases(
  plan: Plan,
  phases: readonly PhaseId[],
  phaseWorkflow: PhaseWorkflow,
): Promise<FinishedPhase[]> {
  const { run } = plan
  const handles = []
  for (const id of phases) {
    const pass = (plan.passes.get(id) ?? 0) + 1
    handles.push(
      await run.start(phaseWorkflow, { ...snapshotPlan(plan), phase: id }, { id: `${run.runId}/phase-${id}.${pass}` }),
    )
  }
  const results = await Promise.all(
    handles.map((handle) =>
      handle.result().then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => ({ ok: false as const, error }),
      ),
    ),
  )
  const finished: FinishedPhase[] = []
  for (const [index, id] of phases.entries()) {
    const result = results[index]!
    plan.passes.set(id, (plan.passes.get(id) ?? 0) + 1)
    finished.push(result.ok ? result.value : await retryAlone(plan, id, result.error))
  }
  return results.every(({ ok }) => ok) ? markPair(plan, phases, finished) : finished
}

/** Failures that a retry cannot fix end the plan; any other phase is retried alone. */
async function retryAlone(plan: Plan, id: PhaseId, error: unknown): Promise<FinishedPhase> {
  const code = error instanceof RunFailed ? error.code : undefined
  if (code && ['budget_exhausted', 'out_of_time', 'script_exhausted', configurationFault].includes(code))
    throw new ConveneError(code, (error as Error).message)
  const { verdict } = fail(plan.breakers, 'parallel_dispatch')
  const { failures } = verdict
  const words = error instanceof Error ? error.message : String(error)
  const description = `phase ${id} failed in parallel with another and runs again alone: ${words}`
  const about = { context: 'parallel_dispatch', failures, action: 'one_after_the_other', description }
  await emit(plan.run, breakerTripped.create(eventHeader(plan), about))
  return runPhase(plan, plan.run, id, { summaryFlags: ['degraded', 'run_again_alone'] })
}

/** PH2: records in both summaries that the pair completed in parallel. */
async function markPair(plan: Plan, phases: readonly PhaseId[], finished: FinishedPhase[]): Promise<FinishedPhase[]> {
  const pair = [phases[0]!, phases[1]!] as [PhaseId, PhaseId]
  const marked = finished.map((one) => ({ ...one, summary: { ...one.summary, parallel_pairs_completed: [pair] } }))
  await plan.run.step(`pair ${pair.join(' and ')}`, () => {
    for (const { summary } of marked) writeArtefact(plan.folder, summaryFile(summary.phase), renderSummary(summary))
  })
  return marked
}
