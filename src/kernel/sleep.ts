/** A sleep that an AbortSignal cancels. */
import { type Clock, systemClock } from './clock.ts'

/** Resolves after `milliseconds`; rejects with the signal's reason as soon as it aborts. */
export function sleep(milliseconds: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const callOff = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    const stop = () => {
      callOff()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
