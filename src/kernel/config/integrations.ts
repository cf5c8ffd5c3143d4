/** `mcp` and `telemetry`: how other tools reach Convene, and what Convene reports to them. */
import { z } from 'zod'

export const mcpSchema = z.strictObject({
  allow_nested: z
    .boolean()
    .default(false)
    .describe('Let agents that Convene started start work through the MCP server themselves.'),
})

export const telemetrySchema = z.strictObject({
  content: z
    .boolean()
    .default(false)
    .describe('Export the text of prompts and replies with OpenTelemetry spans, not only sizes and costs.'),
})
