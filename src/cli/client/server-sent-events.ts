/** Reads server-sent events from the body of a response as they arrive. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Delta } from '../../kernel/ask/deltas.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import type { Happening } from '../../serve/call.ts'

/** Reads the event stream of the API. */
export async function* happenings(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Happening> {
  for await (const { event, data } of readServerSentEvents(body, signal)) {
    if (event === 'delta') yield { delta: JSON.parse(data) as Delta }
    else yield { event: JSON.parse(data) as StoredEvent }
  }
}

/** Ends when `signal` aborts: a stream from this very process may not be connected to the request's signal. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  const parsed: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => parsed.push(message) })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal?.aborted) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* parsed.splice(0)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}
