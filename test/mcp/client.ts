/** MCP clients for tests: the SDK's own, over each transport. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'
import { command, withoutKeys } from '../support/convene.ts'
import type { Served } from '../support/server.ts'

export interface Called {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: { type: string; text: string }[]
}

export async function connectTo(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Starts `convene mcp` in the folder. */
export async function overStdio(folder: string, env: Record<string, string> = {}): Promise<Client> {
  const inherited = withoutKeys(process.env) as Record<string, string>
  return connectTo(
    new StdioClientTransport({ command, args: ['mcp', '-C', folder], cwd: folder, env: { ...inherited, ...env } }),
  )
}

/** Calls a tool, and checks that its text is the same object. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const result = (await client.callTool({ name, arguments: args })) as unknown as Called
  if (JSON.stringify(result.structuredContent) !== result.content[0]?.text)
    throw new Error(`text and structured content differ: ${JSON.stringify(result)}`)
  return result
}

export async function structured(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return (await callTool(client, name, args)).structuredContent!
}

export async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri })
  return (contents as { text: string }[])[0]!.text
}

/** Connects to `/mcp` of a served project. */
export function overHttp({ server }: Served, token = server.token): Promise<Client> {
  const headers = { authorization: `Bearer ${token}` }
  return connectTo(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }))
}
