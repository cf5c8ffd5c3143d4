/**
 * The run of one ask of a peer. The log is its journal: what follows from the answer is written by `write`, which refuses
 * what no longer counts. A peer that dies before that asks again; the same step is the same question.
 */
import type { StepContext } from '../../kernel/engine.ts'
import type { NewEvent } from '../../kernel/events.ts'
import type { AskingRun } from '../../kernel/runs/ask-in-run.ts'
import type { Store } from '../../kernel/store.ts'

export interface PeerRunOptions {
  store: Store
  runId: string
  /** Distinguishes the asks of a run. */
  position: number
  startedAt: number
  signal: AbortSignal
  write(events: NewEvent[]): Promise<void>
}

export function peerRun({ store, runId, position, startedAt, signal, write }: PeerRunOptions): AskingRun {
  return {
    runId,
    startedAt,
    async step(name, fn) {
      const emitted: NewEvent[] = []
      let appended = 0
      const step = `${position} ${name}`
      const context: StepContext = {
        signal,
        key: `${runId}/${position}`,
        position,
        attempt: 1,
        recovered: false,
        append: async (event) => {
          await store.append([{ ...event, key: { run: runId, step, n: appended++ } }])
        },
        emit: (event) => emitted.push({ ...event, run: event.run ?? runId }),
        hold: () => {},
      }
      const value = await fn(context)
      await write(emitted)
      return value
    },
  }
}
