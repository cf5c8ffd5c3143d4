/** What a command spent: the requests to models, tokens and money of the asks that it followed. */
import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import { requestsOf } from '../../kernel/ask/usage.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { addUsd } from '../../rules/budget/add-usd.ts'
import type { Output } from '../display/output.ts'

export interface Cost {
  asks?: number
  /** Requests to a model: one for each attempt of an ask, and for each step of an agent that uses tools. */
  calls: number
  tokens: number
  /** Null if the price of a call is unknown. */
  usd: number | null
}

export class Spending {
  readonly #after: number
  readonly #cost = { asks: 0, calls: 0, tokens: 0, usd: 0 as number | null }

  /** Events up to `after` belong to an earlier command. */
  constructor(after = 0) {
    this.#after = after
  }

  see(event: StoredEvent): void {
    if (event.seq <= this.#after) return
    if (askStarted.is(event)) this.#cost.asks += 1
    if (!askFinished.is(event)) return
    const { inputTokens, outputTokens, usd } = event.data.usage
    this.#cost.calls += requestsOf(event.data.usage)
    this.#cost.tokens += inputTokens + outputTokens
    this.#cost.usd = addUsd(this.#cost.usd, usd)
  }

  /** Undefined if nothing was asked. */
  get cost(): Cost | undefined {
    return this.#cost.asks === 0 ? undefined : { ...this.#cost }
  }

  /** On stderr, since it is no result. */
  tell(output: Output): void {
    if (this.cost) output.note(output.style('dim', `spent: ${costLine(this.cost)}`))
  }
}

/** BU1: an unknown price is shown as unknown. */
export function costLine({ calls, asks = calls, tokens, usd }: Cost): string {
  const money = usd === null ? 'cost unknown' : `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`
  const requests = `${calls} ${calls === 1 ? 'request' : 'requests'}`
  const counted = asks === calls ? requests : `${asks} ${asks === 1 ? 'ask' : 'asks'} with ${requests}`
  return `${counted}, ${tokens.toLocaleString('en')} tokens, ${money}`
}
