/** What asks cost: how many, the requests to models that they took, tokens and money. Browser-safe. */
import { addUsd } from '../../rules/budget/add-usd.ts'
import type { Usage } from '../agent.ts'
import type { StoredEvent } from '../events.ts'
import { askFinished, askStarted } from './ask-events.ts'

export interface Cost {
  asks: number
  /** Requests to a model: one for each attempt of an ask, and for each step of an agent that uses tools. */
  calls: number
  tokens: number
  /** Null if the price of a request is unknown. */
  usd: number | null
}

export const noCost = (): Cost => ({ asks: 0, calls: 0, tokens: 0, usd: 0 })

/** Counts an ask when it starts, and what it took when it ends. Other events change nothing. */
export function countCost(cost: Cost, event: StoredEvent): void {
  if (askStarted.is(event)) cost.asks += 1
  if (askFinished.is(event)) spendUsage(cost, event.data.usage)
}

export function costOf(events: readonly StoredEvent[]): Cost {
  const cost = noCost()
  for (const event of events) countCost(cost, event)
  return cost
}

export function spendUsage(cost: Omit<Cost, 'asks'>, usage: Usage): void {
  cost.calls += requestsOf(usage)
  cost.tokens += usage.inputTokens + usage.outputTokens
  cost.usd = addUsd(cost.usd, usage.usd)
}

/** How often a model was asked for it. */
export function requestsOf({ inputTokens, outputTokens, requests }: Usage): number {
  return requests ?? (inputTokens + outputTokens > 0 ? 1 : 0)
}

/** "9 asks with 12 requests". */
export function requestWords({ asks, calls }: Pick<Cost, 'asks' | 'calls'>): string {
  return `${asks} ${asks === 1 ? 'ask' : 'asks'} with ${calls} ${calls === 1 ? 'request' : 'requests'}`
}
