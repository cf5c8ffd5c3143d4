/** An agent that speaks A2A by the protocol's own SDK, and plays what a test tells it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentCard, TaskState } from '@a2a-js/sdk'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'

export interface Peer {
  url: string
  /** The texts that it was asked. */
  asked: string[]
  /** The headers of the requests to its endpoint. */
  headers: IncomingMessage['headers'][]
  canceled: string[]
  close(): Promise<void>
}

/** What the peer does with a text: pieces to say, then a state to end in; or an answer of its own over HTTP. */
export type Part =
  | { pieces: string[]; latencyMs?: number; state?: TaskState; words?: string; breakOff?: boolean }
  | { http: (response: ServerResponse) => void }

export interface PeerOptions {
  play(asked: string): Part
  version?: '1.0' | '0.3'
  streaming?: boolean
  /** Replaces the card. */
  card?: (url: string) => unknown
}

export async function startPeer({ play, version = '1.0', streaming = true, card }: PeerOptions): Promise<Peer> {
  const peer: Peer = { url: '', asked: [], headers: [], canceled: [], close: async () => {} }
  let breakOff = () => {}
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const part = play(promptOf(userMessage))
      if ('http' in part) return
      const ids = { taskId, contextId, metadata: undefined }
      const status = (state: TaskState, words?: string) => ({
        state,
        timestamp: new Date().toISOString(),
        message:
          words === undefined
            ? undefined
            : { ...userMessage, messageId: `${taskId}-end`, role: 2, parts: [textPart(words)] },
      })
      const working = status(TaskState.TASK_STATE_WORKING)
      bus.publish(
        AgentEvent.task({ id: taskId, contextId, status: working, artifacts: [], history: [], metadata: undefined }),
      )
      for (const [index, piece] of part.pieces.entries()) {
        if (part.latencyMs) await pause(part.latencyMs)
        const artifact = { artifactId: 'a', name: '', description: '', parts: [textPart(piece)], metadata: undefined }
        bus.publish(
          AgentEvent.artifactUpdate({
            ...ids,
            artifact: { ...artifact, extensions: [] },
            append: index > 0,
            lastChunk: index === part.pieces.length - 1,
          }),
        )
      }
      if (part.breakOff) {
        await pause(100)
        breakOff()
      }
      bus.publish(
        AgentEvent.statusUpdate({ ...ids, status: status(part.state ?? TaskState.TASK_STATE_COMPLETED, part.words) }),
      )
      bus.finished()
    },
    cancelTask: async (taskId) => void peer.canceled.push(taskId),
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const body = card?.(peer.url) ?? wireCard(peer.url, version, streaming)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    peer.headers.push(request.headers)
    breakOff = () => response.destroy()
    const body = await text(request)
    const asked = textsIn(JSON.parse(body))
    if (asked !== null) {
      peer.asked.push(asked)
      const part = play(asked)
      if ('http' in part) {
        part.http(response)
        return
      }
    }
    const handler =
      version === '1.0' ? new JsonRpcTransportHandler(requests) : new LegacyJsonRpcTransportHandler(requests)
    const answer = await handler.handle(body, new ServerCallContext({ requestedVersion: version }))
    if (!(Symbol.asyncIterator in answer)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`
  const requests = new DefaultRequestHandler(
    internalCard(peer.url, version, streaming),
    new InMemoryTaskStore(),
    executor,
  )
  peer.close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return peer
}

const textPart = (value: string) => ({
  content: { $case: 'text' as const, value },
  metadata: undefined,
  filename: '',
  mediaType: '',
})

function promptOf({ parts }: { parts: { content?: { $case: string; value: unknown } }[] }): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? String(content.value) : '')).join('\n')
}

/** The text of a message in a request of either version; null for other requests. */
function textsIn(request: { params?: { message?: { parts?: { text?: string }[] } } }): string | null {
  const parts = request.params?.message?.parts
  return parts ? parts.map(({ text: said }) => said ?? '').join('\n') : null
}

const skill = { id: 'x', name: 'x', description: 'x', tags: [], examples: [], inputModes: [], outputModes: [] }

function wireCard(url: string, version: '1.0' | '0.3', streaming: boolean): object {
  const common = {
    name: 'Peer',
    description: 'A peer',
    version: '1',
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ ...skill, tags: ['x'] }],
  }
  return version === '1.0'
    ? { ...common, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
    : { ...common, protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' }
}

function internalCard(url: string, version: string, streaming: boolean): AgentCard {
  return {
    name: 'Peer',
    description: 'A peer',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: version }],
    provider: undefined,
    capabilities: { streaming, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ ...skill, securityRequirements: [] }],
    signatures: [],
  }
}
