/** The connection to an owner in another process. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { clientHeader, type OwnerAddress } from '../../kernel/owner-address.ts'
import { requestLine } from '../../serve/call.ts'
import type { Link, LinkRequest, LinkResponse } from './link.ts'

/**
 * Neither `fetch` nor `import 'node:http'`: both load the whole of undici, which takes longer than a client command may.
 */
const http = process.getBuiltinModule('node:http')

export interface HttpOwner {
  address: OwnerAddress & { url: string }
  token: string
  /** Given to the owner, which stays while this process is attached; null for one that watches without an end. */
  client: string | null
}

export function httpLink({ address, token, client }: HttpOwner): Link {
  const own = { authorization: `Bearer ${token}`, ...(client === null ? {} : { [clientHeader]: client }) }
  return {
    owner: false,
    address,
    close: async () => {},
    fetch: (path, request) => send(address.url + path, { ...request, headers: { ...request.headers, ...own } }),
  }
}

export async function isUp(url: string): Promise<boolean> {
  try {
    return (
      await send(url + requestLine('GET /api/health', {}).path, { headers: {}, signal: AbortSignal.timeout(2000) })
    ).ok
  } catch {
    return false
  }
}

/** Opens a connection per request: a kept one may have been closed by the owner in the meantime. */
function send(url: string, { method = 'GET', headers, body, signal }: LinkRequest): Promise<LinkResponse> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, signal, agent: false }, (incoming) =>
      resolve(responseOf(incoming)),
    )
    request.on('error', reject)
    request.end(body)
  })
}

function responseOf(incoming: IncomingMessage): LinkResponse {
  const status = incoming.statusCode ?? 0
  return {
    ok: status >= 200 && status < 300,
    status,
    json: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    },
    get body() {
      return Readable.toWeb(incoming) as ReadableStream<Uint8Array>
    },
  }
}
