/** What a command spent: the requests to models, tokens and money of the asks that it followed. */
import { type Cost, countCost, noCost, requestWords } from '../../kernel/ask/cost.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import type { Output } from '../display/output.ts'

export class Spending {
  readonly #after: number
  readonly #cost = noCost()

  /** Events up to `after` belong to another command. */
  constructor(after = 0) {
    this.#after = after
  }

  see(event: StoredEvent): void {
    if (event.seq > this.#after) countCost(this.#cost, event)
  }

  /** Undefined if nothing was asked. */
  get cost(): Cost | undefined {
    return this.#cost.asks === 0 ? undefined : { ...this.#cost }
  }

  /** On stderr, since it is no result. Of a resumed run it is the whole, with what was spent before. */
  print(output: Output, { isResumed = false } = {}): void {
    if (!this.cost) return
    output.note(output.style('dim', `spent${isResumed ? ' since the run began' : ''}: ${costLine(this.cost)}`))
  }
}

/** BU1: an unknown price is shown as unknown. */
export function costLine({ tokens, usd, ...counts }: Cost): string {
  const money = usd === null ? 'cost unknown' : `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`
  return `${requestWords(counts)}, ${tokens.toLocaleString('en')} tokens, ${money}`
}
