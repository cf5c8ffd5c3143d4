/** Time, as something that can be replaced: tests let an hour pass at once. */
export interface Clock {
  now(): number
  /** Calls `fn` after `milliseconds`; returns how to call it off. */
  after(milliseconds: number, fn: () => void): () => void
}

/** Timers longer than this fire at once in Node. */
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
