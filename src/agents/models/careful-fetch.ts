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
  let sent: RequestInit = { ...(input instanceof Request ? await contentOf(input) : {}), ...init, redirect: 'manual' }
  for (let followed = 0; ; followed++) {
    const response = await fetch(address, sent)
    const next = redirectOf(response, address)
    if (!next || followed === mostRedirects) return bounded(response)
    await response.body?.cancel()
    if (next.origin !== address.origin) throw new ForeignRedirect(next.origin)
    address = next
    if (becomesGet(response.status, sent.method)) sent = withoutBody(sent)
  }
}

/** A request that is given as an object, in a form that can be sent again. */
async function contentOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal } = request
  return { method, headers, signal, ...(request.body ? { body: await request.clone().arrayBuffer() } : {}) }
}

/** As every client does: 303 asks for a page about the result, and 301 and 302 mean the same for a POST. */
function becomesGet(status: number, method = 'GET'): boolean {
  const isPost = method.toUpperCase() === 'POST'
  if (status === 303) return method.toUpperCase() !== 'HEAD'
  return isPost && (status === 301 || status === 302)
}

function withoutBody({ body: _, ...init }: RequestInit): RequestInit {
  const headers = new Headers(init.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language', 'content-location'])
    headers.delete(name)
  return { ...init, method: 'GET', headers }
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
