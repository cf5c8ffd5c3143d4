/** TR10: stops waiting for a run's events once nothing can be recorded any more: no event will report its end. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../serve/call.ts'

const lookEveryMs = 2000

/** Ends with `over`. */
export async function abortWhenUnrecorded(
  owner: Pick<ApiClient, 'call'>,
  run: string,
  over: AbortController,
): Promise<void> {
  for (;;) {
    await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => {})
    if (over.signal.aborted) return
    const now = await owner.call('GET /api/runs/:run', { params: { run } }).catch(() => null)
    if (now?.unrecorded) return over.abort()
  }
}
