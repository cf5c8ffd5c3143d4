/** Plans the same goal by one agent in one reply and by all phases, and measures both. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { AgentSource } from '../../kernel/agent.ts'
import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import { costOf, noCost, spendUsage } from '../../kernel/ask/cost.ts'
import { type Run, RunFailed, type Workflow } from '../../kernel/engine.ts'
import { askInRun } from '../../kernel/runs/ask-in-run.ts'
import type { PlanInput, PlanResult } from '../../plan/plan-input.ts'
import type { ShipDeps } from '../deps.ts'
import { issueSchema, issuesFileSchema } from '../events.ts'
import { eventHeader } from '../feature-state.ts'
import type { ComparisonSide } from './compare.ts'

/** What a plan comes to, in both sides alike. */
export interface PlannedWork {
  issues: { number: number; title: string; criteria: string[]; depends_on: number[] }[]
  /** Where the artefacts of the full plan are. */
  folder?: string
  /** What the one reply says about the design. */
  design?: string
  degraded?: boolean
}

/** Read generously: an issue may say more than an issues file may hold. */
const plannedIssue = z.object({
  number: issueSchema.shape.number,
  title: issueSchema.shape.title,
  acceptance_criteria: z.array(z.object({ text: z.string().min(1) })).min(1),
  depends_on: issueSchema.shape.depends_on,
})
const reply = z.object({ design: z.string().min(1), issues: z.array(plannedIssue).min(1) })

export async function comparePlans(
  run: Run,
  deps: ShipDeps,
  plan: Workflow<PlanInput, PlanResult>,
  input: PlanInput,
): Promise<ComparisonSide[]> {
  return [await planAlone(run, deps, input), await planInPhases(run, deps, plan, input)]
}

const nothingBuilt = {
  commit: null,
  tests: null,
  evidence: { commands: 0, refusals: 0 },
  diff: { files: 0, added: 0, removed: 0 },
}

/** One good agent with the source in front of it. */
async function planAlone(run: Run, deps: ShipDeps, { goal, feature }: PlanInput): Promise<ComparisonSide> {
  const began = await run.now()
  const agent = deps.coordinator()
  const { exit, usage } = await askInRun(run, deps, {
    agent,
    kind: 'plan-alone',
    schema: reply,
    repairs: 1,
    source: () => sourceOf(deps, agent.rehearsal),
    messages: (source) => [
      ...(source ? [{ role: 'system' as const, content: `The project as of its last commit:\n\n${source.map}` }] : []),
      { role: 'user', content: promptFor(goal) },
    ],
    stream: eventHeader(feature).stream,
    feature,
  })
  const seconds = Math.round(((await run.now()) - began) / 1000)
  const cost = { ...noCost(), asks: 1 }
  spendUsage(cost, usage)
  const base = { strategy: 'one-call' as const, run: run.runId, ...nothingBuilt, cost, seconds }
  if (!exit.ok) return { ...base, status: 'failed', reason: exit.failure.message }
  const { design, issues } = exit.value
  return { ...base, status: 'done', planned: { issues: issues.map(inShort), design } }
}

async function sourceOf({ source }: ShipDeps, isRehearsal: boolean): Promise<AgentSource | null> {
  const state = isRehearsal ? null : await source?.latest()
  return state?.ok ? { reader: state.source, maxSteps: source!.maxSteps } : null
}

function promptFor(goal: string): string {
  return `Plan this goal for the project, alone and in one reply:

${goal}

Reply with one JSON object:
- "design": what to change and why, the decisions and their risks, in Markdown
- "issues": a list, in the order of building; each with "number" (from 1), "title", "body", "acceptance_criteria" (a list of {"id", "text"}, each one testable), "depends_on" (numbers), "size" (small, medium or large), "target_path" and "test_path"`
}

async function planInPhases(
  run: Run,
  deps: ShipDeps,
  plan: Workflow<PlanInput, PlanResult>,
  input: PlanInput,
): Promise<ComparisonSide> {
  const id = `${run.runId}/plan`
  const began = await run.now()
  const planning = await run.start(plan, input, { id })
  const ended = await endOf(() => deps.activity.whileWaiting(run.runId, () => planning.result()))
  const seconds = Math.round(((await run.now()) - began) / 1000)
  return run.step('measure plan', async () => {
    const cost = costOf(await deps.store.read({ run: id, types: [askStarted.type, askFinished.type] }))
    const base = { strategy: 'plan' as const, run: id, ...nothingBuilt, cost, seconds }
    if (!ended.ok) return { ...base, status: 'failed' as const, reason: ended.reason }
    const { folder, degraded } = ended.plan
    const { issues } = issuesFileSchema.parse(JSON.parse(readFileSync(join(folder, 'issues.json'), 'utf8')))
    return { ...base, status: 'done' as const, planned: { issues: issues.map(inShort), folder, degraded } }
  })
}

/** A plan that fails is a result; one that was stopped ends the comparison. */
async function endOf(
  result: () => Promise<PlanResult>,
): Promise<{ ok: true; plan: PlanResult } | { ok: false; reason: string }> {
  try {
    const plan = await result()
    return plan.status === 'done' ? { ok: true, plan } : { ok: false, reason: plan.reason ?? 'the plan failed' }
  } catch (error) {
    if (!(error instanceof RunFailed) || error.status !== 'failed' || error.code === 'script_exhausted') throw error
    return { ok: false, reason: error.message }
  }
}

function inShort({ number, title, acceptance_criteria, depends_on }: z.output<typeof plannedIssue>) {
  return { number, title, criteria: acceptance_criteria.map(({ text }) => text), depends_on }
}
