/** The Agent2Agent protocol over HTTP: JSON-RPC of version 1.0 and, for peers that say nothing or 0.3, of that version. */
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { DefaultRequestHandler, JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server'
import type { ApiClient } from '../serve/call.ts'
import { agentCard } from './agent-card.ts'
import { RecentTasks } from './recent-tasks.ts'
import { type NestingGuard, roomExecutor } from './room-executor.ts'

const legacyVersion = '0.3'

export function a2aEndpoint(
  owner: ApiClient,
  { url, version, ...guard }: { url: string; version: string } & NestingGuard,
): (request: Request) => Promise<Response> {
  const card = agentCard(url, version)
  const handler = new DefaultRequestHandler(card, new RecentTasks(), roomExecutor(owner, guard))
  const current = new JsonRpcTransportHandler(handler)
  const legacy = new LegacyJsonRpcTransportHandler(handler)
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const requestedVersion = request.headers.get('a2a-version')?.trim() || legacyVersion
    const isLegacy = requestedVersion === legacyVersion
    const errorOf = isLegacy
      ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError
      : JsonRpcTransportHandler.mapToJSONRPCError
    const text = await request.text()
    try {
      validateVersion(requestedVersion, card, 'JSONRPC')
      const result = await (isLegacy ? legacy : current).handle(text, new ServerCallContext({ requestedVersion }))
      return Symbol.asyncIterator in result ? streamed(result, errorOf) : Response.json(result)
    } catch (error) {
      return Response.json({ jsonrpc: '2.0', id: idOf(text), error: errorOf(error) })
    }
  }
}

/** Server-sent events, one for each answer of the stream. An error after the first one ends the stream as an event. */
function streamed(answers: AsyncGenerator<object>, errorOf: (error: unknown) => object): Response {
  const encode = (answer: object) => new TextEncoder().encode(`data: ${JSON.stringify(answer)}\n\n`)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await answers.next()
        if (done) controller.close()
        else controller.enqueue(encode(value))
      } catch (error) {
        controller.enqueue(encode({ jsonrpc: '2.0', id: null, error: errorOf(error) }))
        controller.close()
      }
    },
    // The task goes on; the peer may subscribe again.
    cancel: () => void answers.return(undefined).catch(() => {}),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

function idOf(text: string): string | number | null {
  try {
    const { id } = JSON.parse(text) as { id?: string | number }
    return id ?? null
  } catch {
    return null
  }
}
