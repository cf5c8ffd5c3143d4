/** What a command spent: the calls, tokens and money of the asks that it followed. */
import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { addUsd } from '../../rules/budget/add-usd.ts'
import type { Output } from '../display/output.ts'

export interface Cost {
  calls: number
  tokens: number
  /** Null if the price of a call is unknown. */
  usd: number | null
}

export class Spending {
  readonly #after: number
  readonly #cost: Cost = { calls: 0, tokens: 0, usd: 0 }

  /** Events up to `after` belong to an earlier command. */
  constructor(after = 0) {
    this.#after = after
  }

  see(event: StoredEvent): void {
    if (event.seq <= this.#after) return
    if (askStarted.is(event)) this.#cost.calls += 1
    if (!askFinished.is(event)) return
    const { inputTokens, outputTokens, usd } = event.data.usage
    this.#cost.tokens += inputTokens + outputTokens
    this.#cost.usd = addUsd(this.#cost.usd, usd)
  }

  /** Undefined if nothing was asked. */
  get cost(): Cost | undefined {
    return this.#cost.calls === 0 ? undefined : { ...this.#cost }
  }

  /** On stderr, since it is no result. */
  tell(output: Output): void {
    if (this.cost) output.note(output.style('dim', `spent: ${costLine(this.cost)}`))
  }
}

/** BU1: an unknown price is shown as unknown. */
export function costLine({ calls, tokens, usd }: Cost): string {
  const money = usd === null ? 'cost unknown' : `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens.toLocaleString('en')} tokens, ${money}`
}
