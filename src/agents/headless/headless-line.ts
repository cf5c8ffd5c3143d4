/** What one line of a headless agent's output means, in the words of the agent client protocol. */
import type { SessionUpdate, StopReason, ToolKind } from '@agentclientprotocol/sdk/unstable'

export interface HeadlessUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
}

export interface HeadlessLine {
  updates?: SessionUpdate[]
  /** Is added to what was counted before. */
  usage?: HeadlessUsage
  usd?: number
  /** The agent's words for why it failed. */
  failed?: string
  /** The turn is over. */
  ended?: StopReason
}

export const nothing: HeadlessLine = {}

export function said(text: unknown): HeadlessLine {
  if (typeof text !== 'string' || text === '') return nothing
  return { updates: [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }] }
}

export interface SeenTool {
  id: unknown
  name?: unknown
  input?: unknown
  /** Absent while it runs. */
  ok?: boolean
}

export function tool({ id, name, input, ok }: SeenTool): SessionUpdate {
  const title = typeof name === 'string' ? name : undefined
  const status = ok === undefined ? 'in_progress' : ok ? 'completed' : 'failed'
  const about = {
    ...(title === undefined ? {} : { title, kind: kindOf(title) }),
    ...(input === undefined ? {} : { rawInput: input }),
  }
  return { sessionUpdate: 'tool_call_update', toolCallId: String(id), status, ...about }
}

/** Agents name their tools differently; most say what they do. */
function kindOf(name: string): ToolKind {
  if (/bash|shell|command|exec/i.test(name)) return 'execute'
  if (/write|edit|patch|replace|file_change/i.test(name)) return 'edit'
  if (/fetch|web/i.test(name)) return 'fetch'
  if (/grep|glob|search|find|list/i.test(name)) return 'search'
  if (/read/i.test(name)) return 'read'
  return 'other'
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
