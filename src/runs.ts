/** Durable runs as the outside sees them. */
import type { Engine, RunSummary } from './kernel/engine.ts'
import { ConveneError } from './kernel/errors.ts'

export interface RunListing {
  id: string
  kind: string
  status: string
  reason?: string
  code?: string
  parent?: string
  steps: number
  created_at: string
  updated_at: string
}

export interface Parked {
  isOwn(run: RunSummary): boolean
  stop(id: string): Promise<unknown>
}

export class Runs {
  readonly #engine: Engine
  /** Work that a stop parks instead of ending it. */
  readonly #parked: readonly Parked[]

  constructor(engine: Engine, parked: readonly Parked[]) {
    this.#engine = engine
    this.#parked = parked
  }

  async list(): Promise<RunListing[]> {
    return (await this.#engine.list()).map(toListing)
  }

  async get(id: string): Promise<
    RunListing & {
      result?: unknown
      journal: { position: number; name: string; kind: string; state: string; at: string }[]
    }
  > {
    const run = await this.#existing(id)
    const steps = await this.#engine.steps(id)
    const journal = steps.map(({ position, name, kind, state, at }) => ({
      position,
      name,
      kind,
      state,
      at: new Date(at).toISOString(),
    }))
    return { ...toListing(run), ...(run.result === undefined ? {} : { result: run.result }), journal }
  }

  /** Talk is over when it is stopped; a build or a plan is parked, and goes on where it was when it is resumed. */
  async stop(id: string): Promise<RunListing> {
    const run = await this.#existing(id)
    const owner = this.#parked.find((one) => one.isOwn(run))
    if (owner) await owner.stop(id)
    else await this.#engine.stop(id)
    return toListing(await this.#existing(id))
  }

  async resume(id: string): Promise<RunListing> {
    return toListing(await this.#engine.resume(id))
  }

  /** `from` is a step's number or its name. */
  async fork(id: string, from?: number | string): Promise<RunListing> {
    const fromStep = typeof from === 'string' ? await this.#position(id, from) : from
    const handle = await this.#engine.fork(id, { fromStep })
    return toListing(await this.#existing(handle.id))
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

function toListing(run: RunSummary): RunListing {
  const { id, workflow, reason, code, parent, steps, createdAt, updatedAt } = run
  const status = run.status === 'needs-attention' && reason === 'stopped' ? 'stopped' : run.status
  return {
    id,
    kind: workflow,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    ...(parent === undefined ? {} : { parent }),
    steps,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}
