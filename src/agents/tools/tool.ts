/** What a tool is: a name, what it takes, and what it does in a workspace. Each of the others in this folder is one. */
import type { z } from 'zod'
import type { AgentWorkspace } from '../../kernel/agent.ts'

export interface ToolDeps {
  workspace: AgentWorkspace
  signal: AbortSignal
}

/** `text` goes to the model; a refusal does too, and the work goes on. */
export interface ToolAnswer {
  ok: boolean
  text: string
}

export interface WorkspaceTool<Input = never> {
  name: string
  description: string
  input: z.ZodType<Input>
  /** One line for the log, without anything that stands in the files. */
  summary(input: Input, answer: ToolAnswer): string
  /** May throw: what it says then is told to the model. */
  use(input: Input, deps: ToolDeps): Promise<ToolAnswer>
}

export function done(text: string): ToolAnswer {
  return { ok: true, text }
}

export function refused(problem: string): ToolAnswer {
  return { ok: false, text: `error: ${problem}` }
}
