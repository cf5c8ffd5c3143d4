/** Builds as the outside sees them: start one, look at it, stop it, go on with it. */
import { randomUUID } from 'node:crypto'
import type { Engine, RunSummary, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { foldEvents } from '../../kernel/fold.ts'
import { isStopped, stoppedCode } from '../../kernel/run-events.ts'
import { KeptFolds } from '../../kernel/runs/cached-folds.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import type { Store } from '../../kernel/store.ts'
import type { BuildStrategy, Spec } from '../../rules/build/spec.ts'
import { inTurn } from '../../workspace/in-turn.ts'
import { isRefusal } from '../../workspace/merge/merge-into-target.ts'
import { integrationBranch, shortName } from '../branches.ts'
import type { BuildDeps } from '../deps.ts'
import { type BuildLine, type BuildStatus, type BuildView, buildView } from '../view.ts'
import { refuseTakenBranch } from './refuse-taken-branch.ts'
import type { BuildInput, BuildResult } from './run.ts'

export interface BuildRequest {
  spec: Spec
  strategy?: BuildStrategy
  merge?: boolean
  /** The same id is the same build, however often it is asked for. */
  id?: string
}

/** What a command prints at the end, and a script reads. */
export interface BuildReport {
  run: string
  status: BuildStatus
  reason?: string
  code?: string
  /** What was wrong, in full, where `reason` is only its name. */
  error?: { code: string; message: string }
  branch: string
  commit: string | null
  tree: string | null
  questions?: Question[]
  merged?: boolean
}

export class Builds {
  readonly #store: Store
  readonly #engine: Engine
  readonly #questions: Questions
  readonly #deps: BuildDeps
  readonly #workflow: Workflow<BuildInput, BuildResult>
  readonly #folds: KeptFolds<BuildView>
  /** What runs of this process build: it takes a while until their first event says so. */
  readonly #begun = new Map<string, string>()

  constructor(parts: {
    store: Store
    engine: Engine
    questions: Questions
    deps: BuildDeps
    workflow: Workflow<BuildInput, BuildResult>
  }) {
    this.#store = parts.store
    this.#engine = parts.engine
    this.#questions = parts.questions
    this.#deps = parts.deps
    this.#workflow = parts.workflow
    this.#folds = new KeptFolds(parts.store, buildView)
  }

  async start({ spec, strategy = 'auto', merge = false, id }: BuildRequest): Promise<{ id: string }> {
    // What would fail at once is said at once: no repository, no commit, no test command, no place for the branch.
    const { repository } = await this.#deps.workspace()
    await refuseTakenBranch(repository, spec.id)
    const run = id ?? `build-${randomUUID()}`
    // One after the other: two that look at the same moment would both see that nobody builds it.
    await inTurn(`build ${spec.id} in ${repository.root}`, async () => {
      const active = await this.#activeFor(spec.id, run)
      if (active)
        throw new ConveneError(
          'already_building',
          `spec '${spec.id}' is being built by run ${active}; stop or resume that one`,
          { status: 409, path: 'spec.id' },
        )
      this.#begun.set(run, spec.id)
      await this.#engine.start(this.#workflow, { spec, strategy, merge }, { id: run })
    })
    return { id: run }
  }

  async list(): Promise<BuildLine[]> {
    const runs = await this.#engine.list({ workflow: this.#workflow.name })
    return Promise.all(
      runs.map(async (run) => {
        const view = await this.#folds.read(run)
        const { spec, description, status, strategy, rehearsal, cost, questions, nodes } = view
        const merged = nodes.filter(({ state }) => state === 'merged').length
        const progress = { nodes: nodes.length, merged, questions: questions.length }
        const { started, finished, reason } = view
        return {
          id: run.id,
          spec,
          description,
          status,
          strategy,
          rehearsal,
          cost,
          ...progress,
          ...given({ started, finished, reason }),
        }
      }),
    )
  }

  /** The folded view, and the `seq` it stands at: a browser goes on from there. */
  async get(id: string): Promise<BuildView & { seq: number }> {
    await this.#existing(id)
    const before = await this.#store.lastSeq()
    const events = await this.#store.read({ run: id })
    const view = foldEvents(buildView(id), events)
    // Something may have been written between the two looks: it is in the view, and must not be folded in again.
    const seq = Math.max(before, events.at(-1)?.seq ?? 0)
    if (view.status === 'running' && (await this.#isWaiting(id))) view.status = 'waiting'
    return { ...view, seq }
  }

  async report(id: string): Promise<BuildReport> {
    const run = await this.#existing(id)
    const open = (await this.#questions.open()).filter((question) => isWithin(question.run, id))
    const view = await this.#view(id)
    const branch = view.branch || shortName(integrationBranch(view.spec))
    const result = run.result as BuildResult | undefined
    if (run.status === 'done' && result) {
      const { status, reason, commit, tree, merged } = result
      return { run: id, status, branch, commit, tree, ...given({ reason, merged }) }
    }
    const { commit, tree } = await this.#soFar(branch)
    if (run.status === 'running') {
      const waiting = open.length > 0 && (await this.#isWaiting(id))
      return {
        run: id,
        status: waiting ? 'waiting' : 'running',
        branch,
        commit,
        tree,
        ...given({ questions: open.length > 0 ? open : undefined }),
      }
    }
    if (run.status === 'needs-attention' && isStopped(run))
      return {
        run: id,
        status: 'stopped',
        reason: 'stopped',
        branch,
        commit,
        tree,
        ...given({ questions: open.length > 0 ? open : undefined }),
      }
    const { code } = run
    const isUnmerged = code !== undefined && view.merge && isRefusal(code)
    const named = code !== undefined && (namedEnds.has(code) || isUnmerged)
    const reason = named ? code : run.reason
    const error = named ? { code, message: run.reason ?? code } : undefined
    const merged = isUnmerged ? false : undefined
    return { run: id, status: 'failed', branch, commit, tree, ...given({ reason, code, error, merged }) }
  }

  /** Everything at work is let go of and can be taken up again where it was. */
  async stop(id: string): Promise<BuildReport> {
    const run = await this.#existing(id)
    if (run.status === 'running') {
      await this.#engine.pause(id, 'stopped', stoppedCode)
      this.#deps.queues.forget(id)
      this.#deps.activity.forget(id)
    }
    return this.report(id)
  }

  isOwn(run: RunSummary): boolean {
    return run.workflow === this.#workflow.name
  }

  async diff(id: string, commit: string): Promise<{ text: string; cut: boolean }> {
    await this.#existing(id)
    const { repository } = await this.#deps.workspace()
    const view = await this.#view(id)
    const known = view.nodes.flatMap((node) => [
      ...node.commits.map((one) => ({ commit: one.commit, parent: one.parent })),
      ...(node.merge ? [{ commit: node.merge.commit, parent: `${node.merge.commit}^1` }] : []),
    ])
    const found = known.find((one) => one.commit === commit)
    if (!found)
      throw new ConveneError('unknown_commit', `build ${id} made no commit ${commit}`, { status: 404, path: 'commit' })
    return repository.diff(found.parent, commit, { maxCharacters: 400_000 })
  }

  async #isWaiting(id: string): Promise<boolean> {
    const open = (await this.#questions.open()).filter((question) => isWithin(question.run, id))
    return open.length > 0 && this.#deps.activity.isIdle(id)
  }

  async #view(id: string): Promise<BuildView> {
    return foldEvents(buildView(id), await this.#store.read({ run: id }))
  }

  async #soFar(branch: string): Promise<{ commit: string | null; tree: string | null }> {
    const { repository } = await this.#deps.workspace()
    const commit = await repository.resolve(`refs/heads/${branch}`)
    return { commit, tree: commit === null ? null : await repository.treeOf(commit) }
  }

  async #activeFor(spec: string, except: string): Promise<string | null> {
    const running = await this.#engine.list({ workflow: this.#workflow.name, status: 'running' })
    for (const { id } of running) {
      const built = this.#begun.get(id) ?? (await this.#view(id)).spec
      if (id !== except && built === spec) return id
    }
    return null
  }

  async #existing(id: string): Promise<RunSummary> {
    const run = await this.#engine.get(id)
    if (run && this.isOwn(run)) return run
    throw new ConveneError('unknown_build', `there is no build '${id}'. \`convene runs\` lists what there is.`, {
      status: 404,
      path: 'build',
    })
  }
}

/** Ends that scripts ask for by name; every other says what went wrong. */
const namedEnds = new Set(['budget_exhausted', 'out_of_time', 'setup_failed', 'dirty_checkout'])

function isWithin(run: string, root: string): boolean {
  return run === root || run.startsWith(`${root}/`)
}

function given<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}
