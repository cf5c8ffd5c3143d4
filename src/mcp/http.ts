/** MCP over streamable HTTP: a server and a transport for each session of a client. */
import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpOptions } from './server.ts'

/** Clients that vanish never end their sessions: beyond this many, the one unused for longest is closed. */
const mostSessions = 100

export interface McpSessions {
  handle(request: Request): Promise<Response>
  close(): Promise<void>
}

export function mcpSessions(options: McpOptions): McpSessions {
  /** Least recently used first. */
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  const open = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport)
        const [oldest] = sessions.keys()
        if (sessions.size > mostSessions && oldest !== undefined) void end(oldest)
      },
      onsessionclosed: (id) => end(id),
    })
    await createMcpServer(options).connect(transport)
    return transport
  }
  const end = async (id: string) => {
    const transport = sessions.get(id)
    sessions.delete(id)
    await transport?.close()
  }
  return {
    async handle(request) {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const transport = sessions.get(id)
        if (!transport) return unknownSession()
        sessions.delete(id)
        sessions.set(id, transport)
        return transport.handleRequest(request)
      }
      const transport = await open()
      const response = await transport.handleRequest(request)
      // Anything but the first request of a session is refused without one.
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end))
    },
  }
}

/** 404 tells a client to begin a new session, as after a restart. */
function unknownSession(): Response {
  const error = { code: -32001, message: 'there is no such session; initialize a new one' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
