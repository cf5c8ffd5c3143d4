/** The clock as a dependency: tests advance it by hand. */
export interface Clock {
  now(): number
  /** Calls `fn` after `milliseconds`; returns a function that cancels it. */
  after(milliseconds: number, fn: () => void): () => void
}

/** Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, fn) {
    let timer: NodeJS.Timeout
    const arm = (left: number) => {
      timer =
        left > longestTimer
          ? setTimeout(() => arm(left - longestTimer), longestTimer)
          : setTimeout(fn, Math.max(left, 0))
    }
    arm(milliseconds)
    return () => clearTimeout(timer)
  },
}
