/** Streams events as server-sent events: first from the log after `after`, then live, without gaps or repeats. */
import type { Delta, DeltaPlace, Deltas } from '../../kernel/ask/deltas.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { type EventFilter, isWanted } from '../../kernel/matching-events.ts'
import type { Store } from '../../kernel/store.ts'

const pageSize = 1000
const heartbeatMs = 15_000
/** A client this far behind is disconnected; it reconnects with `Last-Event-ID` and catches up from the log. */
const maxQueuedChunks = 10_000

export interface StreamOptions {
  after: number
  filter: EventFilter
  /** What the reader sees of the log; null if all of it. */
  visible: {
    event(event: StoredEvent): Promise<boolean>
    delta(place: DeltaPlace, delta: Delta): Promise<boolean>
  } | null
  signals: AbortSignal[]
  /** Called once when the stream ends. */
  ended(): void
}

export function eventStream(
  store: Store,
  deltas: Deltas,
  { after, filter, visible, signals, ended: onEnd }: StreamOptions,
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
          if ((controller.desiredSize ?? 0) < -maxQueuedChunks) return end()
          controller.enqueue(encoder.encode(text))
        }
        const send = (event: StoredEvent) => {
          if (event.seq <= last) return
          last = event.seq
          write(eventText(event))
        }
        /** What a reader may see is looked up: everything waits for what came before it. */
        let queue = Promise.resolve()
        const inOrder = (work: () => Promise<void>) => {
          queue = queue.then(() => (ended ? undefined : work())).catch(fail)
        }
        const fail = (error: unknown) => {
          if (!ended) controller.error(error)
          end()
        }
        const offer = (event: StoredEvent) => {
          if (!visible) return send(event)
          inOrder(async () => {
            if (event.seq <= last) return
            if (await visible.event(event)) send(event)
            else last = event.seq
          })
        }
        const offerDelta = (place: DeltaPlace, delta: Delta) => {
          if (!visible) return write(deltaText(delta))
          inOrder(async () => {
            if (await visible.delta(place, delta)) write(deltaText(delta))
          })
        }
        const unsubscribeEvents = store.subscribe((event) => {
          if (!isWanted(event, filter)) return
          if (caughtUp) offer(event)
          else missed = true
        })
        const unsubscribeDeltas = deltas.subscribe((place, delta) => {
          if (isAbout(place, delta, filter)) offerDelta(place, delta)
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
          onEnd()
          try {
            controller.close()
          } catch {
            // The client closed it first.
          }
        }
        stop = end
        for (const signal of signals) signal.addEventListener('abort', end, { once: true })
        if (signals.some((signal) => signal.aborted)) return end()
        write('retry: 500\n\n')
        for (const { place, delta } of deltas.current()) if (isAbout(place, delta, filter)) offerDelta(place, delta)

        /** Reads the log no faster than the client does: a long log must not fill the queue and disconnect the client. */
        const catchUp = async () => {
          while (!ended) {
            missed = false
            const page = await store.read({ ...filter, after: last, limit: pageSize })
            for (const event of page) offer(event)
            await queue
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
        catchUp().catch(fail)
      },
      pull: () => drained(),
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

/** Thousands of clients may receive the same event: serialise it once. */
let lastSerialised: { event: StoredEvent; text: string } | null = null

function eventText(event: StoredEvent): string {
  if (lastSerialised?.event !== event)
    lastSerialised = { event, text: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n` }
  return lastSerialised.text
}

function deltaText(delta: Delta): string {
  return `event: delta\ndata: ${JSON.stringify(delta)}\n\n`
}

/** An ask's id starts with the id of its run. */
function isAbout({ stream, feature }: DeltaPlace, delta: Delta, filter: EventFilter): boolean {
  if (filter.stream !== undefined && filter.stream !== stream) return false
  if (filter.feature !== undefined && filter.feature !== feature) return false
  return filter.run === undefined || delta.ask.startsWith(`${filter.run}/`)
}
