/** Reads a line of `codex exec --json`. */
import { asRecord, count, type HeadlessLine, nothing, said, tool } from './headless-line.ts'

/** Items that are tool calls, with what each is called. */
const tools: Readonly<Record<string, string>> = {
  command_execution: 'exec_command',
  file_change: 'file_change',
  mcp_tool_call: 'mcp_tool_call',
  web_search: 'web_search',
}

export function readCodexLine(line: Record<string, unknown>): HeadlessLine {
  switch (line.type) {
    case 'item.started':
    case 'item.completed':
      return readItem(asRecord(line.item), line.type === 'item.completed')
    case 'turn.completed': {
      const usage = asRecord(line.usage)
      const cached = count(usage.cached_input_tokens)
      return {
        usage: {
          inputTokens: count(usage.input_tokens),
          outputTokens: count(usage.output_tokens),
          ...(cached > 0 ? { cachedInputTokens: cached } : {}),
        },
        ended: 'end_turn',
      }
    }
    case 'turn.failed':
      return { failed: String(asRecord(line.error).message ?? 'the turn failed') }
    default:
      return nothing
  }
}

function readItem(item: Record<string, unknown>, isDone: boolean): HeadlessLine {
  if (item.type === 'agent_message') return isDone ? said(item.text) : nothing
  const name = tools[String(item.type)]
  if (name === undefined) return nothing
  const input = { ...(item.command ? { command: item.command } : {}), ...firstPath(item.changes) }
  return { updates: [tool({ id: item.id, name, input, ...(isDone ? { ok: item.status !== 'failed' } : {}) })] }
}

function firstPath(changes: unknown): { path?: unknown } {
  const path = Array.isArray(changes) ? asRecord(changes[0]).path : undefined
  return path === undefined ? {} : { path }
}
