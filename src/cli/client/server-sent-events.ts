/** Reads server-sent events from a response as they arrive. */

export interface ServerSentEvent {
  event: string
  data: string
  id?: string
}

/** Ends when `signal` aborts: a stream made in this process may have lost its own tie to the request's signal. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal?.aborted) return
      buffer += decoder.decode(value, { stream: true })
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        const message = parse(buffer.slice(0, end))
        buffer = buffer.slice(end + 2)
        if (message) yield message
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Null for a comment or a block without data. */
function parse(block: string): ServerSentEvent | null {
  const message: ServerSentEvent = { event: 'message', data: '' }
  let hasData = false
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const field = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') message.event = value
    else if (field === 'id') message.id = value
    else if (field === 'data') {
      message.data += hasData ? `\n${value}` : value
      hasData = true
    }
  }
  return hasData ? message : null
}
