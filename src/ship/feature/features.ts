/** The public API of features: greenlight, run, status, review, unblock. Each syncs with git first. IS4. */
import { randomUUID } from 'node:crypto'
import { refuseTakenBranch } from '../../build/graph/refuse-taken-branch.ts'
import type { Behind } from '../../forge/outbox.ts'
import type { Engine, RunSummary, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { WorkStatus } from '../../kernel/run-events.ts'
import { topOf } from '../../kernel/run-tree.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import { specIdSchema } from '../../rules/build/spec.ts'
import { dependencySkips } from '../../rules/issues/issue-skips.ts'
import type { ShipDeps } from '../deps.ts'
import {
  featureGreenlit,
  featureRunStarted,
  type IssueDefinition,
  issueMoved,
  issueReviewed,
  issueStarted,
  shipStarted,
} from '../events.ts'
import { oneSpelling, unknownFeature } from '../feature-name.ts'
import { eventHeader, historyOf, issueIn, moveEvent, readFeature, syncFeature } from '../feature-state.ts'
import { cutOf, mainBranchOf } from '../git-history.ts'
import { headOf } from '../issue/duplicates.ts'
import { type IssueLine, issuesInGit, lineOf } from '../issue/issue-line.ts'
import { isReviewQuestion, isUnreviewed, unreviewed } from '../issue/review-queue.ts'
import { reactionTo } from '../tracker/forge-reaction.ts'
import type { Noticed } from '../tracker/forge-watch.ts'
import { type FeatureView, findIssue } from '../view.ts'
import { admittingMoves, listToAdmit } from './admit-issues.ts'
import type { FeatureRunInput, FeatureRunResult } from './feature-run.ts'
import { issuesFromForge } from './import-feature.ts'
import { type LeftToDo, leftToDo } from './left-to-do.ts'

/** What `greenlight`, `run`, `status` and `unblock` print. */
export interface FeatureReport {
  feature: string
  issues: IssueLine[]
  synced: number
  reason?: string
  /** [GH4] At greenlight: why issues with a forge number are not synced there. */
  forge_off?: string
  /** [GH3] Set when the forge is not up to date. */
  tracker?: Behind
  /** What makes the report less reliable than it looks. */
  warnings?: string[]
}

export type FeatureStatus = WorkStatus

export interface FeatureRunReport extends FeatureReport, LeftToDo {
  run: string
  status: FeatureStatus
  code?: string
  branch: string
  questions?: Question[]
  merged?: boolean
  pull_request?: { number: number; url: string }
}

/** A command that only reads waits no longer than this for the forge. */
const briefMs = 2000

export class Features {
  readonly #parts: {
    engine: Engine
    questions: Questions
    deps: ShipDeps
    workflow: Workflow<FeatureRunInput, FeatureRunResult>
  }
  readonly #lifecycle: WorkLifecycle<FeatureRunResult>
  /** Known features, and how far the log was read for them. */
  readonly #listed = { seq: 0, names: new Set<string>() }
  /** Serialises commands: two at once must not both record the same move. */
  readonly #queue = new SerialQueue()

  constructor(parts: {
    engine: Engine
    questions: Questions
    deps: ShipDeps
    workflow: Workflow<FeatureRunInput, FeatureRunResult>
  }) {
    this.#parts = parts
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownRun })
  }

  /** Admits issues to be built. DONE issues stay DONE; a list that could never be finished is refused. */
  async greenlight(name: string, issues: IssueDefinition[]): Promise<FeatureReport> {
    const feature = oneSpelling(name)
    const report = await this.#admit(feature, issues)
    await this.#parts.deps.flushForge?.()
    return { ...report, ...(await this.#warnings()), ...(await this.#tracker(feature)) }
  }

  /** [IS4] A shallow clone hides commits from before its cut-off. */
  async #warnings(): Promise<{ warnings?: string[] }> {
    const { repository } = await this.#parts.deps.workspace()
    if (cutOf(repository) === '') return {}
    return {
      warnings: [
        'this clone is shallow: what was implemented before its first commit is not seen, and would be built again; `git fetch --unshallow` shows the rest',
      ],
    }
  }

  /** What the forge does not have yet; empty when it is up to date. */
  async #tracker(feature: string): Promise<{ tracker?: Behind }> {
    const behind = await this.#parts.deps.pendingOnForge?.(feature)
    return behind ? { tracker: behind } : {}
  }

  #admit(feature: string, issues: IssueDefinition[]): Promise<FeatureReport> {
    return this.#queue.run('features', async () => {
      const { deps } = this.#parts
      const before = await readFeature(deps, feature)
      const listed = listToAdmit(before, issues)
      const { repository } = await deps.workspace()
      await refuseTakenBranch(repository, feature)
      await repository.excludeFromGit('.convene/')
      const main = before.main || (await mainBranchOf(repository))
      const head = await headOf(deps, { feature, main })
      await deps.store.append([
        featureGreenlit.create(eventHeader(feature), { feature, issues: listed, main, synced: 0, head }),
      ])
      const found = await this.#sync(feature)
      const view = await readFeature(deps, feature)
      const { done } = await historyOf(deps, feature, view)
      await deps.store.append(admittingMoves(view, new Set(done.map(({ number }) => number))))
      // Parts are issues too, and git may know them.
      const again = await this.#sync(feature)
      const { forgeOff } = deps
      const isOff = forgeOff !== undefined && listed.some(({ github }) => github !== undefined)
      const report = this.#report(await readFeature(deps, feature), found + again)
      return { ...report, ...(isOff ? { forge_off: forgeOff } : {}) }
    })
  }

  /** Reads issues from the forge: `label:x`. */
  async importFrom(query: string): Promise<IssueDefinition[]> {
    const { deps } = this.#parts
    return issuesFromForge(await deps.forge?.(), query, deps.forgeOff)
  }

  /** Syncs with git and reports. A feature started without Convene is reported from its commits. */
  async status(name: string): Promise<FeatureReport> {
    const { deps } = this.#parts
    const feature = oneSpelling(name)
    const report = await this.#queue.run('features', async () => {
      const before = await readFeature(deps, feature)
      if (before.issues.length === 0) return (await this.#begunElsewhere(before)) ?? this.#unknown(feature)
      const synced = await this.#sync(feature)
      return this.#report(await readFeature(deps, feature), synced)
    })
    await deps.flushForge?.(briefMs)
    return { ...report, ...(await this.#warnings()), ...(await this.#tracker(feature)) }
  }

  /** Marks finished issues as reviewed. A run that waited for reviews continues. */
  reviewed(name: string, numbers: readonly number[] | 'all'): Promise<FeatureReport> {
    return this.#queue.run('features', async () => {
      const { deps, questions } = this.#parts
      const feature = oneSpelling(name)
      const view = await this.#existing(feature)
      const named = numbers === 'all' ? unreviewed(view.issues) : numbers
      const unfinished = named.map((number) => issueIn(view, number)).find(({ state }) => state !== 'DONE')
      if (unfinished)
        throw new ConveneError(
          'not_done',
          `#${unfinished.number} is ${unfinished.state}: only finished issues can be reviewed`,
          { status: 409, path: 'issue' },
        )
      const fresh = named.filter((number) => !issueIn(view, number).reviewed)
      await deps.store.append(fresh.map((issue) => issueReviewed.create(eventHeader(feature), { issue })))
      const now = await readFeature(deps, feature)
      const { max_unreviewed } = deps.settings.ship
      const isFree = max_unreviewed === null || unreviewed(now.issues).length < max_unreviewed
      for (const question of isFree ? await questions.open() : []) {
        if (!isReviewQuestion(question, feature)) continue
        const reviewed = question.numbers?.filter((number) => !isUnreviewed(issueIn(now, number)))
        await questions.answer(question.id, { text: reviewed?.join(', ') ?? 'go on' })
      }
      return this.#report(now, 0)
    })
  }

  /** Makes a blocked issue READY again, and with it the issues that were skipped because of it. */
  async unblock(name: string, number: number): Promise<FeatureReport> {
    const { deps } = this.#parts
    const feature = oneSpelling(name)
    const report = await this.#queue.run('features', async () => {
      const view = await this.#existing(feature)
      const issue = issueIn(view, number)
      const move = moveEvent(eventHeader(feature), issue, 'unblocked')
      if (!move)
        throw new ConveneError(
          'not_blocked',
          `#${number} is ${issue.state}: only issues that are BLOCKED, SKIPPED or MANUAL_REQUIRED can be unblocked`,
          { status: 409, path: 'issue' },
        )
      const freed = view.issues.map((one) => (one === issue ? { ...one, state: 'READY' as const } : one))
      const held = dependencySkips(freed).find((skip) => skip.number === number)
      if (held)
        throw new ConveneError(
          'dependency_blocked',
          `#${number} ${held.reason}: unblock #${held.root} first; this issue then becomes READY by itself`,
          { status: 409, path: 'issue', expected: `convene unblock ${feature} --issue ${held.root}` },
        )
      await deps.store.append([move])
      const synced = await this.#sync(feature)
      return this.#report(await readFeature(deps, feature), synced)
    })
    await deps.flushForge?.()
    return { ...report, ...(await this.#tracker(feature)) }
  }

  /** Records what people did on the forge together with what follows from it. */
  noticed(noticed: readonly Noticed[]): Promise<void> {
    return this.#queue.run('features', async () => {
      const { deps } = this.#parts
      for (const one of noticed) {
        const issue = findIssue(await readFeature(deps, one.feature), one.number)
        if (issue) await deps.store.append(reactionTo(one, issue))
      }
      for (const feature of new Set(noticed.map((one) => one.feature))) await this.#sync(feature)
    })
  }

  async list(): Promise<{ feature: string; issues: number; done: number; blocked: number; run?: string }[]> {
    const { deps } = this.#parts
    const active = await this.#activeRuns()
    return Promise.all(
      (await this.#names()).map(async (feature) => {
        const { issues } = await readFeature(deps, feature)
        const run = active.get(feature)
        const count = (state: string) => issues.filter((one) => one.state === state).length
        return {
          feature,
          issues: issues.length,
          done: count('DONE'),
          blocked: count('BLOCKED'),
          ...(run === undefined ? {} : { run }),
        }
      }),
    )
  }

  async get(name: string): Promise<FeatureView & { seq: number; run?: string }> {
    const feature = oneSpelling(name)
    // While a ship is still planning, its feature has no issues.
    if (!(await this.#isShipped(feature))) await this.#existing(feature)
    const { view, seq } = await this.#parts.deps.views.readWithSeq(feature)
    const active = await this.#activeRun(feature)
    return { ...view, seq, ...(active ? { run: active } : {}) }
  }

  /** Starting again while a run is unfinished resumes that run. */
  async start(
    name: string,
    options: Partial<Omit<FeatureRunInput, 'feature'>> & { id?: string } = {},
  ): Promise<{ id: string; warnings?: string[]; continues?: number }> {
    const { engine, deps, workflow } = this.#parts
    const feature = oneSpelling(name)
    const { repository } = await deps.workspace()
    const view = await this.#existing(feature)
    if (options.issue !== undefined) issueIn(view, options.issue)
    await refuseTakenBranch(repository, feature)
    const warnings = await this.#warnings()
    return this.#queue.run('features', async () => {
      const active = await this.#activeRun(feature)
      if (active) {
        const continues = await deps.store.lastSeq()
        // The run may belong to a ship, which is resumed as a whole.
        await engine.resume((await topOf(engine, active))?.id ?? active)
        return { id: active, continues, ...warnings }
      }
      const run = options.id ?? `run-${randomUUID()}`
      const { issue, smart = false, merge = false, pull_request, answers, yes } = options
      const input = { feature, smart, merge, ...given({ issue, pull_request, answers, yes }) }
      await engine.start(workflow, input, {
        id: run,
        events: [featureRunStarted.create(eventHeader(feature, run), input)],
      })
      return { id: run, ...warnings }
    })
  }

  async report(run: string): Promise<FeatureRunReport> {
    const { deps } = this.#parts
    const summary = await this.#lifecycle.find(run)
    if (summary.status === 'needs-attention') await this.interruptIssues(run)
    const feature = await this.#featureOf(run)
    const view = await readFeature(deps, feature)
    const { reason: waits, ...standing } = this.#report(view, await this.#syncedBy(run))
    const tracker = summary.status === 'running' ? {} : await this.#tracker(feature)
    const base = { ...standing, ...(await this.#warnings()), ...tracker, run, branch: `convene/${feature}/main` }
    const state = await this.#lifecycle.stateOf(summary)
    if (state.status === 'failed') return { ...base, ...state, ...leftToDo(summary, view.issues) }
    if (state.status === 'waiting') return { ...base, ...given({ reason: waits }), ...state }
    if (state.status !== 'done') return { ...base, ...state }
    const { status, reason, merged, pull_request } = state.result
    return { ...base, status, ...given({ reason, merged, pull_request }) }
  }

  /** [IS1] A tree of runs was parked: marks the issues it was building as INTERRUPTED, and updates the forge. */
  async interruptIssues(top: string): Promise<void> {
    const { deps } = this.#parts
    const started = await deps.store.read({ run: top, types: [issueStarted.type] })
    const features = new Set(started.flatMap(({ feature }) => feature ?? []))
    if (features.size === 0) return
    await this.#queue.run('features', async () => {
      for (const feature of features) await this.#sync(feature)
    })
    await deps.flushForge?.(briefMs)
  }

  isOwn(run: RunSummary): boolean {
    return this.#lifecycle.owns(run)
  }

  /** Parks it; `resume` continues it. */
  stop(run: string): Promise<void> {
    return this.#lifecycle.stop(run)
  }

  #report(view: FeatureView, synced: number): FeatureReport {
    const { max_unreviewed } = this.#parts.deps.settings.ship
    const waiting = unreviewed(view.issues).length
    const isFull =
      max_unreviewed !== null && waiting >= max_unreviewed && view.issues.some(({ state }) => state === 'READY')
    const reason = isFull ? { reason: `waiting for review: ${waiting}` } : {}
    return { feature: view.feature, issues: view.issues.map(lineOf), synced, ...reason }
  }

  /** Syncs with git; returns how many issues that moved. */
  async #sync(feature: string): Promise<number> {
    const { deps } = this.#parts
    const { events, synced } = await syncFeature(deps, feature)
    if (events.length > 0) await deps.store.append(events)
    return synced
  }

  /** How many issues the run itself moved when it synced with git. */
  async #syncedBy(run: string): Promise<number> {
    const moves = await this.#parts.deps.store.read({ run, types: [issueMoved.type] })
    const bySync = moves.filter(
      (event) => event.run === run && issueMoved.is(event) && ['found_done', 'reverted'].includes(event.data.cause),
    )
    return bySync.length
  }

  async #existing(feature: string): Promise<FeatureView> {
    const view = await readFeature(this.#parts.deps, feature)
    return view.issues.length > 0 ? view : this.#unknown(feature)
  }

  async #isShipped(feature: string): Promise<boolean> {
    return (await this.#parts.deps.store.read({ feature, types: [shipStarted.type], limit: 1 })).length > 0
  }

  #unknown(feature: string): never {
    throw unknownFeature(feature)
  }

  /** Null if git has no commit of it either. Records nothing: greenlight does that. */
  async #begunElsewhere(view: FeatureView): Promise<FeatureReport | null> {
    const { deps } = this.#parts
    const { feature } = view
    if (!specIdSchema.safeParse(feature).success) return null
    const { done, reverted, elsewhere } = await historyOf(deps, feature, view)
    const issues = issuesInGit({ done, reverted, elsewhere })
    return issues.length === 0 ? null : { feature, issues, synced: done.length }
  }

  async #activeRun(feature: string): Promise<string | null> {
    return (await this.#activeRuns()).get(feature) ?? null
  }

  /** By feature: its running run, otherwise its parked one; the latest of several. */
  async #activeRuns(): Promise<Map<string, string>> {
    const active = new Map<string, string>()
    for (const status of ['running', 'needs-attention'] as const) {
      for (const { id } of await this.#lifecycle.list(status)) {
        const feature = await this.#featureOf(id)
        if (!active.has(feature)) active.set(feature, id)
      }
    }
    return active
  }

  /** Every feature ever greenlit, in the order of the first greenlight. */
  async #names(): Promise<string[]> {
    const events = await this.#parts.deps.store.read({ types: [featureGreenlit.type], after: this.#listed.seq })
    for (const { seq, feature } of events) {
      if (feature !== undefined) this.#listed.names.add(feature)
      this.#listed.seq = Math.max(this.#listed.seq, seq)
    }
    return [...this.#listed.names]
  }

  async #featureOf(run: string): Promise<string> {
    const [started] = await this.#parts.deps.store.read({ run, types: [featureRunStarted.type], limit: 1 })
    return started?.feature ?? ''
  }
}

function unknownRun(run: string): ConveneError {
  return new ConveneError('unknown_run', `there is no feature run '${run}'`, { status: 404, path: 'run' })
}

function given<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}
