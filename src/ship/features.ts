/** Features as the outside sees them: greenlight, run, status, unblock. Each looks at git first. IS4. */
import { randomUUID } from 'node:crypto'
import { importIssues } from '../forge/import-issues.ts'
import type { Engine, RunSummary, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { NewEvent } from '../kernel/events.ts'
import type { Question, Questions } from '../kernel/questions.ts'
import { graphFaults } from '../rules/issue-graph.ts'
import { greenlitState } from '../rules/issue-reconcile.ts'
import { dependOnLastPart, partsOf, sizeGate, splitByRule } from '../rules/issue-size.ts'
import { specIdSchema } from '../rules/spec.ts'
import { featureGreenlit, featureRunStarted, type IssueDefinition, issueSplit } from './events.ts'
import { moveEvent, partMark, placeOf, readFeature, syncFeature } from './feature-state.ts'
import { mainBranchOf } from './git-history.ts'
import { issueIn } from './issue-run.ts'
import type { FeatureRunInput, FeatureRunResult } from './run.ts'
import type { ShipSurroundings } from './surroundings.ts'
import type { FeatureView, IssueView } from './view.ts'

export interface IssueLine {
  number: number
  title: string
  state: string
  reason?: string
  commit?: string
  evidence: { kind: string; detail: string }[]
  elsewhere: { branch: string; commit: string }[]
}

/** What `greenlight`, `run`, `status` and `unblock` print. */
export interface FeatureReport {
  feature: string
  issues: IssueLine[]
  synced: number
  reason?: string
}

export type FeatureStatus = 'running' | 'waiting' | 'stopped' | 'done' | 'failed'

export interface FeatureRunReport extends FeatureReport {
  run: string
  status: FeatureStatus
  code?: string
  branch: string
  questions?: Question[]
  merged?: boolean
}

export class Features {
  readonly #parts: {
    engine: Engine
    questions: Questions
    around: ShipSurroundings
    workflow: Workflow<FeatureRunInput, FeatureRunResult>
  }
  /** Two commands at once must not both write down the same move. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: {
    engine: Engine
    questions: Questions
    around: ShipSurroundings
    workflow: Workflow<FeatureRunInput, FeatureRunResult>
  }) {
    this.#parts = parts
  }

  /** Admits issues to be worked on. What is DONE stays so; a list that could never be worked off is refused. */
  greenlight(feature: string, issues: IssueDefinition[]): Promise<FeatureReport> {
    return this.#inTurn(async () => {
      const { around } = this.#parts
      const named = specIdSchema.safeParse(feature)
      if (!named.success)
        throw new ConveneError('invalid_input', `feature: '${feature}' cannot name a branch`, {
          path: 'feature',
          expected: 'letters, digits, dots and dashes',
        })
      const before = await readFeature(around, feature)
      const listed = issues.length > 0 ? issues : before.issues.map(definitionOf)
      if (listed.length === 0)
        throw new ConveneError(
          'no_issues',
          `feature ${feature} has no issues; name a file: convene greenlight ${feature} --issues issues.json`,
          { path: 'issues' },
        )
      const all = [
        ...before.issues.filter(({ number }) => !listed.some((one) => one.number === number)).map(definitionOf),
        ...listed,
      ]
      const { errors } = graphFaults(all)
      if (errors.length > 0)
        throw new ConveneError('invalid_issues', errors.join('; '), {
          path: 'issues',
          expected: 'numbers that are there once, dependencies that exist, and no circle',
        })
      const { repository } = await around.workshop()
      await repository.excludeFromGit('.convene/')
      const main = before.main || (await mainBranchOf(repository))
      const { fitting, splits } = fitted(listed, all)
      await around.store.append([
        featureGreenlit.create(placeOf(feature), { feature, issues: fitting, main, synced: 0 }),
      ])
      const { view, events, synced } = await syncFeature(around, feature)
      const moves: NewEvent[] = [...events]
      for (const issue of view.issues) {
        const parts = splits.get(issue.number)
        if (parts && issue.state !== 'DONE' && issue.state !== 'SPLIT') {
          moves.push(issueSplit.create(placeOf(feature), { issue: issue.number, parts }))
          const split = moveEvent(placeOf(feature), { ...issue, state: greenlitState(issue.state) }, 'split')
          const ready = moveEvent(placeOf(feature), issue, 'greenlit')
          moves.push(...[ready, split].filter((event): event is NewEvent => event !== null))
          continue
        }
        const to = greenlitState(issue.state)
        const move = to === issue.state ? null : moveEvent(placeOf(feature), issue, 'greenlit')
        if (move) moves.push(move)
      }
      await around.store.append(moves)
      await around.tellForge?.()
      return this.#report(await readFeature(around, feature), synced)
    })
  }

  /** Issues that people wrote on the forge, as those of a feature: `label:x`. */
  async importFrom(query: string): Promise<IssueDefinition[]> {
    const { around } = this.#parts
    if (!around.forge)
      throw new ConveneError(
        'no_forge',
        'there is no forge to import from: set forge.github.repo in convene.yaml, and the token',
        {
          path: 'forge.github.repo',
        },
      )
    const found = await importIssues(await around.forge(), query)
    return found.map(({ acceptance_criteria, ...issue }) => ({
      ...issue,
      acceptance_criteria: acceptance_criteria.length > 0 ? acceptance_criteria : [{ id: 'c1', text: issue.title }],
      size: 'medium',
      business_value: 0,
      risk: 0,
    }))
  }

  status(feature: string): Promise<FeatureReport> {
    return this.#inTurn(async () => {
      const { around } = this.#parts
      await this.#existing(feature)
      const { events, synced } = await syncFeature(around, feature)
      if (events.length > 0) await around.store.append(events)
      return this.#report(await readFeature(around, feature), synced)
    })
  }

  /** A person has looked at it: it may be tried again, and those that waited for it come back. */
  unblock(feature: string, number: number): Promise<FeatureReport> {
    return this.#inTurn(async () => {
      const { around } = this.#parts
      const view = await this.#existing(feature)
      const issue = issueIn(view, number)
      const move = moveEvent(placeOf(feature), issue, 'unblocked')
      if (!move)
        throw new ConveneError(
          'not_blocked',
          `#${number} is ${issue.state}: only what is blocked, skipped or left to a person can be unblocked`,
          { status: 409, path: 'issue' },
        )
      await around.store.append([move])
      const { events, synced } = await syncFeature(around, feature)
      if (events.length > 0) await around.store.append(events)
      await around.tellForge?.()
      return this.#report(await readFeature(around, feature), synced)
    })
  }

  async list(): Promise<{ feature: string; issues: number; done: number; blocked: number; run?: string }[]> {
    const { around } = this.#parts
    const greenlit = await around.store.read({ types: [featureGreenlit.type] })
    const names = [...new Set(greenlit.flatMap((event) => event.feature ?? []))]
    return Promise.all(
      names.map(async (feature) => {
        const { issues } = await readFeature(around, feature)
        const active = await this.#activeRun(feature)
        const count = (state: string) => issues.filter((one) => one.state === state).length
        return {
          feature,
          issues: issues.length,
          done: count('DONE'),
          blocked: count('BLOCKED'),
          ...(active ? { run: active } : {}),
        }
      }),
    )
  }

  async get(feature: string): Promise<FeatureView & { seq: number; run?: string }> {
    const seq = await this.#parts.around.store.lastSeq()
    const view = await this.#existing(feature)
    const active = await this.#activeRun(feature)
    return { ...view, seq, ...(active ? { run: active } : {}) }
  }

  /** A second start while one is under way is the same run. */
  async start(
    feature: string,
    options: { issue?: number; smart?: boolean; merge?: boolean; id?: string } = {},
  ): Promise<{ id: string }> {
    const { engine, around, workflow } = this.#parts
    await around.workshop()
    const view = await this.#existing(feature)
    if (options.issue !== undefined) issueIn(view, options.issue)
    const active = await this.#activeRun(feature)
    if (active) {
      await engine.resume(active)
      return { id: active }
    }
    const run = options.id ?? `run-${randomUUID()}`
    const { issue, smart = false, merge = false } = options
    const input = { feature, smart, merge, ...(issue === undefined ? {} : { issue }) }
    await engine.start(workflow, input, { id: run, events: [featureRunStarted.create(placeOf(feature, run), input)] })
    return { id: run }
  }

  async report(run: string): Promise<FeatureRunReport> {
    const { engine, around, questions } = this.#parts
    const summary = await engine.get(run)
    if (!summary || !this.isOwn(summary))
      throw new ConveneError('unknown_run', `there is no run '${run}' of a feature`, { status: 404, path: 'run' })
    const feature = await this.#featureOf(run)
    const base = { ...this.#report(await readFeature(around, feature), 0), run, branch: `convene/${feature}/main` }
    const open = (await questions.open()).filter((one) => one.run === run || one.run.startsWith(`${run}/`))
    const asked = open.length > 0 ? { questions: open } : {}
    const result = summary.result as FeatureRunResult | undefined
    if (summary.status === 'done' && result) {
      const { status, reason, merged } = result
      return {
        ...base,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(merged === undefined ? {} : { merged }),
      }
    }
    if (summary.status === 'running') {
      const waiting = open.length > 0 && around.attendance.isIdle(run)
      return { ...base, status: waiting ? 'waiting' : 'running', ...asked }
    }
    if (summary.status === 'needs-attention' && summary.reason === 'stopped')
      return { ...base, status: 'stopped', reason: 'stopped', ...asked }
    const named = ['budget_exhausted', 'out_of_time', 'script_exhausted'].includes(summary.code ?? '')
    const reason = named ? summary.code : summary.reason
    return {
      ...base,
      status: 'failed',
      ...(reason === undefined ? {} : { reason }),
      ...(summary.code === undefined ? {} : { code: summary.code }),
    }
  }

  isOwn(run: RunSummary): boolean {
    return run.workflow === this.#parts.workflow.name
  }

  async stop(run: string): Promise<void> {
    const { engine, around } = this.#parts
    if ((await engine.get(run))?.status !== 'running') return
    await engine.pause(run, 'stopped')
    around.attendance.forget(run)
  }

  #report(view: FeatureView, synced: number): FeatureReport {
    return { feature: view.feature, issues: view.issues.map(lineOf), synced }
  }

  async #existing(feature: string): Promise<FeatureView> {
    const view = await readFeature(this.#parts.around, feature)
    if (view.issues.length > 0) return view
    throw new ConveneError(
      'unknown_feature',
      `feature '${feature}' has no issues yet: convene greenlight ${feature} --issues issues.json`,
      { status: 404, path: 'feature' },
    )
  }

  async #activeRun(feature: string): Promise<string | null> {
    const { engine, workflow } = this.#parts
    for (const status of ['running', 'needs-attention'] as const) {
      for (const { id } of await engine.list({ workflow: workflow.name, status })) {
        if ((await this.#featureOf(id)) === feature) return id
      }
    }
    return null
  }

  async #featureOf(run: string): Promise<string> {
    const [started] = await this.#parts.around.store.read({ run, types: [featureRunStarted.type], limit: 1 })
    return started?.feature ?? ''
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#turn.then(work, work)
    this.#turn = next.catch(() => {})
    return next
  }
}

