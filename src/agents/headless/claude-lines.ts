/** Reads a line of `claude -p --output-format stream-json`. */
import { asRecord, count, type HeadlessLine, nothing, said, tool } from './headless-line.ts'

export function readClaudeLine(line: Record<string, unknown>): HeadlessLine {
  // What a subagent says is not the reply.
  if (typeof line.parent_tool_use_id === 'string') return nothing
  switch (line.type) {
    case 'stream_event': {
      const { type, delta } = asRecord(line.event)
      const { type: kind, text } = asRecord(delta)
      return type === 'content_block_delta' && kind === 'text_delta' ? said(text) : nothing
    }
    case 'assistant':
      return { updates: blocksOf(line, 'tool_use').map(({ id, name, input }) => tool({ id, name, input })) }
    case 'user':
      return {
        updates: blocksOf(line, 'tool_result').map(({ tool_use_id: id, is_error: isError }) =>
          tool({ id, ok: isError !== true }),
        ),
      }
    case 'result':
      return readResult(line)
    default:
      return nothing
  }
}

function readResult(line: Record<string, unknown>): HeadlessLine {
  const usage = asRecord(line.usage)
  const cached = count(usage.cache_read_input_tokens)
  const counted = {
    usage: {
      inputTokens: count(usage.input_tokens) + count(usage.cache_creation_input_tokens) + cached,
      outputTokens: count(usage.output_tokens),
      ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    },
    ...(count(line.total_cost_usd) > 0 ? { usd: count(line.total_cost_usd) } : {}),
  }
  if (line.subtype === 'error_max_turns') return { ...counted, ended: 'max_turn_requests' }
  if (line.is_error === true) return { ...counted, failed: String(line.result ?? line.subtype ?? 'it failed') }
  return { ...counted, ended: line.stop_reason === 'refusal' ? 'refusal' : 'end_turn' }
}

function blocksOf(line: Record<string, unknown>, type: string): Record<string, unknown>[] {
  const { content } = asRecord(line.message)
  return Array.isArray(content) ? content.map(asRecord).filter((block) => block.type === type) : []
}
