/** Events as they happen, over server-sent events: from where the listener left off, without a gap and without a repeat. */
import type { Delta, DeltaPlace, Deltas } from '../../kernel/ask/deltas.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { type EventFilter, isWanted } from '../../kernel/matching-events.ts'
import type { Store } from '../../kernel/store.ts'

const pageSize = 1000
const heartbeatMs = 15_000
/** A listener this far behind is let go of; it comes back with `Last-Event-ID` and catches up from the log. */
const mostWaitingChunks = 10_000

export function eventStream(
  store: Store,
  deltas: Deltas,
  after: number,
  filter: EventFilter,
  signals: AbortSignal[],
): ReadableStream<Uint8Array> {
  let stop = () => {}
  let drained = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let last = after
        let caughtUp = false
        let missed = false
        let ended = false
        const write = (text: string) => {
          if (ended) return
          if ((controller.desiredSize ?? 0) < -mostWaitingChunks) return end()
          controller.enqueue(encoder.encode(text))
        }
        const send = (event: StoredEvent) => {
          if (event.seq <= last) return
          last = event.seq
          write(eventText(event))
        }
        const unsubscribeEvents = store.subscribe((event) => {
          if (!isWanted(event, filter)) return
          if (caughtUp) send(event)
          else missed = true
        })
        const unsubscribeDeltas = deltas.subscribe((place, delta) => {
          if (isAbout(place, delta, filter)) write(deltaText(delta))
        })
        const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
        const end = () => {
          if (ended) return
          ended = true
          unsubscribeEvents()
          unsubscribeDeltas()
          clearInterval(heartbeat)
          for (const signal of signals) signal.removeEventListener('abort', end)
          drained()
          try {
            controller.close()
          } catch {
            // The listener closed it first.
          }
        }
        stop = end
        for (const signal of signals) signal.addEventListener('abort', end, { once: true })
        if (signals.some((signal) => signal.aborted)) return end()
        write('retry: 500\n\n')
        for (const { place, delta } of deltas.current()) if (isAbout(place, delta, filter)) write(deltaText(delta))

        /** From the log, no faster than the listener takes it: a long log must not look like a listener that is too slow. */
        const catchUp = async () => {
          while (!ended) {
            missed = false
            const page = await store.read({ ...filter, after: last, limit: pageSize })
            for (const event of page) send(event)
            if (page.length < pageSize && !missed) {
              caughtUp = true
              return
            }
            if ((controller.desiredSize ?? 0) < 0 && !ended)
              await new Promise<void>((resolve) => {
                drained = resolve
              })
          }
        }
        catchUp().catch((error) => {
          if (!ended) controller.error(error)
          end()
        })
      },
      pull: () => drained(),
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

/** Thousands may listen to the same event: it is put into words once. */
let lastWorded: { event: StoredEvent; text: string } | null = null

function eventText(event: StoredEvent): string {
  if (lastWorded?.event !== event) lastWorded = { event, text: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n` }
  return lastWorded.text
}

function deltaText(delta: Delta): string {
  return `event: delta\ndata: ${JSON.stringify(delta)}\n\n`
}

/** The name of an ask begins with its run. */
function isAbout({ stream, feature }: DeltaPlace, delta: Delta, filter: EventFilter): boolean {
  if (filter.stream !== undefined && filter.stream !== stream) return false
  if (filter.feature !== undefined && filter.feature !== feature) return false
  return filter.run === undefined || delta.ask.startsWith(`${filter.run}/`)
}
