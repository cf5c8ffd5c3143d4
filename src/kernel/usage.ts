/** Arithmetic on what calls have used: nothing, sums, and estimates where nobody counted. */
import { estimateTokenCount } from 'tokenx'
import type { AgentMessage, Usage } from './agent.ts'

/** A call that reached no model. */
export const noUsage: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, usd: 0 })

/** An unknown price makes the sum's price unknown: a part that is missing must not look like a total. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
  }
}

export function estimateTokens(messages: readonly AgentMessage[], reply: string): Usage {
  const inputTokens = messages.reduce((sum, message) => sum + estimateTokenCount(message.content), 0)
  return { inputTokens, outputTokens: estimateTokenCount(reply), usd: null, estimated: true }
}
