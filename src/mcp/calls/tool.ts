/** The shape of one tool of the MCP server. */
import { z } from 'zod'
import type { Caller } from '../../calls/caller.ts'

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: `convene_${string}`
  title: string
  description: string
  input: Input
  output: z.ZodObject
  /** MC1: refused to agents that Convene itself started. */
  startsWork?: true
  readOnly?: true
  run(input: z.output<Input>, call: Caller): Promise<object>
}

/** Forgets the type of the input: the server validates it before each call. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

const errorFields = {
  code: z.string().describe('Of an error'),
  message: z.string().describe('Of an error'),
}

/**
 * Results carry what the API returns, which may have more fields than are described here. No field is required:
 * clients compare errors, `{code, message}`, with the same schema.
 */
export const resultOf = (shape: z.ZodRawShape) => z.looseObject({ ...shape, ...errorFields }).partial()

export const wait = z
  .boolean()
  .describe('false returns at once with status "running"; follow the run with convene_status')
  .optional()
