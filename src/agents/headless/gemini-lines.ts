/** Reads a line of `gemini --output-format stream-json`. */
import { asRecord, count, type HeadlessLine, nothing, said, tool } from './headless-line.ts'

export function readGeminiLine(line: Record<string, unknown>): HeadlessLine {
  switch (line.type) {
    case 'message':
      return line.role === 'assistant' ? said(line.content) : nothing
    case 'tool_use':
      return { updates: [tool({ id: line.tool_id, name: line.tool_name, input: line.parameters })] }
    case 'tool_result':
      return { updates: [tool({ id: line.tool_id, ok: line.status === 'success' })] }
    case 'result': {
      const stats = asRecord(line.stats)
      const cached = count(stats.cached)
      const usage = {
        inputTokens: count(stats.input_tokens),
        outputTokens: count(stats.output_tokens),
        ...(cached > 0 ? { cachedInputTokens: cached } : {}),
      }
      if (line.status === 'success') return { usage, ended: 'end_turn' }
      return { usage, failed: String(asRecord(line.error).message ?? 'it failed') }
    }
    default:
      return nothing
  }
}
