/** One MCP server: lists and calls the tools, and serves the resources, for one client over any transport. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Caller } from '../calls/caller.ts'
import { ConveneError } from '../kernel/errors.ts'
import { depthVariable, mayCall } from '../rules/mcp/nested.ts'
import { inputError } from '../rules/schema/rule.ts'
import type { ApiClient } from '../serve/call.ts'
import type { Tool } from './calls/tool.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { tools } from './tools.ts'

/** One use of the connection to the owner of the project. */
export interface Lease {
  owner(): Promise<ApiClient>
  track(run: string, after?: number): void
  release(): void
}

export interface McpOptions {
  version: string
  lease(): Lease
  /** How deep below another Convene this process runs. */
  depth: number
  allowNested(): boolean
  /** Aborts when the server goes away, before calls are cancelled: what they wait for goes on. */
  left?: AbortSignal
}

/** Clients give up on a call that stays silent; most reset their clock on every progress notification. */
const heartbeatMs = 10_000

const instructions =
  'Convene brings several AI agents to one piece of work on this project: ask them (convene_ask), plan (convene_plan), build a spec (convene_build) or ship a goal (convene_ship). Long work: pass wait: false and follow it with convene_status. Questions for a person appear in convene_questions; ask the person and pass the answer on with convene_answer.'

export function createMcpServer(options: McpOptions): Server {
  const server = new Server(
    { name: 'convene', title: 'Convene', version: options.version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const leased = async <Value>(work: (owner: ApiClient) => Promise<Value>): Promise<Value> => {
    const lease = options.lease()
    try {
      return await work(await lease.owner())
    } finally {
      lease.release()
    }
  }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool '${params.name}'`)
    const lease = options.lease()
    const progress = progressTo(_meta?.progressToken, (notice) =>
      sendNotification({ method: 'notifications/progress', params: notice }),
    )
    try {
      const call: Caller = {
        owner: lease.owner,
        track: lease.track,
        signal,
        left: options.left,
        progress: progress.say,
      }
      return resultOf(await callTool(tool, params.arguments ?? {}, call, options))
    } catch (error) {
      return failed(error)
    } finally {
      progress.end()
      lease.release()
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: await leased(listResources) }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    try {
      return { contents: [await leased((owner) => readResource(owner, params.uri))] }
    } catch (error) {
      throw resourceError(error, params.uri)
    }
  })
  return server
}

async function callTool(tool: Tool, given: unknown, call: Caller, options: McpOptions): Promise<object> {
  if (!mayCall({ startsWork: Boolean(tool.startsWork) }, options.depth, options.allowNested()))
    throw new ConveneError(
      'nested',
      `${tool.name}: an agent that Convene started may not start work through Convene (${depthVariable} is ${options.depth}). Set mcp.allow_nested: true in convene.yaml to allow it.`,
      { path: 'mcp.allow_nested', expected: 'true' },
    )
  const parsed = tool.input.safeParse(given)
  if (!parsed.success) {
    const { code, message, path, expected } = inputError(parsed.error)
    throw new ConveneError(code, message, { path, expected })
  }
  return tool.run(parsed.data, call)
}

function describe(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input'),
    outputSchema: jsonSchema(tool.output, 'output'),
    annotations: {
      title: tool.title,
      readOnlyHint: Boolean(tool.readOnly),
      destructiveHint: false,
      openWorldHint: Boolean(tool.startsWork),
    },
  }
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): { type: 'object'; [key: string]: unknown } {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return { ...rest, type: 'object' }
}

/** The same object for programs and as text for clients that know only text. */
function resultOf(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  }
}

function failed(error: unknown): CallToolResult {
  return { ...resultOf(bodyOf(error)), isError: true }
}

function bodyOf(error: unknown) {
  if (error instanceof ConveneError) return error.body()
  return { code: 'internal', message: `unexpected error: ${error instanceof Error ? error.message : String(error)}` }
}

/** The protocol's code for a resource that does not exist. */
const resourceNotFound = -32002

function resourceError(error: unknown, uri: string): McpError {
  const { message, ...rest } = bodyOf(error)
  const missing = error instanceof ConveneError && error.status === 404
  return new McpError(missing ? resourceNotFound : ErrorCode.InternalError, message, { uri, ...rest })
}

/** Numbers the notices, and repeats the last one while nothing new happens. */
function progressTo(
  token: string | number | undefined,
  send: (notice: { progressToken: string | number; progress: number; message: string }) => Promise<void>,
): { say(message: string): void; end(): void } {
  if (token === undefined) return { say() {}, end() {} }
  let progress = 0
  let last = 'started'
  const say = (message: string) => {
    last = message
    progress += 1
    // The client may have gone away; the call itself notices.
    void send({ progressToken: token, progress, message }).catch(() => {})
  }
  const heartbeat = setInterval(() => say(last), heartbeatMs)
  return { say, end: () => clearInterval(heartbeat) }
}
