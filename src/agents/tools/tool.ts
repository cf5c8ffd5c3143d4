/** The interface of a workspace tool: a name, an input schema, and what it does. */
import type { z } from 'zod'
import type { AgentWorkspace } from '../../kernel/agent.ts'

export interface ToolDeps {
  workspace: AgentWorkspace
  signal: AbortSignal
}

/** `text` goes to the model, for a refusal too; the model continues. */
export interface ToolAnswer {
  ok: boolean
  text: string
}

export interface WorkspaceTool<Input = never> {
  name: string
  description: string
  input: z.ZodType<Input>
  /** One line for the log, without file contents. */
  summary(input: Input, answer: ToolAnswer): string
  /** May throw: the error's message becomes the model's answer. */
  use(input: Input, deps: ToolDeps): Promise<ToolAnswer>
}

export function done(text: string): ToolAnswer {
  return { ok: true, text }
}

export function refused(problem: string): ToolAnswer {
  return { ok: false, text: `error: ${problem}` }
}
