/**
 * Limits the request rate to one provider. After a rate-limit response, all requests wait and fewer run concurrently;
 * each success raises the limit (additive increase, multiplicative decrease). Shared by all agents with the same
 * provider and key.
 */
import { type Clock, systemClock } from '../../kernel/clock.ts'

export interface PaceSettings {
  /** The first wait if the provider names none; doubles with each consecutive slow-down. */
  firstWaitMs: number
  longestWaitMs: number
  /** The longest Retry-After of a provider that is honoured. */
  longestRetryAfterMs: number
  /** After this long without a success, waiting requests fail. */
  patienceMs: number
}

/** Permission for one request. Call `leave` exactly once with its outcome. */
export interface Permit {
  /** Number of slow-downs before the request started. */
  readonly round: number
}

export type Outcome = { kind: 'succeeded' } | { kind: 'rate-limited'; retryAfterMs?: number } | { kind: 'failed' }

/** At this concurrency the limit is lifted. */
const unlimitedFrom = 64

interface Waiting {
  admit(permit: Permit | null): void
}

export class Pace {
  readonly #settings: PaceSettings
  readonly #clock: Clock
  readonly #random: () => number
  #maxConcurrent = Number.POSITIVE_INFINITY
  #active = 0
  #round = 0
  /** Consecutive slow-downs since the last success. */
  #consecutive = 0
  #nextAt = 0
  #slowSince: number | null = null
  readonly #queue: Waiting[] = []
  #cancelTimer: (() => void) | null = null

  constructor(settings: PaceSettings, { clock = systemClock, random = Math.random } = {}) {
    this.#settings = settings
    this.#clock = clock
    this.#random = random
  }

  /** Impatient callers proceed at once. Resolves to null if requests have waited too long already. */
  enter(options: { patient: boolean; signal?: AbortSignal }): Promise<Permit | null> {
    const { patient, signal } = options
    signal?.throwIfAborted()
    if (!patient || (this.#mayStart() && this.#queue.length === 0)) return Promise.resolve(this.#take())
    if (this.#isTimedOut()) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        admit(permit) {
          signal?.removeEventListener('abort', leave)
          resolve(permit)
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

  leave(permit: Permit, outcome: Outcome): void {
    const active = this.#active--
    if (outcome.kind === 'succeeded') this.#speedUp()
    if (outcome.kind === 'rate-limited') this.#slowDown(permit, active, outcome.retryAfterMs)
    this.#admit()
  }

  /** A request that started before the last slow-down can only extend the wait. */
  #slowDown(permit: Permit, active: number, retryAfterMs: number | undefined): void {
    const { firstWaitMs, longestWaitMs, longestRetryAfterMs } = this.#settings
    const now = this.#clock.now()
    // After a long idle period, start counting anew.
    const forgotten = this.#nextAt + 2 * Math.max(longestWaitMs, longestRetryAfterMs)
    if (this.#slowSince === null || now > forgotten) this.#slowSince = now
    const requestedAt = retryAfterMs === undefined ? null : now + Math.min(retryAfterMs, longestRetryAfterMs)
    if (permit.round < this.#round) {
      this.#nextAt = Math.max(this.#nextAt, requestedAt ?? 0)
      return
    }
    const guess = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#consecutive) * (0.5 + this.#random() / 2)
    this.#round++
    this.#consecutive++
    this.#maxConcurrent = Math.max(1, Math.floor(Math.min(this.#maxConcurrent, active) / 2))
    this.#nextAt = Math.max(this.#nextAt, requestedAt ?? now + guess)
  }

  #speedUp(): void {
    this.#slowSince = null
    this.#consecutive = 0
    this.#maxConcurrent += 1 / this.#maxConcurrent
    if (this.#maxConcurrent >= unlimitedFrom) this.#maxConcurrent = Number.POSITIVE_INFINITY
  }

  #mayStart(): boolean {
    return this.#hasRoom() && this.#clock.now() >= this.#nextAt
  }

  #hasRoom(): boolean {
    return this.#active < Math.floor(this.#maxConcurrent)
  }

  #isTimedOut(): boolean {
    return this.#slowSince !== null && this.#clock.now() - this.#slowSince > this.#settings.patienceMs
  }

  #take(): Permit {
    this.#active++
    return { round: this.#round }
  }

  /** Admits as many as allowed; the others wait for the next allowed time or for a request to leave. */
  #admit(): void {
    while (this.#queue.length > 0 && this.#mayStart()) this.#queue.shift()!.admit(this.#take())
    if (this.#isTimedOut()) for (const waiting of this.#queue.splice(0)) waiting.admit(null)
    this.#setTimer()
  }

  /** Sets the timer only if concurrency allows another request, since then only the time is missing. */
  #setTimer(): void {
    this.#cancelTimer?.()
    const wait = Math.max(0, this.#nextAt - this.#clock.now())
    const needsTimer = this.#queue.length > 0 && this.#hasRoom()
    this.#cancelTimer = needsTimer ? this.#clock.after(wait, () => this.#admit()) : null
  }
}
