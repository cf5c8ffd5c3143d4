/** The fixture of the engine's contract suite: an engine that can be shut down and reopened. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { Engine, Run, RunFailed, StepRecord, Workflow } from '../../../src/kernel/engine.ts'
import type { NewEvent, StoredEvent } from '../../../src/kernel/events.ts'
import type { Store } from '../../../src/kernel/store.ts'
import { SimulatedClock } from '../simulated-clock.ts'

export interface EngineSettings {
  /** The data folder: an engine reopened with the same folder has everything. */
  folder: string
  clock: Clock
  redact: <Value>(value: Value) => Value
}

export interface OpenedEngine {
  engine: Engine
  store: Store
  close(): Promise<void>
}

export type OpenEngine = (settings: EngineSettings) => Promise<OpenedEngine>

export const secret = 'open-sesame-7261'

export class Bench {
  readonly clock = new SimulatedClock()
  readonly #open: OpenEngine
  readonly #folder: string
  #opened: OpenedEngine | null = null

  constructor(open: OpenEngine, folder: string) {
    this.#open = open
    this.#folder = folder
  }

  get engine(): Engine {
    return this.#opened!.engine
  }

  get store(): Store {
    return this.#opened!.store
  }

  async open(...workflows: AnyWorkflow[]): Promise<void> {
    this.#opened = await this.#open({ folder: this.#folder, clock: this.clock, redact: hideSecret })
    for (const workflow of workflows) this.engine.register(workflow as Workflow<unknown, unknown>)
  }

  /** Shuts down and restarts with this code. */
  async restart(...workflows: AnyWorkflow[]): Promise<void> {
    await this.close()
    await this.open(...workflows)
    await this.engine.recover()
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    await opened?.close()
  }

  async run<Input, Output>(workflow: Workflow<Input, Output>, input?: Input, id?: string): Promise<Output> {
    const handle = await this.engine.start(workflow, input as Input, id === undefined ? {} : { id })
    return handle.result()
  }

  async failure(runId: string): Promise<RunFailed> {
    return this.engine.result(runId).then(
      (value) => Promise.reject(new Error(`run ${runId} gave ${JSON.stringify(value)}`)),
      (error) => error,
    )
  }

  async status(runId: string): Promise<string | undefined> {
    return (await this.engine.get(runId))?.status
  }

  async events(stream: string): Promise<StoredEvent[]> {
    return this.store.read({ stream })
  }

  async types(stream: string): Promise<string[]> {
    return (await this.events(stream)).map((event) => event.type)
  }

  /** Waits until the run has this many recorded steps. */
  async steps(runId: string, count: number): Promise<StepRecord[]> {
    await eventually(async () => expect(await this.engine.steps(runId)).toHaveLength(count))
    return this.engine.steps(runId)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a list of workflows of every shape
export type AnyWorkflow = Workflow<any, any>

export function workflow<Input, Output>(
  name: string,
  run: (run: Run, input: Input) => Promise<Output>,
  version = 1,
): Workflow<Input, Output> {
  return { name, version, run }
}

/** A fresh engine for each test of a suite. */
export function benchForEach(open: OpenEngine): () => Bench {
  let bench: Bench
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'convene-engine-'))
    bench = new Bench(open, folder)
    await bench.open()
  })
  afterEach(async () => {
    await bench.close()
    await rm(folder, { recursive: true, force: true })
  })
  return () => bench
}

export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 120_000, interval: 2 })
}

export function fact(stream: string, data: unknown = {}): NewEvent {
  return { type: 'thing.noted', version: 1, stream, data }
}

/** A latch that a step can wait for. */
export function latch(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function hideSecret<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replaceAll(secret, '[hidden]') as Value
  if (Array.isArray(value)) return value.map(hideSecret) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideSecret(inner)])) as Value
}
