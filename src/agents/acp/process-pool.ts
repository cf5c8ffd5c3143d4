/** The processes of all coding agents: idle ones stay warm for a while, and the machine's memory bounds their number. */
import { hasRoom } from '../../rules/agents/process-limit.ts'
import { AgentProcess } from './agent-process.ts'
import { machineMemoryMb } from './machine-memory.ts'
import type { AgentProgram } from './process-group.ts'

export interface PoolSettings {
  /** How long an idle process stays; 0 ends it at once. */
  idleMs?: number
  machineMb?: number
  /** How long a process may take to start. */
  startMs?: number
}

/** What is started, under a name of its own. */
export interface Startable {
  key: string
  program: AgentProgram
  /** What one process typically uses. */
  memoryMb: number
}

interface Held {
  key: string
  process: AgentProcess
  memoryMb: number
  timer?: NodeJS.Timeout
}

export class ProcessPool {
  readonly #settings: Required<PoolSettings>
  readonly #idle: Held[] = []
  readonly #busy = new Map<AgentProcess, Held>()
  readonly #waiting = new Set<() => void>()
  readonly #ending = new Set<Promise<void>>()
  /** Processes that are starting ahead of their first ask, by key. */
  readonly #warming = new Map<string, Promise<void>>()
  readonly #stopWarming = new AbortController()
  #startingMb = 0
  #closed = false

  constructor(settings: PoolSettings = {}) {
    this.#settings = {
      idleMs: 300_000,
      machineMb: machineMemoryMb(),
      startMs: 60_000,
      ...settings,
    }
  }

  /** Starts a process that the next ask takes. If it does not start, that ask starts another and reports what is wrong. */
  warm(wanted: Startable): void {
    const { key } = wanted
    if (this.#closed || this.#warming.has(key) || !this.#hasRoomFor(wanted.memoryMb)) return
    const starting = this.#start(wanted, this.#stopWarming.signal).then(
      (process) => this.release(process, { reusable: true }),
      () => {},
    )
    this.#warming.set(
      key,
      starting.finally(() => this.#warming.delete(key)),
    )
  }

  /** A process for one ask. `preferred` is taken if it is idle: it holds the session that the ask continues. */
  async acquire(wanted: Startable, signal: AbortSignal, preferred?: AgentProcess): Promise<AgentProcess> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#closed) throw new Error('the agents are closed')
      const warm = this.#takeIdle(wanted.key, preferred)
      if (warm) return warm
      const warming = this.#warming.get(wanted.key)
      if (warming) {
        await orStopped(warming, signal)
        continue
      }
      if (this.#hasRoomFor(wanted.memoryMb)) return this.#start(wanted, signal)
      await this.#makeRoom(signal)
    }
  }

  /** Waits until there is memory for a process that the caller starts itself; call the result when it has ended. */
  async reserve(memoryMb: number, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#closed) throw new Error('the agents are closed')
      if (this.#hasRoomFor(memoryMb)) break
      await this.#makeRoom(signal)
    }
    this.#startingMb += memoryMb
    return () => {
      this.#startingMb -= memoryMb
      this.#wake()
    }
  }

  /** No ask uses the process, and it is kept for the next one. */
  isIdle(process: AgentProcess): boolean {
    return this.#idle.some((held) => held.process === process)
  }

  /** Gives a process back: it stays warm if it can be used again. */
  release(process: AgentProcess, { reusable }: { reusable: boolean }): void {
    const held = this.#busy.get(process)
    if (!held) return
    this.#busy.delete(process)
    const { idleMs } = this.#settings
    if (!reusable || !process.isAlive || this.#closed || idleMs === 0) void this.#end(held)
    else {
      held.timer = setTimeout(() => this.#forget(held), idleMs)
      held.timer.unref()
      this.#idle.push(held)
    }
    this.#wake()
  }

  /** Ends all processes and waits until they are gone. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopWarming.abort(new Error('the agents are closed'))
    await Promise.all(this.#warming.values())
    for (const held of [...this.#idle.splice(0), ...this.#busy.values()]) void this.#end(held)
    this.#busy.clear()
    this.#wake()
    await Promise.all(this.#ending)
  }

  #takeIdle(key: string, preferred: AgentProcess | undefined): AgentProcess | null {
    for (const held of this.#idle.filter(({ process }) => !process.isAlive)) this.#forget(held)
    const fitting = this.#idle.filter((held) => held.key === key)
    const held = fitting.find(({ process }) => process === preferred) ?? fitting.at(-1)
    if (!held) return null
    this.#idle.splice(this.#idle.indexOf(held), 1)
    clearTimeout(held.timer)
    this.#busy.set(held.process, held)
    return held.process
  }

  #hasRoomFor(neededMb: number): boolean {
    const held = [...this.#idle, ...this.#busy.values()]
    const usedMb = held.reduce((sum, { memoryMb }) => sum + memoryMb, this.#startingMb)
    return hasRoom({ usedMb, neededMb, machineMb: this.#settings.machineMb })
  }

  /** An idle process ends before another agent has to wait. */
  async #makeRoom(signal: AbortSignal): Promise<void> {
    const oldest = this.#idle.shift()
    if (oldest) await this.#end(oldest)
    else await this.#change(signal)
  }

  async #start({ key, program, memoryMb }: Startable, signal: AbortSignal): Promise<AgentProcess> {
    this.#startingMb += memoryMb
    try {
      const process = await AgentProcess.start(program, this.#settings.startMs, signal)
      if (this.#closed || signal.aborted) {
        await process.end()
        signal.throwIfAborted()
        throw new Error('the agents are closed')
      }
      this.#busy.set(process, { key, process, memoryMb })
      return process
    } finally {
      this.#startingMb -= memoryMb
      this.#wake()
    }
  }

  #forget(held: Held): void {
    const index = this.#idle.indexOf(held)
    if (index === -1) return
    this.#idle.splice(index, 1)
    void this.#end(held)
    this.#wake()
  }

  #end({ process, timer }: Held): Promise<void> {
    clearTimeout(timer)
    const ending = process.end().catch(() => {})
    this.#ending.add(ending)
    return ending.finally(() => this.#ending.delete(ending))
  }

  /** Resolves when a process was released or has ended, or when the ask is stopped. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

async function orStopped(done: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  await Promise.race([done, stopped])
  signal.removeEventListener('abort', stop)
}
