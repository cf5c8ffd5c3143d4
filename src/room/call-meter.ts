/** Counts the calls of each room over the last minute. */
import type { Clock } from '../kernel/clock.ts'

const minute = 60_000

export class CallMeter {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #calls = new Map<string, number[]>()

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** How long to wait before `count` more calls may be made; 0 counts them as made now. RD12. */
  take(room: string, count: number): number {
    const now = this.#clock.now()
    const recent = (this.#calls.get(room) ?? []).filter((at) => at > now - minute)
    const over = recent.length + Math.min(count, this.#perMinute) - this.#perMinute
    if (over > 0) {
      this.#calls.set(room, recent)
      return recent[over - 1]! + minute - now
    }
    for (let call = 0; call < count; call++) recent.push(now)
    this.#calls.set(room, recent)
    return 0
  }
}
