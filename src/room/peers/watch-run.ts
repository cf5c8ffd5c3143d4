/** The run of a message in a room of peers: it waits for what they do, so that callers can follow and stop it. */
import { type Run, Stopped, type Workflow } from '../../kernel/engine.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { stoppedCode } from '../../kernel/run-events.ts'
import type { Store } from '../../kernel/store.ts'
import { isAnswered, isRoundOver } from '../../rules/team/peer-round.ts'
import { notice } from '../answer.ts'
import { sessionEnded, turnStarted } from '../events.ts'
import type { RoundResult } from '../round.ts'
import type { AnswerInput } from '../run.ts'
import { canceled, ended, type SessionInput, type SessionResult } from '../session.ts'
import { partFailed } from './events.ts'
import { foldRound } from './round-facts.ts'

export function watchWorkflow(store: Store): Workflow<AnswerInput, RoundResult> {
  return {
    name: 'room.peers',
    version: 1,
    async run(run, input) {
      try {
        const { isAnswered, reason } = await untilOver(run, store, outcomeOf)
        return isAnswered ? {} : { reason: reason as RoundResult['reason'] }
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        // The peers give up what they are doing, and write nothing more.
        await run.append(notice(input, 'Stopped by user.', 'stopped'))
        return { reason: stoppedCode }
      }
    },
  }
}

export function watchSessionWorkflow(store: Store): Workflow<SessionInput, SessionResult> {
  return {
    name: 'room.peers-session',
    version: 1,
    async run(run, input) {
      try {
        const { reason, round } = await untilOver(run, store, endOf)
        return ended(reason, round)
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        const round = await run.step('turns so far', async () => {
          const events = await store.read({ run: run.runId, types: [turnStarted.type] })
          return events.reduce((last, event) => (turnStarted.is(event) ? event.data.round : last), 1)
        })
        await run.append(...canceled(input, round))
        return ended('canceled', round)
      }
    },
  }
}

function endOf(events: readonly StoredEvent[]): { reason: string; round: number } | null {
  const found = events.find((event) => sessionEnded.is(event))
  return found && sessionEnded.is(found) ? found.data : null
}

/** `reason` is that of the last failure. */
function outcomeOf(events: readonly StoredEvent[]): { isAnswered: boolean; reason: string } | null {
  const round = foldRound(events, { agents: [], joined: {}, seenAt: ({ seq }) => seq })
  if (!isRoundOver(round)) return null
  const failed = events.findLast((event) => partFailed.is(event))
  return {
    isAnswered: isAnswered(round.parts) || round.parts.some(({ end }) => end?.kind === 'passed'),
    reason: failed && partFailed.is(failed) ? failed.data.reason : 'unavailable',
  }
}

/** Waits until `read` finds what it looks for in the run's events. */
function untilOver<Value>(
  run: Run,
  store: Store,
  read: (events: readonly StoredEvent[]) => Value | null,
): Promise<Value> {
  return run.step(
    'wait for the peers',
    async ({ signal }) => {
      for (;;) {
        const moved = nextEvent(store, run.runId, signal)
        const own = (await store.read({ run: run.runId })).filter((event) => event.run === run.runId)
        const found = read(own)
        if (found) {
          moved.cancel()
          return found
        }
        await moved.happened
      }
    },
    { stoppable: true },
  )
}

function nextEvent(store: Store, run: string, signal: AbortSignal) {
  let cancel = () => {}
  const happened = new Promise<void>((resolve, reject) => {
    const unsubscribe = store.subscribe((event) => {
      if (event.run === run) end(resolve)
    })
    const aborted = () => end(() => reject(signal.reason))
    const end = (settle: () => void) => {
      unsubscribe()
      signal.removeEventListener('abort', aborted)
      settle()
    }
    cancel = () => end(resolve)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
  })
  happened.catch(() => {})
  return { happened, cancel: () => cancel() }
}
