/** `convene mcp`: serves the Model Context Protocol on stdin and stdout until the client closes them. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { version } from '../../kernel/version.ts'
import { createMcpServer } from '../../mcp/server.ts'
import { depthVariable, nestingDepth } from '../../rules/mcp/nested.ts'
import { sharedConnection } from '../client/shared-connection.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

export async function mcpCommand(context: CommandContext): Promise<number> {
  const connection = sharedConnection(context)
  const depth = nestingDepth(context.env[depthVariable])
  const nestedAllowed = depth > 0 && (await allowsNested(context))
  const server = createMcpServer({
    version: version(),
    lease: () => connection.lease(),
    depth,
    allowNested: () => nestedAllowed,
  })
  await untilInterrupted(async (interrupted) => {
    const ended = new Promise<void>((resolve) => {
      interrupted.addEventListener('abort', () => resolve(), { once: true })
      process.stdin.once('end', resolve)
      process.stdin.once('close', resolve)
      server.onclose = resolve
    })
    await server.connect(new StdioServerTransport())
    await ended
    return 0
  })
  // Cancels the calls under way, which stops what they started.
  await server.close()
  await connection.close()
  return 0
}

async function allowsNested(context: CommandContext): Promise<boolean> {
  const { loadConfig } = await import('../../kernel/config/load.ts')
  return loadConfig(context).config.mcp.allow_nested
}
