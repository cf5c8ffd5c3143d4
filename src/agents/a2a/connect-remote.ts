/** Reads the card of a remote agent and connects to its endpoint. The key goes to that endpoint's origin alone. */
import type { Client } from '@a2a-js/sdk/client'
import { carefulFetch } from '../models/careful-fetch.ts'
import { retryAfterMs } from '../models/retry-after.ts'

const cardPath = '/.well-known/agent-card.json'

/** The server answered with an HTTP error. */
export class HttpError extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(status: number, words: string, retryAfter: number | undefined) {
    super(words)
    this.name = 'HttpError'
    this.status = status
    this.retryAfterMs = retryAfter
  }
}

/** There is no card, or none that this client can use. */
export class NoUsableCard extends Error {
  constructor(words: string) {
    super(words)
    this.name = 'NoUsableCard'
  }
}

export async function connectRemote({ url, apiKey }: { url: string; apiKey?: string }): Promise<Client> {
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } = await import(
    '@a2a-js/sdk/client'
  )
  const legacyCompat = { enabled: true }
  const fetchImpl = fetchFor(apiKey)
  const card = new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(await readCard(new URL(url).origin))
  // The configured address is the one that a person trusted, whatever the card says.
  const spoken = (card.supportedInterfaces ?? []).filter(
    (each) => each.protocolBinding === 'JSONRPC' || (each.protocolBinding === 'HTTP+JSON' && each.url === url),
  )
  if (spoken.length === 0)
    throw new NoUsableCard('its card names no interface that Convene speaks (JSON-RPC, or HTTP+JSON at this address)')
  const supportedInterfaces = spoken
    .map((each) => ({ ...each, url }))
    .sort((a, b) => Number(b.protocolVersion.startsWith('1')) - Number(a.protocolVersion.startsWith('1')))
  const transports = [
    new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
    new RestTransportFactory({ fetchImpl, legacyCompat }),
  ]
  return new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces })
}

/** How long a server may take to send its card. Several asks wait for one connection, so none of them can end it. */
const cardMs = 30_000

async function readCard(origin: string): Promise<unknown> {
  const signal = AbortSignal.timeout(cardMs)
  const response = await carefulFetch(origin + cardPath, { headers: { accept: 'application/json' }, signal }).catch(
    (error: unknown) => {
      if (!signal.aborted) throw error
      throw Object.assign(new Error(`no agent card within ${cardMs / 1000} s`), { code: 'ETIMEDOUT' })
    },
  )
  if (response.status === 404) throw new NoUsableCard(`there is no agent card at ${origin}${cardPath}`)
  if (!response.ok) throw await httpError(response)
  try {
    return await response.json()
  } catch {
    throw new NoUsableCard(`what is at ${origin}${cardPath} is not JSON`)
  }
}

function fetchFor(apiKey: string | undefined): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
    const response = await carefulFetch(input, { ...init, headers })
    if (!response.ok) throw await httpError(response)
    return response
  }
}

async function httpError(response: Response): Promise<HttpError> {
  const words = (await response.text().catch(() => '')).replace(/\s+/g, ' ').trim().slice(0, 200)
  return new HttpError(
    response.status,
    words,
    retryAfterMs(Object.fromEntries(response.headers), undefined, Date.now()),
  )
}
