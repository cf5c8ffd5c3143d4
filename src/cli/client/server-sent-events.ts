/** Reads server-sent events from the body of a response as they arrive. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'

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
