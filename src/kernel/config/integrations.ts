/** `mcp`: how other tools reach Convene. */
import { z } from 'zod'

export const mcpSchema = z.strictObject({
  allow_nested: z
    .boolean()
    .default(false)
    .describe('Let agents that Convene started start work through the MCP server themselves.'),
})
