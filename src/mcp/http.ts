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
  const sessions = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; left: AbortController }>()

  const open = async () => {
    const left = new AbortController()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, left })
        const [oldest] = sessions.keys()
        if (sessions.size > mostSessions && oldest !== undefined) void leave(oldest)
      },
      onsessionclosed: (id) => end(id),
    })
    await createMcpServer({ ...options, left: left.signal }).connect(transport)
    return transport
  }
  /** Cancels the session's calls, which stops what they wait for. */
  const end = async (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    await session?.transport.close()
  }
  /** Ends a session that its client did not end: what its calls wait for goes on, after a restart too. */
  const leave = (id: string) => {
    sessions.get(id)?.left.abort()
    return end(id)
  }
  return {
    async handle(request) {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.get(id)
        if (!session) return unknownSession()
        sessions.delete(id)
        sessions.set(id, session)
        return session.transport.handleRequest(request)
      }
      const transport = await open()
      const response = await transport.handleRequest(request)
      // Anything but the first request of a session is refused without one.
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    async close() {
      await Promise.all([...sessions.keys()].map(leave))
    },
  }
}

/** 404 tells a client to begin a new session, as after a restart. */
function unknownSession(): Response {
  const error = { code: -32001, message: 'there is no such session; initialize a new one' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
