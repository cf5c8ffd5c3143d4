/** A run's budget for people: used, reserved and left. SPEC.md § BU. */
import type { BudgetLimit, BudgetRun } from './budget.ts'
import { dollars, microDollarLimit } from './micro-dollars.ts'

export interface BudgetLine {
  spent: number
  reserved: number
  /** `null`: no limit. */
  limit: number | null
  left: number | null
  /** Usage beyond the limit. */
  overrun: number
}

export interface BudgetView {
  calls: BudgetLine
  tokens: BudgetLine
  /** The price of `unpriced_calls` is unknown, so `spent` is a lower bound. */
  usd: BudgetLine & { unpriced_calls: number; unpriced_tokens: number }
  minutes: { spent: number; limit: number | null; left: number | null }
  exhausted: BudgetLimit | null
}

/** [BU1] `at` is the current time. */
export function budgetView(run: BudgetRun, at: number): BudgetView {
  const { budget, spent, reserved, unpriced } = run
  const usd = line(spent.microUsd, reserved.microUsd, isGiven(budget.usd) ? microDollarLimit(budget.usd) : null)
  const minutes = Math.max(0, at - run.openedAt) / 60_000
  const minuteLimit = budget.minutes ?? null
  return {
    calls: line(spent.calls, reserved.calls, budget.calls ?? null),
    tokens: line(spent.tokens, reserved.tokens, budget.tokens ?? null),
    usd: { ...inDollars(usd), unpriced_calls: unpriced.calls, unpriced_tokens: unpriced.tokens },
    minutes: {
      spent: minutes,
      limit: minuteLimit,
      left: minuteLimit === null ? null : Math.max(0, minuteLimit - minutes),
    },
    exhausted: run.exhausted,
  }
}

function line(spent: number, reserved: number, limit: number | null): BudgetLine {
  if (limit === null) return { spent, reserved, limit, left: null, overrun: 0 }
  return { spent, reserved, limit, left: Math.max(0, limit - spent - reserved), overrun: Math.max(0, spent - limit) }
}

function inDollars({ spent, reserved, limit, left, overrun }: BudgetLine): BudgetLine {
  return {
    spent: dollars(spent),
    reserved: dollars(reserved),
    limit: limit === null ? null : dollars(limit),
    left: left === null ? null : dollars(left),
    overrun: dollars(overrun),
  }
}

function isGiven(limit: number | null | undefined): limit is number {
  return limit !== null && limit !== undefined
}
