/** When to retry a failed call, and how long to wait first. */
import { handleWhenResult, retry } from 'cockatiel'

export interface RetryPolicy {
  /** Further calls after the first. */
  retries: number
  /** The first wait before jitter; it doubles with each retry. */
  baseMs: number
  maxMs: number
  /** The longest Retry-After of a provider that we honour. */
  retryAfterCapMs: number
}

export const defaultRetryPolicy: RetryPolicy = { retries: 2, baseMs: 1000, maxMs: 20_000, retryAfterCapMs: 60_000 }

type Retryable = { ok: true } | { ok: false; failure: { retryable: boolean; retryAfterMs?: number } }

/**
 * Calls until it succeeds, cannot succeed, or no retries are left. We wait with our own `sleep`, because cockatiel's cannot
 * be cancelled by a stop.
 */
export function callWithRetries<Made extends Retryable>(
  policy: RetryPolicy,
  random: () => number,
  sleep: (milliseconds: number) => Promise<void>,
  call: () => Promise<Made>,
): Promise<Made> {
  if (policy.retries === 0) return call()
  let wait = 0
  const again = retry(
    handleWhenResult((made) => isWorthAnother(made as Made)),
    { maxAttempts: policy.retries },
  )
  return again.execute(async ({ attempt }) => {
    if (attempt > 0) await sleep(wait)
    const made = await call()
    if (!made.ok) wait = waitBefore(attempt, made.failure.retryAfterMs, policy, random)
    return made
  })
}

/** Half of the wait is random, so that agents who failed together do not retry together. */
function waitBefore(
  retries: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy,
  random: () => number,
): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, policy.retryAfterCapMs)
  return Math.min(policy.maxMs, policy.baseMs * 2 ** retries) * (0.5 + random() / 2)
}

function isWorthAnother(made: Retryable): boolean {
  return !made.ok && made.failure.retryable
}