/** IS5: an issue too large for one agent goes on in parts; whoever needed it needs its last part. */
function fitted(listed: readonly IssueDefinition[], all: readonly IssueDefinition[]) {
  const splits = new Map<number, IssueDefinition[]>()
  let free = Math.max(0, ...all.map(({ number }) => number)) + 1
  for (const issue of listed) {
    if (sizeGate(issue.acceptance_criteria.length, false) !== 'split') continue
    const parts = partsOf(issue, splitByRule(issue.acceptance_criteria), free).map((part, index) => ({
      ...issue,
      ...part,
      title: `${issue.title} (part ${index + 1})`,
      body: `${partMark(issue.number)}\n\n${issue.body}`,
      github: undefined,
    }))
    free += parts.length
    splits.set(issue.number, parts.map(withoutUndefined))
  }
  const fitting = listed.map((issue) => {
    let depends_on = [...issue.depends_on]
    for (const [whole, parts] of splits) depends_on = dependOnLastPart(depends_on, whole, parts.at(-1)!.number)
    return { ...issue, depends_on }
  })
  return { fitting, splits }
}

function withoutUndefined(issue: IssueDefinition): IssueDefinition {
  return Object.fromEntries(
    Object.entries(issue).filter(([, value]) => value !== undefined),
  ) as unknown as IssueDefinition
}

function definitionOf(issue: IssueView): IssueDefinition {
  const {
    number,
    title,
    body,
    acceptance_criteria,
    depends_on,
    size,
    business_value,
    risk,
    target_path,
    test_path,
    github,
  } = issue
  return withoutUndefined({
    number,
    title,
    body,
    acceptance_criteria,
    depends_on,
    size,
    business_value,
    risk,
    target_path,
    test_path,
    github,
  } as IssueDefinition)
}

function lineOf({ number, title, state, reason, commit, evidence, elsewhere }: IssueView): IssueLine {
  return {
    number,
    title,
    state,
    evidence,
    elsewhere,
    ...(reason === undefined ? {} : { reason }),
    ...(commit === undefined ? {} : { commit }),
  }
}
