/** A plan from one sentence to issues: its phases in order, back where a gate says so, and on where it was after a restart. */
import { join } from 'node:path'
import type { Run, Workflow } from '../kernel/engine.ts'
import { estimateModes } from '../rules/estimate.ts'
import { phaseSteps, resumeAt } from '../rules/phase.ts'
import { type PhaseId, phaseById, phaseIds } from '../rules/phase-table.ts'
import { pickTeam } from '../rules/preset.ts'
import { assessRisk } from '../rules/risk.ts'
import { readSummary, rebuildSummary, removeArtefact, renderSummary, summaryFile, writeArtefact } from './artefacts.ts'
import { askUser } from './ask-user.ts'
import { breakerTripped, planFinished, planReturned, planStarted } from './events.ts'
import { frozen, type PhaseRuns } from './phase-run.ts'
import { openPlan, type Phase, type Plan, placeOf } from './plan.ts'
import type { PlanInput, PlanResult } from './plan-input.ts'
import { flagsIn, presetsIn } from './plan-settings.ts'
import { roleLenses } from './roles.ts'
import { type FinishedPhase, runPhase } from './run-phase.ts'
import type { PlanSurroundings } from './surroundings.ts'

export function planWorkflow(around: PlanSurroundings, beside: PhaseRuns): Workflow<PlanInput, PlanResult> {
  return {
    name: 'plan',
    version: 1,
    async run(run, input) {
      around.attendance.arrive(run.runId)
      try {
        return await makePlan(run, around, input, beside)
      } finally {
        around.attendance.leave(run.runId)
      }
    },
  }
}

async function makePlan(run: Run, around: PlanSurroundings, input: PlanInput, beside: PhaseRuns): Promise<PlanResult> {
  const plan = await begin(run, around, input)
  const steps = await run.step('phases', () => phaseSteps(input.mode, flagsIn(around.settings, input.mode)))
  let issues = 0
  for (let at = 0; at < steps.length; ) {
    await checkSummaries(plan, steps.slice(0, at).flat())
    const step = steps[at]!
    const finished = step.length > 1 ? await sideBySide(plan, step, beside) : [await runPhase(plan, run, step[0]!)]
    for (const [index, id] of step.entries()) plan.summaries.set(id, finished[index]!.summary)
    plan.guidance = undefined
    issues = finished.find((one) => one.issues !== undefined)?.issues ?? issues
    const back = await whereBack(plan, steps, step, finished)
    if (back === null) at++
    else if (back === 'give-up') return finish(plan, issues, 'the plan was given up after its gate stayed red')
    else at = steps.findIndex((one) => one.includes(back))
  }
  return finish(plan, issues)
}

async function begin(run: Run, around: PlanSurroundings, input: PlanInput): Promise<Plan> {
  const ground = await run.step('begin', async (step) => {
    const flags = flagsIn(around.settings, input.mode)
    const risk = assessRisk(input.goal)
    const known = new Set(roleLenses.keys())
    const preset = input.preset ?? around.settings.mpa.preset_suggestion.default
    const team = pickTeam({ mode: input.mode, flags, known, preset }, presetsIn(around.settings))
    const folder = join(around.folder, input.plan)
    const people = [around.coordinator(), ...around.panel(), ...around.reviewers()]
    step.emit(
      planStarted.create(
        { stream: `plan:${input.plan}`, run: run.runId, feature: input.feature },
        {
          plan: input.plan,
          goal: input.goal,
          mode: input.mode,
          preset: team.preset,
          flags: [...flags],
          risk_flags: [...risk.flags],
          suggestion: risk.suggestion,
          estimates: estimateModes({ preset: team.preset }),
          steps: phaseSteps(input.mode, flags),
          agents: [...new Set(people.map(({ name }) => name))],
          rehearsal: people.some(({ rehearsal }) => rehearsal),
          warnings: [...team.warnings],
        },
      ),
    )
    return { folder, facts: await around.facts(), risk, team }
  })
  return openPlan(run, around, input, ground)
}

