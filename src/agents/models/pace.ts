/**
 * How fast one provider may be asked. Told to slow down, everyone who asks it waits, and fewer ask at once; each success
 * lets a few more in (additive increase, multiplicative decrease). Shared by all agents with the same provider and key.
 */
import { type Clock, systemClock } from '../../kernel/clock.ts'

export interface PaceSettings {
  /** The first wait where the provider names none; each further one in a row is twice as long. */
  firstWaitMs: number
  longestWaitMs: number
  /** The longest that a provider's own Retry-After is heeded. */
  longestRetryAfterMs: number
  /** So long without a single success, and those who wait are told that it failed. */
  patienceMs: number
}

/** A request that may be made. Tell the pace how it went, once. */
export interface Turn {
  /** Slow-downs before it was made. */
  readonly round: number
}

export type Ended = { kind: 'well' } | { kind: 'told-to-wait'; retryAfterMs?: number } | { kind: 'otherwise' }

/** From here on nobody is held back by how many others are asking. */
const wideEnough = 64

interface Waiting {
  admit(turn: Turn | null): void
}

export class Pace {
  readonly #settings: PaceSettings
  readonly #clock: Clock
  readonly #random: () => number
  #atOnce = Number.POSITIVE_INFINITY
  #asking = 0
  #round = 0
  /** Slow-downs since the last success. */
  #inARow = 0
  #nextAt = 0
  #slowSince: number | null = null
  readonly #queue: Waiting[] = []
  #callOff: (() => void) | null = null

  constructor(settings: PaceSettings, { clock = systemClock, random = Math.random } = {}) {
    this.#settings = settings
    this.#clock = clock
    this.#random = random
  }

  /** Who does not wait asks at once, whatever comes of it. Null where waiting has taken too long already. */
  enter(options: { patient: boolean; signal?: AbortSignal }): Promise<Turn | null> {
    const { patient, signal } = options
    signal?.throwIfAborted()
    if (!patient || (this.#mayAsk() && this.#queue.length === 0)) return Promise.resolve(this.#take())
    if (this.#isOutOfPatience()) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        admit(turn) {
          signal?.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#queue.push(waiting)
      this.#admit()
    })
  }

  leave(turn: Turn, ended: Ended): void {
    const asking = this.#asking--
    if (ended.kind === 'well') this.#speedUp()
    if (ended.kind === 'told-to-wait') this.#slowDown(turn, asking, ended.retryAfterMs)
    this.#admit()
  }

  /** One who asked before the last slow-down brings no news, but for a longer wait. */
  #slowDown(turn: Turn, asking: number, retryAfterMs: number | undefined): void {
    const { firstWaitMs, longestWaitMs, longestRetryAfterMs } = this.#settings
    const now = this.#clock.now()
    // Where nobody has asked for long, this is the beginning of something new.
    const forgotten = this.#nextAt + 2 * Math.max(longestWaitMs, longestRetryAfterMs)
    if (this.#slowSince === null || now > forgotten) this.#slowSince = now
    const told = retryAfterMs === undefined ? null : now + Math.min(retryAfterMs, longestRetryAfterMs)
    if (turn.round < this.#round) {
      this.#nextAt = Math.max(this.#nextAt, told ?? 0)
      return
    }
    const guess = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#inARow) * (0.5 + this.#random() / 2)
    this.#round++
    this.#inARow++
    this.#atOnce = Math.max(1, Math.floor(Math.min(this.#atOnce, asking) / 2))
    this.#nextAt = Math.max(this.#nextAt, told ?? now + guess)
  }

  #speedUp(): void {
    this.#slowSince = null
    this.#inARow = 0
    this.#atOnce += 1 / this.#atOnce
    if (this.#atOnce >= wideEnough) this.#atOnce = Number.POSITIVE_INFINITY
  }

  #mayAsk(): boolean {
    return this.#hasRoom() && this.#clock.now() >= this.#nextAt
  }

  #hasRoom(): boolean {
    return this.#asking < Math.floor(this.#atOnce)
  }

  #isOutOfPatience(): boolean {
    return this.#slowSince !== null && this.#clock.now() - this.#slowSince > this.#settings.patienceMs
  }

  #take(): Turn {
    this.#asking++
    return { round: this.#round }
  }

  /** As many as may; the others wait for the time that was named, or for somebody to come back. */
  #admit(): void {
    while (this.#queue.length > 0 && this.#mayAsk()) this.#queue.shift()!.admit(this.#take())
    if (this.#isOutOfPatience()) for (const waiting of this.#queue.splice(0)) waiting.admit(null)
    this.#arm()
  }

  /** Where there is room, only time is in the way, and it may have passed since it was looked at. */
  #arm(): void {
    this.#callOff?.()
    const wait = Math.max(0, this.#nextAt - this.#clock.now())
    const isWaited = this.#queue.length > 0 && this.#hasRoom()
    this.#callOff = isWaited ? this.#clock.after(wait, () => this.#admit()) : null
  }
}
