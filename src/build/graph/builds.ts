/** The public operations on builds: start, list, view, stop and resume. */
import { randomUUID } from 'node:crypto'
import { type Engine, hasEnded, type RunSummary, type Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { CachedFolds } from '../../kernel/runs/cached-folds.ts'
import { isSpent } from '../../kernel/runs/parking.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import type { Store } from '../../kernel/store.ts'
import type { BuildStrategy, Spec } from '../../rules/build/spec.ts'
import { isRefusal } from '../../workspace/merge/merge-into-target.ts'
import { integrationBranch, shortName } from '../branches.ts'
import type { BuildDeps } from '../deps.ts'
import { type BuildLine, type BuildStatus, type BuildView, buildView } from '../view.ts'
import { refuseTakenBranch } from './refuse-taken-branch.ts'
import type { BuildInput, BuildResult } from './run.ts'

export interface BuildRequest {
  spec: Spec
  /** Where it was read from: `resume` notices if that was edited. */
  file?: string
  strategy?: BuildStrategy
  merge?: boolean
  /** Idempotency key: starting the same id again returns the same build. */
  id?: string
}

/** The final report of a build, as `--json` prints it. */
export interface BuildReport {
  run: string
  status: BuildStatus
  reason?: string
  code?: string
  /** The full error, if `reason` is only its code. */
  error?: { code: string; message: string }
  branch: string
  commit: string | null
  tree: string | null
  questions?: Question[]
  merged?: boolean
}

export class Builds {
  readonly #engine: Engine
  readonly #deps: BuildDeps
  readonly #workflow: Workflow<BuildInput, BuildResult>
  readonly #lifecycle: WorkLifecycle<BuildResult>
  readonly #folds: CachedFolds<BuildView>
  readonly #starting = new SerialQueue()
  /** Specs that runs of this process are building; their first event comes a little later. */
  readonly #begun = new Map<string, string>()

  constructor(parts: {
    store: Store
    engine: Engine
    questions: Questions
    deps: BuildDeps
    workflow: Workflow<BuildInput, BuildResult>
  }) {
    this.#engine = parts.engine
    this.#deps = parts.deps
    this.#workflow = parts.workflow
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownBuild })
    this.#folds = new CachedFolds(parts.store, { fold: buildView, query: (run) => ({ run }) })
  }

  async start({ spec, file, strategy = 'auto', merge = false, id }: BuildRequest): Promise<{ id: string }> {
    // Fail before starting a run: no repository, no commit, no test command, or a blocked branch name.
    const { repository } = await this.#deps.workspace()
    await refuseTakenBranch(repository, spec.id)
    const run = id ?? `build-${randomUUID()}`
    // Serialised: two concurrent requests would both find that nothing builds this spec.
    await this.#starting.run(spec.id, async () => {
      const active = await this.#activeFor(spec.id, run)
      if (active)
        throw new ConveneError(
          'already_building',
          `spec '${spec.id}' is being built by run ${active}; stop or resume that one`,
          { status: 409, path: 'spec.id' },
        )
      this.#begun.set(run, spec.id)
      await this.#engine.start(
        this.#workflow,
        { spec, strategy, merge, ...(file === undefined ? {} : { file }) },
        { id: run },
      )
    })
    return { id: run }
  }

  async list(): Promise<BuildLine[]> {
    const runs = await this.#lifecycle.list()
    return Promise.all(
      runs.map((run) => this.#folds.read(run.id, (view) => buildLine(run.id, view), { isFinal: hasEnded(run) })),
    )
  }

  /** The folded view, and the `seq` from which a browser continues it. */
  async get(id: string): Promise<BuildView & { seq: number }> {
    await this.#lifecycle.find(id)
    const view = await this.#folds.read(id, (view, { seq }) => ({ ...structuredClone(view), seq }))
    if (view.status === 'running' && (await this.#lifecycle.isWaiting(id))) view.status = 'waiting'
    return view
  }

  async report(id: string): Promise<BuildReport> {
    const run = await this.#lifecycle.find(id)
    const view = await this.#folds.read(id, ({ spec, branch, merge }) => ({ spec, branch, merge }))
    const state = await this.#lifecycle.stateOf(run)
    const branch = view.branch || shortName(integrationBranch(view.spec))
    if (state.status === 'done') {
      const { status, reason, commit, tree, merged } = state.result
      return { run: id, status, branch, commit, tree, ...given({ reason, merged }) }
    }
    const base = { run: id, branch, ...(await this.#soFar(branch)) }
    if (state.status !== 'failed' || state.code === undefined) return { ...base, ...state }
    const { code } = state
    const isUnmerged = view.merge && isRefusal(code)
    if (!isUnmerged && !isNamedEnd(code)) return { ...base, ...state }
    const error = { code, message: run.reason ?? code }
    return { ...base, status: 'failed', reason: code, code, error, ...(isUnmerged ? { merged: false } : {}) }
  }

  /** Parks it; `resume` continues it. */
  async stop(id: string): Promise<BuildReport> {
    await this.#lifecycle.find(id)
    await this.#lifecycle.stop(id)
    this.#deps.queues.forget(id)
    return this.report(id)
  }

  isOwn(run: RunSummary): boolean {
    return this.#lifecycle.owns(run)
  }

  async diff(id: string, commit: string): Promise<{ text: string; cut: boolean }> {
    await this.#lifecycle.find(id)
    const { repository } = await this.#deps.workspace()
    const known = await this.#folds.read(id, ({ nodes }) =>
      nodes.flatMap(({ commits, merge }) => [
        ...commits.map((one) => ({ commit: one.commit, parent: one.parent })),
        ...(merge ? [{ commit: merge.commit, parent: `${merge.commit}^1` }] : []),
      ]),
    )
    const found = known.find((one) => one.commit === commit)
    if (!found)
      throw new ConveneError('unknown_commit', `build ${id} made no commit ${commit}`, { status: 404, path: 'commit' })
    return repository.diff(found.parent, commit, { maxCharacters: 400_000 })
  }

  async #soFar(branch: string): Promise<{ commit: string | null; tree: string | null }> {
    const { repository } = await this.#deps.workspace()
    const commit = await repository.resolve(`refs/heads/${branch}`)
    return { commit, tree: commit === null ? null : await repository.treeOf(commit) }
  }

  async #activeFor(spec: string, except: string): Promise<string | null> {
    const running = await this.#lifecycle.list('running')
    for (const { id } of running) {
      const built = this.#begun.get(id) ?? (await this.#folds.read(id, ({ spec }) => spec))
      if (id !== except && built === spec) return id
    }
    return null
  }
}

function buildLine(id: string, view: BuildView): BuildLine {
  const { spec, description, status, strategy, rehearsal, questions, nodes, started, finished, reason } = view
  const merged = nodes.filter(({ state }) => state === 'merged').length
  return {
    id,
    spec,
    description,
    status,
    strategy,
    rehearsal,
    cost: { ...view.cost },
    nodes: nodes.length,
    merged,
    questions: questions.length,
    ...given({ started, finished, reason }),
  }
}

function unknownBuild(build: string): ConveneError {
  return new ConveneError('unknown_build', `there is no build '${build}'. \`convene runs\` lists them.`, {
    status: 404,
    path: 'build',
  })
}

/** Ends that scripts check by name: a report gives the code as the reason. */
function isNamedEnd(code: string): boolean {
  return isSpent(code) || code === 'setup_failed' || code === 'dirty_checkout'
}

function given<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}
