/** A clock that advances only when a test says so. */
import type { Clock } from '../../src/kernel/clock.ts'

interface Timer {
  at: number
  fn: () => void
}

export class SimulatedClock implements Clock {
  #now = Date.UTC(2030, 0, 1)
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  after(milliseconds: number, fn: () => void): () => void {
    const timer = { at: this.#now + milliseconds, fn }
    this.#timers.add(timer)
    if (milliseconds <= 0) setImmediate(() => this.#fire(timer))
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }

  /** Advances the clock, firing each timer in order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const [next] = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#now = Math.max(this.#now, next.at)
      this.#fire(next)
    }
    this.#now = end
  }

  /** Sets the time without firing anything: as if no process was running meanwhile, or the clock was set back. */
  jump(milliseconds: number): void {
    this.#now += milliseconds
  }

  #fire(timer: Timer): void {
    if (this.#timers.delete(timer)) timer.fn()
  }
}
