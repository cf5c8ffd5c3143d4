/** The issue loop: what is eligible is built, in order of worth, until nothing is. IS2. */
import { integrationBranch, shortName } from '../build/branches.ts'
import { askInStep } from '../kernel/ask-in-run.ts'
import type { Run, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import { eligibleIssues } from '../rules/issue.ts'
import { rulingOnOrder, selectIssueReply } from '../rules/issue-order.ts'
import { mergeIntoTarget } from '../workspace/merge-into-target.ts'
import { orderChosen } from './events.ts'
import { placeOf, syncFeature } from './feature-state.ts'
import { type IssueInput, type IssueNote, type IssueOutcome, issueIn, issueTopic } from './issue-run.ts'
import type { ShipSurroundings } from './surroundings.ts'

export interface FeatureRunInput {
  feature: string
  issue?: number
  smart: boolean
  merge: boolean
}

export interface FeatureRunResult {
  status: 'done' | 'failed'
  reason?: string
  feature: string
  branch: string
  done: number[]
  blocked: number[]
  merged?: boolean
}

export function featureWorkflow(
  around: ShipSurroundings,
  issues: Workflow<IssueInput, IssueOutcome>,
): Workflow<FeatureRunInput, FeatureRunResult> {
  return {
    name: 'feature.run',
    version: 1,
    async run(run, input) {
      around.attendance.arrive(run.runId)
      try {
        return await workThrough(run, around, issues, input)
      } finally {
        around.attendance.leave(run.runId)
      }
    },
  }
}

async function workThrough(
  run: Run,
  around: ShipSurroundings,
  issues: Workflow<IssueInput, IssueOutcome>,
  input: FeatureRunInput,
): Promise<FeatureRunResult> {
  const { feature } = input
  const inFlight = new Set<number>()
  const tried = new Map<number, IssueOutcome>()
  let fatal: IssueNote['fatal']
  for (;;) {
    const eligible = fatal ? [] : await lookAround(run, around, input, inFlight, tried)
    for (const number of eligible) {
      inFlight.add(number)
      const given = { feature, number, smart: input.smart, parent: run.runId }
      await run.start(issues, given, { id: `${run.runId}/issue-${number}` })
    }
    if (inFlight.size === 0) break
    const note = await around.attendance.during(run.runId, () => run.receive<IssueNote>(issueTopic))
    if (!note) continue
    inFlight.delete(note.number)
    // What is under way finishes; nothing new is begun.
    if (note.fatal) fatal = note.fatal
    else if (note.outcome) tried.set(note.number, note.outcome)
  }
  await run.step('clean up', async () => (await around.workshop()).worktrees.removeRun(run.runId))
  await run.step('tell the forge', async () => around.tellForge?.())
  if (fatal) throw new ConveneError(fatal.code, fatal.message, { exitCode: fatal.exitCode })
  return endOf(run, around, input, tried)
}

/** What may be begun now, as many as may be at work at once. */
async function lookAround(
  run: Run,
  around: ShipSurroundings,
  input: FeatureRunInput,
  inFlight: ReadonlySet<number>,
  tried: ReadonlyMap<number, IssueOutcome>,
): Promise<number[]> {
  const { feature } = input
  const found = await run.step('look around', async (step) => {
    const { view, events } = await syncFeature(around, feature, run.runId)
    for (const event of events) step.emit(event)
    const may = eligibleIssues(
      view.issues.map(({ number, state, depends_on, size, business_value, risk }) => ({
        number,
        state,
        depends_on,
        size,
        business_value,
        risk,
      })),
    )
    const interrupted = view.issues
      .filter(({ state, number }) => state === 'INTERRUPTED' && !inFlight.has(number))
      .map(({ number }) => number)
    const unreviewed = view.issues.filter(({ state }) => state === 'DONE').length
    return {
      eligible: [...interrupted, ...may.map(({ number }) => number)],
      unreviewed,
      issues: view.issues.map(({ number, title }) => ({ number, title })),
    }
  })
  const open = found.eligible.filter((number) => !inFlight.has(number) && !tried.has(number))
  const wanted = input.issue === undefined ? open : open.filter((number) => number === input.issue)
  const { max_unreviewed } = around.settings.ship
  const allowed = max_unreviewed === null ? Number.POSITIVE_INFINITY : Math.max(0, max_unreviewed - found.unreviewed)
  const room = Math.min(around.settings.build.max_parallel - inFlight.size, allowed)
  if (wanted.length <= 1 || room <= 0) return wanted.slice(0, Math.max(0, room))
  const ordered = isSmart(around, input) ? await askForOrder(run, around, input, wanted, found.issues) : wanted
  return ordered.slice(0, room)
}

const isSmart = (around: ShipSurroundings, { smart }: FeatureRunInput) =>
  smart || around.settings.coordination.llm_coordinator_enabled

/** FA1: a coordinator may choose among the eligible, and nothing else. */
async function askForOrder(
  run: Run,
  around: ShipSurroundings,
  { feature }: FeatureRunInput,
  eligible: number[],
  issues: { number: number; title: string }[],
): Promise<number[]> {
  const first = await run.step('select issue', async (step) => {
    const list = eligible
      .map((number) => `- #${number}: ${issues.find((one) => one.number === number)?.title ?? ''}`)
      .join('\n')
    const asked = await askInStep(run, step, around, {
      agent: around.coordinator(),
      kind: 'select-issue',
      messages: () => [
        {
          role: 'user',
          content: `These issues of ${feature} can be built now:\n${list}\n\nWhich first? Reply with {"issue": number, "reason": "…"}.`,
        },
      ],
      schema: selectIssueReply,
      repairs: 1,
      stream: placeOf(feature).stream,
      feature,
    })
    const proposed = asked.exit.ok ? [asked.exit.value.issue] : []
    const known = eligible.map((number) => ({
      number,
      state: 'READY' as const,
      depends_on: [],
      size: 'medium' as const,
      business_value: 0,
      risk: 0,
    }))
    const ruling = rulingOnOrder(known, proposed)
    const by = asked.exit.ok && ruling.rejected.length === 0 ? ruling.by : 'rule'
    const chosen = by === 'coordinator' ? (ruling.next ?? eligible[0]!) : eligible[0]!
    const reason = asked.exit.ok ? asked.exit.value.reason : 'the coordinator did not answer'
    step.emit(orderChosen.create(placeOf(feature, run.runId), { issue: chosen, by, reason, rejected: ruling.rejected }))
    return chosen
  })
  return [first, ...eligible.filter((number) => number !== first)]
}

async function endOf(
  run: Run,
  around: ShipSurroundings,
  input: FeatureRunInput,
  tried: ReadonlyMap<number, IssueOutcome>,
): Promise<FeatureRunResult> {
  const { feature } = input
  const done = [...tried].filter(([, { status }]) => status === 'done').map(([number]) => number)
  const blocked = [...tried].filter(([, { status }]) => status === 'blocked').map(([number]) => number)
  const base = { feature, branch: shortName(integrationBranch(feature)), done, blocked }
  const state = await run.step('where it stands', async (step) => {
    const { view, events } = await syncFeature(around, feature, run.runId)
    for (const event of events) step.emit(event)
    const one = input.issue === undefined ? undefined : issueIn(view, input.issue)
    const waits = view.issues
      .filter((issue) => !['DONE', 'SPLIT'].includes(issue.state))
      .map(({ number, state, reason }) => ({ number, state, reason }))
    return { one: one ? { state: one.state, reason: one.reason } : null, waits }
  })
  if (blocked.length > 0) {
    const why = blocked.map((number) => `#${number}: ${tried.get(number)?.reason ?? 'blocked'}`).join('; ')
    return { ...base, status: 'failed', reason: `blocked: ${why}` }
  }
  if (state.one && state.one.state !== 'DONE') {
    const reason = `#${input.issue} is ${state.one.state}${state.one.reason ? `: ${state.one.reason}` : ''}`
    return { ...base, status: 'failed', reason }
  }
  if (!input.merge) return { ...base, status: 'done' }
  return run.step('merge into target', async () => {
    const { repository } = await around.workshop()
    const commit = await repository.resolve(integrationBranch(feature))
    if (commit === null) return { ...base, status: 'done' as const, merged: false }
    const merged = await mergeIntoTarget(repository, {
      commit,
      target: await repository.currentBranch(),
      message: `Merge ${base.branch}`,
    })
    if (merged.merged) return { ...base, status: 'done' as const, merged: true }
    return { ...base, status: 'failed' as const, reason: merged.reason, merged: false }
  })
}
