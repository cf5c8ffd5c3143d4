/** The issue loop: builds eligible issues in order of value until none is left. IS2. */
import { integrationBranch, shortName } from '../../build/branches.ts'
import { mergeCompleted, scaffoldAccepted } from '../../build/events.ts'
import { openedWorkspace } from '../../build/graph/opened-workspace.ts'
import { mergeVerified } from '../../build/nodes/merge-verified.ts'
import { approveMerge } from '../../build/trust/approve-merge.ts'
import type { Run, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { eligibleIssues } from '../../rules/issues/issue.ts'
import { rulingOnOrder, selectIssueReply } from '../../rules/issues/issue-order.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import type { ShipDeps } from '../deps.ts'
import { featureRunStarted, orderChosen } from '../events.ts'
import { eventHeader, issueIn, readFeature, syncFeature } from '../feature-state.ts'
import { finishedFacts, issueFacts } from '../issue/coordinator-facts.ts'
import {
  type IssueInput,
  type IssueNote,
  type IssueOutcome,
  issueTopic,
  type PreparedAnswers,
} from '../issue/issue-run.ts'
import { unreviewed, waitForReview } from '../issue/review-queue.ts'
import { isLarge, sizeUp } from '../issue/split-issue.ts'
import { proposeMerge } from '../tracker/pull-request.ts'
import { findIssue, type IssueView } from '../view.ts'

export interface FeatureRunInput extends PreparedAnswers {
  feature: string
  issue?: number
  smart: boolean
  merge: boolean
  /** Opens a pull request for the finished feature; defaults to the configuration. */
  pull_request?: boolean
}

export interface FeatureRunResult {
  status: 'done' | 'failed'
  reason?: string
  feature: string
  branch: string
  done: number[]
  blocked: number[]
  merged?: boolean
  pull_request?: { number: number; url: string }
}

export function featureWorkflow(
  deps: ShipDeps,
  issues: Workflow<IssueInput, IssueOutcome>,
): Workflow<FeatureRunInput, FeatureRunResult> {
  return {
    name: 'feature.run',
    version: 2,
    run: (run, input) => {
      const patient = patientRun(run, { ...deps, header: eventHeader(input.feature) })
      return deps.activity.during(run.runId, () => runIssues(patient, deps, issues, input))
    },
  }
}

async function runIssues(
  run: Run,
  deps: ShipDeps,
  issues: Workflow<IssueInput, IssueOutcome>,
  input: FeatureRunInput,
): Promise<FeatureRunResult> {
  const { feature } = input
  const inFlight = new Set<number>()
  const tried = new Map<number, IssueOutcome>()
  const begun = new Map<number, number>()
  let fatal: IssueNote['fatal']
  // A run below a ship emits its own start event; otherwise `Features.start` did.
  if (run.parent !== undefined) await run.append(featureRunStarted.create(eventHeader(feature, run.runId), input))
  for (;;) {
    const found = fatal ? nothing : await findEligible(run, deps, input, inFlight, tried)
    let isSplit = false
    for (const number of found.begin) {
      const given = { feature, number, smart: isSmart(deps, input) }
      if (found.large.includes(number) && !(await sizeUp(run, deps, given))) {
        isSplit = true
        continue
      }
      inFlight.add(number)
      tried.delete(number)
      const times = (begun.get(number) ?? 0) + 1
      begun.set(number, times)
      const child = { feature, number, smart: input.smart, parent: run.runId, ...preparedIn(input) }
      await run.start(issues, child, { id: `${run.runId}/issue-${number}${times > 1 ? `-${times}` : ''}` })
    }
    if (isSplit) continue
    if (inFlight.size === 0 && found.unreviewed.length > 0 && found.begin.length < found.wanted) {
      await waitForReview(run, deps, feature, found.unreviewed)
      continue
    }
    if (inFlight.size === 0) break
    const note = await deps.activity.whileWaiting(run.runId, () => run.receive<IssueNote>(issueTopic))
    if (!note) continue
    inFlight.delete(note.number)
    // Issues under way finish; no new issue starts.
    if (note.fatal) fatal = note.fatal
    else if (note.outcome) tried.set(note.number, note.outcome)
  }
  await run.step('clean up', async () => (await deps.workspace()).worktrees.removeRun(run.runId))
  await run.step('tell the forge', async () => deps.flushForge?.())
  if (fatal) throw new ConveneError(fatal.code, fatal.message, { exitCode: fatal.exitCode })
  return endOf(run, deps, input, tried)
}

const preparedIn = ({ answers = [], yes = false }: PreparedAnswers): PreparedAnswers => ({
  ...(answers.length > 0 ? { answers } : {}),
  ...(yes ? { yes } : {}),
})

interface EligibleIssues {
  /** Issues to start now, in this order. */
  begin: number[]
  /** How many could start without limits. */
  wanted: number
  /** Those that may have to be split first. */
  large: number[]
  unreviewed: { number: number; title: string }[]
}

const nothing: EligibleIssues = { begin: [], wanted: 0, large: [], unreviewed: [] }

/** Syncs with git, then picks what to start now within the limits. */
async function findEligible(
  run: Run,
  deps: ShipDeps,
  input: FeatureRunInput,
  inFlight: ReadonlySet<number>,
  tried: ReadonlyMap<number, IssueOutcome>,
): Promise<EligibleIssues> {
  const { feature } = input
  const found = await run.step('look around', async (step) => {
    const { view, events } = await syncFeature(deps, feature, run.runId, inFlight)
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
    const interrupted = view.issues.filter(({ state }) => state === 'INTERRUPTED')
    const numbers = [...interrupted, ...may].map(({ number }) => number)
    const eligible = numbers.filter((number) => {
      if (input.issue === undefined || number === input.issue) return true
      return findIssue(view, number)?.part_of === input.issue
    })
    const waiting = deps.settings.ship.max_unreviewed === null ? [] : unreviewed(view.issues)
    const named = (numbers: readonly number[]) =>
      numbers.map((number) => ({ number, title: findIssue(view, number)!.title }))
    return {
      eligible: named(eligible),
      large: eligible.filter((number) => isLarge(findIssue(view, number)!)),
      unreviewed: named(waiting),
    }
  })
  // A blocked issue that is eligible again was unblocked in the meantime.
  const isOver = (number: number) => tried.has(number) && tried.get(number)!.status !== 'blocked'
  const open = found.eligible.filter(({ number }) => !inFlight.has(number) && !isOver(number))
  const { max_unreviewed } = deps.settings.ship
  const unfilled = (max_unreviewed ?? Number.POSITIVE_INFINITY) - found.unreviewed.length - inFlight.size
  const room = Math.max(0, Math.min(deps.settings.build.max_parallel - inFlight.size, unfilled))
  const asked = open.length > 1 && room > 0 && isSmart(deps, input)
  const ordered = asked ? await askForOrder(run, deps, input, open) : open.map(({ number }) => number)
  const queue = unfilled <= 0 ? found.unreviewed : []
  return { begin: ordered.slice(0, room), wanted: open.length, large: found.large, unreviewed: queue }
}

const isSmart = (deps: ShipDeps, { smart }: FeatureRunInput) =>
  smart || deps.settings.coordination.llm_coordinator_enabled

/** FA1: the coordinator may only choose among eligible issues. */
async function askForOrder(
  run: Run,
  deps: ShipDeps,
  { feature }: FeatureRunInput,
  issues: readonly { number: number }[],
): Promise<number[]> {
  const eligible = issues.map(({ number }) => number)
  const first = await run.step('select issue', async (step) => {
    const view = await readFeature(deps, feature)
    const list = eligible.map((number) => `- ${issueFacts(view, issueIn(view, number))}`).join('\n')
    const asked = await askInStep(run, step, deps, {
      agent: deps.coordinator(),
      kind: 'select-issue',
      messages: () => [
        {
          role: 'user',
          content: `These issues of ${feature} can be built now:\n${list}\n\n${finishedFacts(view)}\n\nWhich first? Prefer what others wait for and what is risky: it shows early whether the plan holds. Reply with {"issue": number, "reason": "…"}.`,
        },
      ],
      schema: selectIssueReply,
      repairs: 1,
      stream: eventHeader(feature).stream,
      feature,
    })
    const proposed = asked.exit.ok ? [asked.exit.value.issue] : []
    const ruling = rulingOnOrder(eligible, proposed)
    const issue = ruling.issue ?? eligible[0]!
    const reason = asked.exit.ok ? asked.exit.value.reason : 'the coordinator did not answer'
    step.emit(
      orderChosen.create(eventHeader(feature, run.runId), {
        ...ruling,
        issue,
        reason,
        eligible: [...eligible],
        proposed,
      }),
    )
    return issue
  })
  return [first, ...eligible.filter((number) => number !== first)]
}

async function endOf(
  run: Run,
  deps: ShipDeps,
  input: FeatureRunInput,
  tried: ReadonlyMap<number, IssueOutcome>,
): Promise<FeatureRunResult> {
  const { feature } = input
  const done = [...tried].filter(([, { status }]) => status === 'done').map(([number]) => number)
  const blocked = [...tried].filter(([, { status }]) => status === 'blocked').map(([number]) => number)
  const base = { feature, branch: shortName(integrationBranch(feature)), done, blocked }
  const state = await run.step('where it stands', async (step) => {
    const { view, events } = await syncFeature(deps, feature, run.runId)
    for (const event of events) step.emit(event)
    const one = input.issue === undefined ? undefined : issueIn(view, input.issue)
    const isMeant = (issue: IssueView) =>
      input.issue === undefined || issue.number === input.issue || issue.part_of === input.issue
    const failed = view.issues
      .filter(isMeant)
      .filter(
        ({ number, state }) =>
          state === 'BLOCKED' || state === 'MANUAL_REQUIRED' || (state === 'SKIPPED' && blocked.includes(number)),
      )
      .map(({ number, reason }) => ({ number, reason }))
    const isFinished = view.issues.every((issue) => issue.state === 'DONE' || issue.state === 'SKIPPED')
    const open = (one?.depends_on ?? []).filter((number) => findIssue(view, number)?.state !== 'DONE')
    const waits = open.length > 0 ? `it needs ${open.map((number) => `#${number}`).join(', ')} first` : undefined
    return { one: one ? { state: one.state, reason: one.reason ?? waits } : null, failed, isFinished }
  })
  const { failed } = state
  if (failed.length > 0) {
    const why = failed.map(({ number, reason }) => `#${number}: ${reason ?? 'blocked'}`).join('; ')
    return { ...base, status: 'failed', reason: `blocked: ${why}` }
  }
  if (state.one && state.one.state !== 'DONE') {
    const reason = `#${input.issue} is ${state.one.state}${state.one.reason ? `: ${state.one.reason}` : ''}`
    return { ...base, status: 'failed', reason }
  }
  const merged: { merged?: boolean; reason?: string } = input.merge
    ? await mergeHere(run, deps, feature, base.branch)
    : {}
  if (merged.reason !== undefined) return { ...base, status: 'failed', ...merged }
  if (!(input.pull_request ?? deps.settings.ship.pull_request) || !state.isFinished)
    return { ...base, status: 'done', ...merged }
  const refused = input.merge ? null : await refusedByPerson(run, deps, feature)
  if (refused) return { ...base, status: 'failed', reason: refused, ...merged }
  const proposed = await proposeMerge(run, deps, feature)
  return { ...base, status: proposed.reason === undefined ? 'done' : 'failed', ...merged, ...proposed }
}

/** Merges into the checked-out branch if the checkout is clean, and if a person agrees where they must be asked. */
async function mergeHere(
  run: Run,
  deps: ShipDeps,
  feature: string,
  branch: string,
): Promise<{ merged: boolean; reason?: string }> {
  const refused = await refusedByPerson(run, deps, feature)
  if (refused) return { merged: false, reason: refused }
  return run.step('merge into target', async (step) => {
    const workspace = await deps.workspace()
    const { repository } = workspace
    const commit = await repository.resolve(integrationBranch(feature))
    if (commit === null) return { merged: false }
    const again = `convene run ${feature} --merge`
    const verified = await lastVerified(deps, repository, feature, commit)
    const work = { commit: verified, branch, criteria: [], suites: await suitesOf(deps, feature), again }
    const base = (await repository.mergeBase('HEAD', commit)) ?? 'HEAD'
    const input = { build: run.runId, feature, path: [feature], spec: { id: feature }, base }
    const who = { run, workspace, deps, input }
    const merged = await mergeVerified(who, step, work, await repository.currentBranch())
    // TR10: another git works here, or left its lock; the step waits for the person who ends it.
    if (!merged.merged && merged.reason === 'busy') throw new ConveneError('git_busy', merged.detail)
    return merged.merged ? { merged: true } : { merged: false, reason: `${merged.reason}: ${merged.detail}` }
  })
}

/** The last commit that Convene merged into the feature's branch; the branch's tip if the log has none. */
async function lastVerified(
  { store }: ShipDeps,
  repository: Repository,
  feature: string,
  tip: string,
): Promise<string> {
  const events = await store.read({ feature, types: [mergeCompleted.type] })
  const branch = shortName(integrationBranch(feature))
  const merges = events.flatMap((event) =>
    mergeCompleted.is(event) && event.data.into === branch ? [event.data.mergeCommit] : [],
  )
  const isIn = await repository.reachable(merges, tip)
  return merges.findLast((commit) => isIn.has(commit)) ?? tip
}

/** TR2, TR11: why the feature's branch may not leave Convene; null if it may. Asked once for a feature. */
async function refusedByPerson(run: Run, deps: ShipDeps, feature: string): Promise<string | null> {
  const { repository } = await openedWorkspace(run, deps)
  const work = await run.step('what would be merged', async () => {
    const commit = await repository.resolve(integrationBranch(feature))
    const from = commit === null ? null : await repository.mergeBase('HEAD', commit)
    return commit === null || from === null ? null : { commit, from, target: await repository.currentBranch() }
  })
  if (work === null) return null
  const asking = { activity: deps.activity, settings: deps.settings.build }
  const header = eventHeader(feature, run.runId)
  return (await approveMerge(run, asking, repository, { ...work, header }))?.reason ?? null
}

/** The contract suites of the feature's builds. */
async function suitesOf({ store }: ShipDeps, feature: string): Promise<string[]> {
  const accepted = (await store.read({ feature, types: [scaffoldAccepted.type] })).filter((event) =>
    scaffoldAccepted.is(event),
  )
  const tops = accepted.filter(({ data }) => data.path.length === 1)
  return [...new Set(tops.flatMap(({ data }) => data.contractSuite ?? []))]
}
