/** Records when each room made its calls, as far back as the rate-limit rule needs. RD12. */
import type { Clock } from '../kernel/clock.ts'
import { waitForCalls } from '../rules/room/call-caps.ts'

const minute = 60_000

export class CallMeter {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #calls = new Map<string, number[]>()

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Returns how long to wait before making `count` more calls; if 0, counts them as made now. */
  take(room: string, count: number): number {
    const now = this.#clock.now()
    const times = (this.#calls.get(room) ?? []).filter((at) => at > now - minute)
    const wait = waitForCalls(times, count, now, this.#perMinute)
    if (wait === 0) for (let call = 0; call < count; call++) times.push(now)
    this.#calls.set(room, times)
    return wait
  }
}
