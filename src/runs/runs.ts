/** The runs API: list, read, stop, resume and fork durable runs. */
import type { Cost } from '../kernel/ask/cost.ts'
import type { Engine, RunSummary } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import { isStopped } from '../kernel/run-events.ts'
import { topOf } from '../kernel/run-tree.ts'
import { releasedRun } from '../kernel/runs/released-run.ts'
import type { WaitingRun } from '../kernel/workers.ts'
import type { RunLine } from './overview-lines.ts'

export interface RunListing {
  id: string
  kind: string
  status: string
  reason?: string
  code?: string
  /** `resume` continues it. */
  parked?: true
  /** TR10: nothing can be written, so no event says that the run does not continue. */
  unrecorded?: true
  parent?: string
  steps: number
  created_at: string
  updated_at: string
}

/** An entry in the list of all runs, with details from the log. */
export interface ListedRun extends RunListing {
  title?: string
  feature?: string
  issue?: number
  room?: string
  /** The run alone, without the runs below it. */
  cost?: Cost
}

export interface RunWithJournal extends RunListing {
  result?: unknown
  journal: { position: number; name: string; kind: string; state: string; at: string }[]
}

export interface Parkable {
  isOwn(run: RunSummary): boolean
  stop(id: string): Promise<unknown>
}

export class Runs {
  readonly #engine: Engine
  /** Floors whose work is parked when stopped, instead of ended. */
  readonly #parked: readonly Parkable[]
  /** Called with the root of a stopped tree after it is parked. */
  readonly #afterStop: (top: string) => void | Promise<void>

  /** Details of each run from the log. */
  readonly #lines: () => Promise<ReadonlyMap<string, RunLine>>
  /** Tells which runs wait for a person's answer. */
  readonly #waiting: () => Promise<(run: string) => boolean>

  constructor(
    engine: Engine,
    parked: readonly Parkable[],
    lines: () => Promise<ReadonlyMap<string, RunLine>>,
    waiting: () => Promise<(run: string) => boolean>,
    afterStop: (top: string) => void | Promise<void> = () => {},
  ) {
    this.#engine = engine
    this.#parked = parked
    this.#lines = lines
    this.#waiting = waiting
    this.#afterStop = afterStop
  }

