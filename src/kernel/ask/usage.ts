/** Usage of calls: sums, and estimates when the provider sent no count. */

import { addUsd } from '../../rules/budget/add-usd.ts'
import type { AgentMessage, Usage } from '../agent.ts'
import { requestsOf } from './cost.ts'
import { countTokens } from './count-tokens.ts'

/** The usage of a call that reached no model. */
export const noUsage: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, usd: 0 })

/** An unknown price makes the sum's price unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  const requests = requestsOf(a) + requestsOf(b)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    usd: addUsd(a.usd, b.usd),
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
    ...(requests > 1 ? { requests } : {}),
  }
}

/** `reply` is the text, or its estimated number of tokens. */
export function estimateTokens(messages: readonly AgentMessage[], reply: string | number): Usage {
  const outputTokens = typeof reply === 'number' ? reply : countTokens(reply)
  return { inputTokens: tokensOf(messages), outputTokens, usd: null, estimated: true }
}

/** Caches the count: the same messages are counted before a call and after it. */
const counted = new WeakMap<readonly AgentMessage[], number>()

function tokensOf(messages: readonly AgentMessage[]): number {
  let tokens = counted.get(messages)
  if (tokens === undefined) {
    tokens = messages.reduce((sum, message) => sum + countTokens(message.content), 0)
    counted.set(messages, tokens)
  }
  return tokens
}
