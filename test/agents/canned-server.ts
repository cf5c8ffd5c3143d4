/** A server that sends exactly what a test wrote: responses that the emulator does not have. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ModelProvider } from '../../src/agents/models/providers.ts'
import { listen } from './emulator.ts'

export interface CannedServer {
  address: string
  requests: { headers: IncomingMessage['headers']; body: Record<string, unknown> }[]
  /** Resolves when the client has hung up before the response was complete. */
  hungUp: Promise<void>
  close(): void
}

export async function serveCanned(answer: (response: ServerResponse, count: number) => void): Promise<CannedServer> {
  const requests: CannedServer['requests'] = []
  const { promise: hungUp, resolve } = Promise.withResolvers<void>()
  const server: Server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: JSON.parse((await text(request)) || '{}') })
    response.on('close', () => {
      if (!response.writableFinished) resolve()
    })
    answer(response, requests.length)
  })
  const address = await listen(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address, requests, hungUp, close }
}

export function sendEvents(response: ServerResponse, events: readonly unknown[], end = true): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const type = (event as { type?: string }).type
    const data = typeof event === 'string' ? event : JSON.stringify(event)
    response.write(`${type ? `event: ${type}\n` : ''}data: ${data}\n\n`)
  }
  if (end) response.end()
}

export function sendError(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** The beginning of a streamed reply, up to a first piece of text. */
export const opening: Record<ModelProvider, (text: string) => unknown[]> = {
  anthropic: (text) => [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'm',
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ],
  openai: (text) => [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    { type: 'response.output_text.delta', item_id: 'i', delta: text },
  ],
  google: (text) => [{ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }],
  'openai-compatible': (text) => [{ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: text } }] }],
}

/** How each provider reports a refusal. */
export const refusal: Record<ModelProvider, unknown[]> = {
  anthropic: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  openai: [
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
    {
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'content_filter' }, usage: { input_tokens: 9, output_tokens: 5 } },
    },
  ],
  google: [
    {
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'SAFETY', index: 0 }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
    },
  ],
  'openai-compatible': [
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] },
    { id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } },
    '[DONE]',
  ],
}
