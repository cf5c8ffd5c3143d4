/** Fetch for requests that carry a key: it never follows a redirect to another origin, and bounds what it reads (TR4, TR5). */
import { replyMeter } from '../../kernel/ask/reply-too-large.ts'

const mostRedirects = 5

/** The server sent the request, and with it the key, to somebody else. */
export class ForeignRedirect extends Error {
  readonly origin: string

  constructor(origin: string) {
    super(`redirected to ${origin}`)
    this.name = 'ForeignRedirect'
    this.origin = origin
  }
}

export const carefulFetch: typeof fetch = async (input, init) => {
  let address = new URL(input instanceof Request ? input.url : input)
  for (let followed = 0; ; followed++) {
    const response = await fetch(address, { ...init, redirect: 'manual' })
    const next = redirectOf(response, address)
    if (!next || followed === mostRedirects) return bounded(response)
    await response.body?.cancel()
    if (next.origin !== address.origin) throw new ForeignRedirect(next.origin)
    address = next
  }
}

function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location')
  if (response.status < 300 || response.status > 399 || location === null) return null
  return URL.canParse(location, from) ? new URL(location, from) : null
}

/** The body is decoded by now, so a small compressed reply cannot become a large one. */
function bounded(response: Response): Response {
  if (!response.body) return response
  const count = replyMeter('bytes')
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count(chunk.byteLength)
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}
