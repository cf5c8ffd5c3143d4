/** Reads a line of `opencode run --format json`. */
import { asRecord, count, type HeadlessLine, nothing, said, tool } from './headless-line.ts'

export function readOpencodeLine(line: Record<string, unknown>): HeadlessLine {
  const part = asRecord(line.part)
  switch (line.type) {
    case 'text':
      return said(part.text)
    case 'tool_use': {
      // Reported when it is over.
      const { status, input } = asRecord(part.state)
      return { updates: [tool({ id: part.callID, name: part.tool, input, ok: status !== 'error' })] }
    }
    case 'step_finish': {
      const { input, output, reasoning, cache } = asRecord(part.tokens)
      const cached = count(asRecord(cache).read)
      return {
        usage: {
          inputTokens: count(input) + cached,
          outputTokens: count(output) + count(reasoning),
          ...(cached > 0 ? { cachedInputTokens: cached } : {}),
        },
        ...(count(part.cost) > 0 ? { usd: count(part.cost) } : {}),
      }
    }
    case 'error': {
      const { name, data } = asRecord(line.error)
      return { failed: String(asRecord(data).message ?? name ?? 'it failed') }
    }
    default:
      return nothing
  }
}
