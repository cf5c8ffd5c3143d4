/** Follows a run for a caller from outside: reports progress, and stops the run when the call is cancelled. */
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredEvent } from '../kernel/events.ts'
import { runFinished, runParked, type WorkStatus } from '../kernel/run-events.ts'
import { questionAsked } from '../kernel/runs/question-events.ts'
import type { ApiClient } from '../serve/call.ts'
import { abortWhenUnrecorded } from './abort-when-unrecorded.ts'
import type { Caller } from './caller.ts'
import { progressLine } from './progress-line.ts'

/** Ends when the run has finished or is parked, or when the server goes away. */
export async function followRun(call: Caller, run: string, see: (event: StoredEvent) => void): Promise<void> {
  const owner = await call.owner()
  const stopCancelling = stopWhenCancelled(owner, call, run)
  const over = new AbortController()
  const looking = abortWhenUnrecorded(owner, run, over)
  try {
    await watch(owner, call, run, over, see)
  } finally {
    await looking
    stopCancelling()
  }
}

/** Ends when the work has finished, is parked or waits for a person; returns its report. */
export async function followWork<Report extends { status: WorkStatus }>(
  call: Caller,
  run: string,
  report: (owner: ApiClient) => Promise<Report>,
): Promise<Report> {
  const owner = await call.owner()
  const stopCancelling = stopWhenCancelled(owner, call, run)
  try {
    for (;;) {
      const over = new AbortController()
      let asked = false
      const looking = abortWhenWaiting(
        () => report(owner),
        over,
        () => asked,
      )
      const unrecorded = abortWhenUnrecorded(owner, run, over)
      await watch(owner, call, run, over, (event) => {
        if (questionAsked.is(event)) asked = true
      })
      await Promise.all([looking, unrecorded])
      const current = await report(owner)
      if (current.status !== 'running' || call.left?.aborted) return current
    }
  } finally {
    stopCancelling()
  }
}

async function watch(
  owner: ApiClient,
  call: Caller,
  run: string,
  over: AbortController,
  see: (event: StoredEvent) => void,
): Promise<void> {
  const leave = () => over.abort()
  if (call.left?.aborted) leave()
  call.left?.addEventListener('abort', leave, { once: true })
  try {
    for await (const happening of owner.follow({ run }, 0, over.signal)) {
      if (!('event' in happening)) continue
      const { event } = happening
      see(event)
      const line = progressLine(event)
      if (line !== null) call.progress(line)
      if (event.run === run && (runFinished.is(event) || runParked.is(event))) break
    }
  } catch (error) {
    if (!call.left?.aborted) throw error
  } finally {
    call.left?.removeEventListener('abort', leave)
    over.abort()
  }
}

/** Returns the function that ends it. */
function stopWhenCancelled(owner: ApiClient, { signal, left }: Caller, run: string): () => void {
  const stop = () => {
    if (!left?.aborted) stopRun()
  }
  const stopRun = () => void owner.call('POST /api/runs/:run/stop', { params: { run } }).catch(() => {})
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return () => signal.removeEventListener('abort', stop)
}

/** A question alone does not end the work: other agents may still be working. */
async function abortWhenWaiting(
  report: () => Promise<{ status: WorkStatus }>,
  over: AbortController,
  asked: () => boolean,
): Promise<void> {
  for (let seen = 0; seen < 2; ) {
    await pause(100, undefined, { signal: over.signal }).catch(() => {})
    if (over.signal.aborted) return
    if (!asked()) continue
    const current = await report().catch(() => null)
    seen = current?.status === 'waiting' ? seen + 1 : 0
  }
  over.abort()
}
