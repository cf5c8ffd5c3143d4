/** The clock as a dependency: tests advance it by hand. */
export interface Clock {
  now(): number
  /** Time that passes evenly: it ignores changes of the clock and stands still while the machine sleeps. */
  steady?(): number
  /** Calls `fn` after `milliseconds`; returns a function that cancels it. */
  after(milliseconds: number, fn: () => void): () => void
}

/** Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.now(),
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

/** For how long something took or may take (TR13). A simulated clock advances both alike. */
export const steadyNow = (clock: Clock): number => clock.steady?.() ?? clock.now()
