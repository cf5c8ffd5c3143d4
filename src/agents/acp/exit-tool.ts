/** The MCP tool `emit_exit`, with which a coding agent ends its work. One server per session of an agent. */
import { mkdtempSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpServerStdio } from '@agentclientprotocol/sdk/unstable'
import type { z } from 'zod'
import { type FinishTool, finishTool } from '../models/finish-tool.ts'
import { providerSchema } from '../models/provider-schema.ts'
import { removeFolder } from './empty-folder.ts'

export const exitServerName = 'convene'
export const exitToolName = 'emit_exit'

export class ExitTool {
  readonly #server: Server
  readonly #folder: string
  readonly #sockets = new Set<Socket>()
  /** Tell each connected agent that the tool has another schema. */
  readonly #changed = new Set<() => void>()
  #finish: FinishTool | null = null

  private constructor(server: Server, folder: string) {
    this.#server = server
    this.#folder = folder
  }

  static async open(): Promise<ExitTool> {
    // Only this user may enter the folder, and its name cannot be guessed.
    const folder = mkdtempSync(join(tmpdir(), 'convene-exit-'))
    const server = createServer()
    const tool = new ExitTool(server, folder)
    server.on('connection', (socket) => tool.#serve(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(tool.#path, resolve)
    })
    server.unref()
    return tool
  }

  /** How an agent starts the server. */
  get mcpServer(): McpServerStdio {
    return { name: exitServerName, command: process.execPath, args: [relay, this.#path], env: [] }
  }

  /** Offers the schema of this ask, and forgets the reply to an earlier one. */
  offer(schema: z.ZodType): void {
    const structure = providerSchema('google', schema)
    this.#finish = structure && finishTool(schema, structure)
    for (const notify of this.#changed) notify()
  }

  /** The reply as JSON text, once the agent has given it. */
  get reply(): string | undefined {
    return this.#finish?.reply()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
    await removeFolder(this.#folder)
  }

  get #path(): string {
    return join(this.#folder, 'exit.sock')
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket)
    // An agent that is killed before it reads an answer breaks the socket; that is its end, not ours.
    socket.on('error', () => socket.destroy())
    const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] = await loadMcp()
    const capabilities = { tools: { listChanged: true } }
    const server = new Server({ name: exitServerName, version: '1' }, { capabilities })
    server.onerror = () => {}
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: this.#tools() }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => this.#call(params.name, params.arguments ?? {}))
    const notify = () => void server.sendToolListChanged().catch(() => {})
    this.#changed.add(notify)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#changed.delete(notify)
      server.close().catch(() => {})
    })
    await server.connect(new StdioServerTransport(socket, socket)).catch(() => socket.destroy())
  }

  #tools() {
    if (!this.#finish) return []
    const { description, schema } = this.#finish
    return [{ name: exitToolName, description, inputSchema: { ...(schema as object), type: 'object' as const } }]
  }

  #call(name: string, given: unknown) {
    const answer = (text: string, isError: boolean) => ({ content: [{ type: 'text' as const, text }], isError })
    if (name !== exitToolName) return answer(`there is no tool ${name}`, true)
    if (!this.#finish) return answer('error: no reply is wanted now', true)
    const { ok, text } = this.#finish.take(given)
    return ok ? answer('Accepted. End your turn now, without further words.', false) : answer(text, true)
  }
}

// `.ts` in a checkout, `.js` in the package, where the bundle has the relay as an entry of its own.
const relay = fileURLToPath(new URL(`./exit-relay${extname(import.meta.url)}`, import.meta.url))

function loadMcp() {
  return Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
}
