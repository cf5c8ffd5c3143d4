/** The cost of a call, if its price is known. */
import type { Usage } from '../../kernel/agent.ts'

/** USD per million tokens. */
export interface Price {
  input: number
  output: number
  cached_input?: number
}

/** Without a price, only a call that used nothing has a known cost. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  if (!price) return usage.inputTokens + usage.outputTokens === 0 ? usage : { ...usage, usd: null }
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const millionths =
    (usage.inputTokens - cached) * price.input +
    cached * (price.cached_input ?? price.input) +
    usage.outputTokens * price.output
  return { ...usage, usd: Math.round(millionths * 1000) / 1e9 }
}
