/** Runs independent phases in parallel, each as its own run; a phase that fails runs again alone. PH1, CB1. */
import { RunFailed } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { fail } from '../../rules/plan/breaker.ts'
import type { PhaseId } from '../../rules/plan/phase-table.ts'
import { renderSummary, summaryFile, writeArtefact } from '../artefacts.ts'
import { breakerTripped } from '../events.ts'
import { emit, eventHeader, type Plan } from '../plan.ts'
import { breakerLimits, phaseSettings } from '../plan-settings.ts'
import { type PhaseWorkflow, snapshotPlan } from './phase-workflow.ts'
import { type FinishedPhase, runPhase } from './run-phase.ts'

export async function runParallelPhases(
  plan: Plan,
  phases: readonly PhaseId[],
  phaseWorkflow: PhaseWorkflow,
): Promise<FinishedPhase[]> {
  const start = async (id: PhaseId, attempt: number) => {
    const pass = (plan.passes.get(id) ?? 0) + 1
    const name = `${plan.run.runId}/phase-${id}.${pass}${attempt > 1 ? `.${attempt}` : ''}`
    return plan.run.start(phaseWorkflow, { ...snapshotPlan(plan), phase: id }, { id: name })
  }
  const handles = []
  for (const id of phases) handles.push(await start(id, 1))
  const results = await Promise.all(handles.map((handle) => outcomeOf(handle.result())))
  const finished: FinishedPhase[] = []
  for (const [index, id] of phases.entries()) {
    for (let attempt = 2; !results[index]!.ok && (await isRetried(plan, id, results[index]!.error)); attempt++)
      results[index] = await outcomeOf((await start(id, attempt)).result())
    const result = results[index]!
    plan.passes.set(id, (plan.passes.get(id) ?? 0) + 1)
    const again = { summaryFlags: ['degraded', 'run_again_alone'] }
    finished.push(result.ok ? result.value : await runPhase(plan, plan.run, id, again))
  }
  return results.every(({ ok }) => ok) ? markPair(plan, phases, finished) : finished
}

type Outcome = { ok: true; value: FinishedPhase } | { ok: false; error: unknown }

function outcomeOf(result: Promise<FinishedPhase>): Promise<Outcome> {
  return result.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  )
}

/**
 * CB1: a failed phase is run again as a run of its own until the breaker trips, then alone. Failures that a retry cannot
 * fix end the plan.
 */
async function isRetried(plan: Plan, id: PhaseId, error: unknown): Promise<boolean> {
  const code = error instanceof RunFailed ? error.code : undefined
  if (code && ['budget_exhausted', 'out_of_time', 'script_exhausted', configurationFault].includes(code))
    throw new ConveneError(code, (error as Error).message)
  const settings = await plan.run.step(`limits of phase ${id}`, () =>
    phaseSettings(plan.deps.settings, plan.deps.staff(), plan.input),
  )
  const { breakers, verdict } = fail(plan.breakers, 'parallel_dispatch', breakerLimits(settings))
  if (verdict.kind === 'retry') {
    plan.breakers = breakers
    return true
  }
  const words = error instanceof Error ? error.message : String(error)
  const description = `phase ${id} failed in parallel with another and runs again alone: ${words}`
  const about = { context: 'parallel_dispatch', failures: verdict.failures, action: 'one_after_the_other', description }
  await emit(plan.run, breakerTripped.create(eventHeader(plan), about))
  return false
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