/** PH1: behind its flag, phases that do not read each other run at once, each as a run of its own. */
async function sideBySide(plan: Plan, step: PhaseId[], beside: PhaseRuns): Promise<FinishedPhase[]> {
  const { run } = plan
  const handles = []
  for (const id of step) {
    const pass = (plan.passes.get(id) ?? 0) + 1
    handles.push(await run.start(beside, { ...frozen(plan), phase: id }, { id: `${run.runId}/phase-${id}.${pass}` }))
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
  for (const [index, id] of step.entries()) {
    const result = results[index]!
    if (result.ok) {
      plan.passes.set(id, (plan.passes.get(id) ?? 0) + 1)
      plan.assumptions.push(...result.value.assumptions)
      plan.clarifications.push(...result.value.clarifications)
      finished.push(result.value)
      continue
    }
    // One that failed beside another is tried again alone.
    const words = result.error instanceof Error ? result.error.message : String(result.error)
    const description = `phase ${id} failed beside another and is run again alone: ${words}`
    const about = { context: 'parallel_dispatch', failures: 1, action: 'one_after_the_other', description }
    await run.append(breakerTripped.create(placeOf(plan), about))
    const alone = await runPhase(plan, run, id)
    finished.push({
      ...alone,
      summary: { ...alone.summary, flags: [...new Set([...alone.summary.flags, 'degraded'])] },
    })
  }
  return finished
}

/** Where a gate sends the plan: an earlier phase, nowhere, or the end. */
async function whereBack(
  plan: Plan,
  steps: readonly PhaseId[][],
  step: readonly PhaseId[],
  finished: readonly FinishedPhase[],
): Promise<PhaseId | 'give-up' | null> {
  for (const [index, id] of step.entries()) {
    const { panel, end } = finished[index]!
    if (end?.kind === 'redesign')
      return goBack(plan, steps, id, '4', `the expert review asks for a redesign: ${end.why}`)
    if (!panel || panel.after.kind === 'proceed') continue
    if (panel.after.kind === 'return') return goBack(plan, steps, id, panel.after.to, `phase ${id} scored RED`)
    const said = await askUser(asPhase(plan, id), {
      text: `${panel.after.reason}. How should the plan go on?`,
      choices: ['go on', 'once more', 'give up'],
      assume: { answer: 'go on', words: 'went on although the panel scored it RED' },
    })
    if (said === 'give up') return 'give-up'
    if (said === 'once more') {
      plan.returns.set(id, 0)
      return goBack(
        plan,
        steps,
        id,
        id === '8' ? '7' : '4',
        `phase ${id} scored RED, and the person wants it done once more`,
      )
    }
  }
  return null
}

async function goBack(
  plan: Plan,
  steps: readonly PhaseId[][],
  from: PhaseId,
  to: PhaseId,
  reason: string,
): Promise<PhaseId> {
  const order = steps.flat()
  const rerun = order.slice(order.indexOf(to), order.indexOf(from) + 1)
  plan.returns.set(from, (plan.returns.get(from) ?? 0) + 1)
  plan.guidance = reason
  await plan.run.step(`back to ${to}`, (step) => {
    for (const id of rerun) removeArtefact(plan.folder, summaryFile(id))
    step.emit(planReturned.create(placeOf(plan), { from, to, rerun, reason }))
  })
  for (const id of rerun) plan.summaries.delete(id)
  return to
}

/** PH3, PH5: the plan goes by its summaries as they are on disk; people may edit them, and files may be lost. */
async function checkSummaries(plan: Plan, done: readonly PhaseId[]): Promise<void> {
  const { run, folder } = plan
  const order = [...done].sort((a, b) => phaseIds.indexOf(a) - phaseIds.indexOf(b))
  for (;;) {
    const looked = await run.step('read summaries', () => {
      const found = order.map((id) => ({ id, ...readSummary(folder, id) }))
      const broken = found.find(({ kind }) => kind === 'broken')
      const lost = found.filter(({ kind }) => kind === 'missing').map(({ id }) => id)
      const rebuilt = lost.flatMap((id) => {
        const flags = flagsIn(plan.around.settings, plan.input.mode)
        const traces = { summaries: new Set(order.filter((one) => one !== id)), artefacts: new Set([id]) }
        const isRebuilt = resumeAt(plan.input.mode, flags, traces).kind === 'rebuild'
        const summary = isRebuilt ? rebuildSummary(folder, id) : null
        if (!summary) return []
        writeArtefact(folder, summaryFile(id), renderSummary(summary))
        return [{ id, summary }]
      })
      return {
        broken: broken?.kind === 'broken' ? { id: broken.id, problem: broken.problem } : null,
        read: [
          ...found.flatMap((one) => (one.kind === 'read' ? [{ id: one.id, summary: one.summary }] : [])),
          ...rebuilt,
        ],
      }
    })
    for (const { id, summary } of looked.read) plan.summaries.set(id, summary)
    if (!looked.broken) return
    const { id, problem } = looked.broken
    const file = `${plan.input.plan}/${summaryFile(id)}`
    const said = await askUser(asPhase(plan, id), {
      text: `${file} cannot be read: ${problem}. Mend it and choose retry, or have it made again from ${phaseById(id).artefact}.`,
      choices: ['retry', 'rebuild'],
      assume: { answer: 'rebuild', words: 'the summary was made again from its artefact' },
    })
    if (said !== 'rebuild') continue
    await run.step(`rebuild ${id}`, () => {
      const summary = rebuildSummary(folder, id)
      if (summary) writeArtefact(folder, summaryFile(id), renderSummary(summary))
      else removeArtefact(folder, summaryFile(id))
    })
  }
}

async function finish(plan: Plan, issues: number, reason?: string): Promise<PlanResult> {
  const { run, input, folder } = plan
  const degraded = [...plan.summaries.values()].some(({ flags }) => flags.includes('degraded'))
  const status = reason === undefined ? 'done' : 'failed'
  const why = reason === undefined ? {} : { reason }
  const about = { status, degraded, issues, assumptions: plan.assumptions.length, ...why } as const
  await run.append(planFinished.create(placeOf(plan), about))
  return {
    status,
    plan: input.plan,
    feature: input.feature,
    folder,
    degraded,
    issues,
    assumptions: plan.assumptions,
    ...why,
  }
}

/** A question that the orchestrator asks between phases belongs to the one it is about. */
function asPhase(plan: Plan, id: PhaseId): Phase {
  return { plan, run: plan.run, id, pass: 0, flags: new Set(), system: '', noted: [] }
}