  async list(): Promise<ListedRun[]> {
    const [lines, isWaiting, isExecuted] = await Promise.all([this.#lines(), this.#waiting(), this.#engine.executed()])
    return (await this.#engine.list()).map((run) => {
      const listing = this.#listing(run)
      return { ...listing, status: statusNow(listing, isWaiting, isExecuted), ...detailsOf(lines.get(run.id)) }
    })
  }

  /** TR10: the top-level runs of this process that cannot go on because nothing can be written. */
  async unrecorded(): Promise<RunListing[]> {
    const running = await this.#engine.list({ status: 'running' })
    const roots = running.filter(({ parent }) => parent === undefined).map((run) => this.#listing(run))
    return roots.filter(({ unrecorded }) => unrecorded)
  }

  /** Top-level runs that wait for a process that takes them, oldest first. */
  async queued(): Promise<WaitingRun[]> {
    const [running, isExecuted] = await Promise.all([this.#engine.list({ status: 'running' }), this.#engine.executed()])
    return running
      .filter(({ id, parent }) => parent === undefined && !isExecuted(id))
      .sort((one, other) => one.createdAt - other.createdAt)
      .map(({ id, workflow, updatedAt }) => ({ run: id, kind: workflow, since: new Date(updatedAt).toISOString() }))
  }

  async get(id: string): Promise<RunWithJournal> {
    const run = await this.#existing(id)
    const steps = await this.#engine.steps(id)
    const journal = steps.map(({ position, name, kind, state, at }) => ({
      position,
      name,
      kind,
      state,
      at: new Date(at).toISOString(),
    }))
    return { ...this.#listing(run), ...(run.result === undefined ? {} : { result: run.result }), journal }
  }

  /**
   * Stopping a message or session ends it. Stopping any run of a build, plan or ship parks the whole tree, since no run
   * of it can end while another is parked; resuming continues it from where it was.
   */
  async stop(id: string): Promise<RunListing> {
    const run = await this.#existing(id)
    const root = await this.#root(id)
    const owner = this.#parked.find((one) => one.isOwn(root ?? run))
    if (owner) {
      await owner.stop(root?.id ?? id)
      await this.#afterStop(root?.id ?? id)
    } else await this.#engine.stop(id)
    return this.#listing(await this.#existing(id))
  }

  async resume(id: string): Promise<RunListing> {
    await this.#engine.resume((await this.#root(id))?.id ?? id)
    return this.#listing(await this.#existing(id))
  }

  /** The root of the tree that a run belongs to; null for messages and sessions. */
  async #root(id: string): Promise<RunSummary | null> {
    await this.#existing(id)
    const top = await topOf(this.#engine, id)
    return top && this.#parked.some((one) => one.isOwn(top)) ? top : null
  }

  /** `from` is a step's position or name. */
  async fork(id: string, from?: number | string): Promise<RunListing> {
    const fromStep = typeof from === 'string' ? await this.#position(id, from) : from
    const handle = await this.#engine.fork(id, { fromStep })
    return this.#listing(await this.#existing(handle.id))
  }

  async #position(id: string, name: string): Promise<number> {
    const steps = await this.#engine.steps(id)
    const step = steps.find((step) => step.name === name)
    if (step) return step.position
    throw new ConveneError('invalid_input', `run ${id} has no step '${name}'`, {
      path: 'from',
      expected: steps.map((step) => step.name).join(' | ') || 'a run with steps',
    })
  }

  #listing(run: RunSummary): RunListing {
    const released = releasedRun(this.#engine, run)
    return { ...toListing(run), ...(released && { status: 'failed', ...released, unrecorded: true }) }
  }

  async #existing(id: string): Promise<RunSummary> {
    const run = await this.#engine.get(id)
    if (!run)
      throw new ConveneError('unknown_run', `there is no run '${id}'. \`convene runs\` lists them.`, {
        status: 404,
        path: 'run',
      })
    return run
  }
}

/** The status of a parked run: `failed` if a problem blocks it. It can be resumed in either case. */
function parkedStatus(run: RunSummary): string {
  if (isStopped(run)) return 'stopped'
  return run.code === undefined ? run.status : 'failed'
}

function detailsOf(line: RunLine | undefined): Partial<ListedRun> {
  if (!line) return {}
  const { title, feature, issue, room, spent } = line
  const { asks, calls, tokens, usd } = spent
  return {
    ...(title === '' ? {} : { title }),
    ...(feature === undefined ? {} : { feature }),
    ...(issue === undefined ? {} : { issue }),
    ...(room === undefined ? {} : { room }),
    cost: { asks, calls, tokens, usd },
  }
}

/** Work that ended without its result: an abandoned plan, a failed build. */
function failureIn({ status, result }: RunSummary): { reason?: string } | null {
  if (status !== 'done' || typeof result !== 'object' || result === null) return null
  const { status: end, reason } = result as { status?: unknown; reason?: unknown }
  return end === 'failed' ? (typeof reason === 'string' ? { reason } : {}) : null
}

function toListing(run: RunSummary): RunListing {
  const { id, workflow, code, parent, steps, createdAt, updatedAt } = run
  const failure = failureIn(run)
  const status = run.status === 'needs-attention' ? parkedStatus(run) : failure ? 'failed' : run.status
  const reason = run.reason ?? failure?.reason
  return {
    id,
    kind: workflow,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    ...(run.status === 'needs-attention' ? { parked: true as const } : {}),
    ...(parent === undefined ? {} : { parent }),
    steps,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}

type Tells = (run: string) => boolean

/** TR13: a run that no living process executes was left by a dead one. */
function statusNow({ id, status }: RunListing, isWaiting: Tells, isExecuted: Tells): string {
  if (status !== 'running') return status
  if (isWaiting(id)) return 'waiting'
  return isExecuted(id) ? status : 'interrupted'
}
