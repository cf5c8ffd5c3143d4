/** Retries a forge call with backoff while the failure may be temporary, for a limited time. SPEC.md § GH. */
import type { Clock } from '../kernel/clock.ts'
import { sleep } from '../kernel/sleep.ts'
import { ForgeFailed } from './forge.ts'

export interface Patience {
  clock: Clock
  /** Stops waiting. */
  signal: AbortSignal
  /** No attempt starts after this long. */
  limitMs?: number
  /** The first wait, doubled each time, and the longest. */
  backoff?: { baseMs: number; maxMs: number }
  random?: () => number
}

/** [GH3] For idempotent calls: a retry after a lost answer finds what the first call did. Throws the last failure. */
export async function patiently<Value>(call: () => Promise<Value>, patience: Patience): Promise<Value> {
  const { clock, signal, limitMs = 120_000, backoff = { baseMs: 1000, maxMs: 10_000 }, random = Math.random } = patience
  const deadline = clock.now() + limitMs
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ForgeFailed) || !error.retryable) throw error
      const pause = Math.min(backoff.maxMs, backoff.baseMs * 2 ** (failures - 1)) * (0.5 + random() / 2)
      const wait = Math.max(pause, error.retryAfterMs ?? 0)
      if (clock.now() + wait > deadline) throw error
      await sleep(wait, signal, clock)
    }
  }
}
