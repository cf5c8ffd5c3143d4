/** What a command spent: the requests to models, tokens and money of the asks that it followed, and its time. */
import { type Cost, countCost, noCost } from '../../kernel/ask/cost.ts'
import { costLine } from '../../kernel/ask/cost-line.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import type { Output } from '../display/output.ts'

export class Spending {
  readonly #after: number
  readonly #cost = noCost()
  readonly #now: () => number
  readonly #began: number

  /** Begins with the command. Events up to `after` belong to another one. */
  constructor(after = 0, now: () => number = () => performance.now()) {
    this.#after = after
    this.#now = now
    this.#began = now()
  }

  see(event: StoredEvent): void {
    if (event.seq > this.#after) countCost(this.#cost, event)
  }

  /** Undefined if nothing was asked. */
  get cost(): Cost | undefined {
    return this.#cost.asks === 0 ? undefined : { ...this.#cost }
  }

  /** On stderr, since it is no result. Of a resumed run it is the whole, with what was spent before; the time is the command's. */
  print(output: Output, { isResumed = false } = {}): void {
    if (!this.cost) return
    const line = costLine(this.cost, this.#now() - this.#began)
    const words = isResumed ? `spent since the run began: ${line} for this command` : `spent: ${line}`
    output.note(output.style('dim', words))
  }
}
