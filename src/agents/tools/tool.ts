/** The interface of a tool: a name, an input schema, and what it does. */
import type { z } from 'zod'
import type { AgentRoom, AgentWorkspace } from '../../kernel/agent.ts'
import type { ProjectSource } from '../../kernel/project-source.ts'

export interface ToolDeps {
  workspace: AgentWorkspace
  signal: AbortSignal
}

export interface SourceToolDeps {
  source: ProjectSource
  signal: AbortSignal
}

/** `text` goes to the model, for a refusal too; the model continues. */
export interface ToolAnswer {
  ok: boolean
  text: string
}

export interface Tool<Input, Deps extends { signal: AbortSignal }> {
  name: string
  description: string
  input: z.ZodType<Input>
  /** One line for the log, without file contents. */
  summary(input: Input, answer: ToolAnswer): string
  /** The file whose content it shows, if it is one. */
  reads?(input: Input): string | undefined
  /** May throw: the error's message becomes the model's answer. */
  use(input: Input, deps: Deps): Promise<ToolAnswer>
}

export type WorkspaceTool<Input = never> = Tool<Input, ToolDeps>

export interface RoomToolDeps {
  room: AgentRoom
  signal: AbortSignal
}

/** Reads one commit of the project. */
export type SourceTool<Input = never> = Tool<Input, SourceToolDeps>

/** Works in the room outside the conversation. */
export type RoomTool<Input = never> = Tool<Input, RoomToolDeps>

export function done(text: string): ToolAnswer {
  return { ok: true, text }
}

export function refused(problem: string): ToolAnswer {
  return { ok: false, text: `error: ${problem}` }
}
