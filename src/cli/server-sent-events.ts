/** Reads server-sent events off a response, piece by piece. */

export interface ServerSentEvent {
  event: string
  data: string
  id?: string
}

export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true })
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const message = parse(buffer.slice(0, end))
      buffer = buffer.slice(end + 2)
      if (message) yield message
    }
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
