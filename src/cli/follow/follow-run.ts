/** Follows one run from its first event to its end, and returns how it ended. */
import { abortWhenUnrecorded } from '../../calls/abort-when-unrecorded.ts'
import { budgetExhausted } from '../../kernel/budget/budget.ts'
import { isUsageFault, runFinished, runParked, stoppedCode } from '../../kernel/run-events.ts'
import { type TranscriptItem, transcriptItem } from '../../room/view.ts'
import type { Happening, ResponseOf } from '../../serve/call.ts'
import type { Client } from '../client/client.ts'

export interface RunEnd {
  /** The transcript items that the run added to its room. */
  items: TranscriptItem[]
  /** Set if the work failed or was stopped. */
  reason?: string
  exitCode: number
}

type EndedRun = Omit<ResponseOf<'GET /api/runs/:run'>, 'result'> & { result?: { reason?: string } }

/** Calls `see` once for every event and delta of the run, also when the owner restarts. */
export async function followRun(client: Client, run: string, see: (happening: Happening) => void): Promise<RunEnd> {
  const items: TranscriptItem[] = []
  let outOfTime = false
  const over = new AbortController()
  const looking = abortWhenUnrecorded(client, run, over)
  try {
    for await (const happening of client.follow({ run }, 0, over.signal)) {
      if ('delta' in happening) {
        if (happening.delta.ask.startsWith(`${run}/`)) see(happening)
        continue
      }
      const { event } = happening
      const item = transcriptItem(event)
      if (item) items.push(item)
      if (budgetExhausted.is(event) && event.data.limit === 'minutes') outOfTime = true
      see(happening)
      if (runFinished.is(event) || runParked.is(event)) break
    }
  } finally {
    over.abort()
    await looking
  }
  const ended = (await client.call('GET /api/runs/:run', { params: { run } })) as EndedRun
  const reason = ended.reason ?? ended.result?.reason
  return { items, ...(reason === undefined ? {} : { reason }), exitCode: exitCodeOf(ended, reason, outOfTime) }
}

/** A session that ended by itself, also at its limit, succeeded: only failed or stopped ones have a reason. */
function exitCodeOf(run: EndedRun, reason: string | undefined, outOfTime: boolean): number {
  if (reason === undefined) return 0
  if (isUsageFault(run.code) || isUsageFault(reason)) return 2
  const isStopped = run.status === 'stopped' || run.result?.reason === stoppedCode
  if (isStopped || run.status === 'cancelled') return 130
  return outOfTime ? 124 : 1
}
