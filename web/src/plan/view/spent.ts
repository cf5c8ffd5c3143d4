/** What a plan has spent, against its budget and estimate. */
import type { PlanView } from '../../../../src/plan/view.ts'
import type { Budget } from '../../../../src/rules/budget/budget.ts'
import { count, money } from '../../ui/format.ts'

export interface SpentLine {
  name: string
  spent: string
  /** Null: no limit. */
  limit: string | null
  expected: string | null
  /** Of the limit, 0 to 1 and beyond. */
  share: number | null
}

export function spentOf(
  { cost, estimates, mode }: Pick<PlanView, 'cost' | 'estimates' | 'mode'>,
  budget: Budget,
): SpentLine[] {
  const expected = estimates.find((one) => one.mode === mode)
  const line = (
    name: string,
    spent: number | null,
    limit: number | null | undefined,
    guess: number | null | undefined,
    show: (value: number) => string,
  ): SpentLine => ({
    name,
    spent: spent === null ? 'unknown' : show(spent),
    limit: limit === null || limit === undefined ? null : show(limit),
    expected: guess === null || guess === undefined ? null : show(guess),
    share: limit === null || limit === undefined || limit <= 0 || spent === null ? null : spent / limit,
  })
  return [
    line('money', cost.usd, budget.usd, expected?.cost, money),
    line('asks', cost.asks, budget.calls, expected?.calls, count),
    line('tokens', cost.tokens, budget.tokens, expected?.tokens, count),
  ]
}

/** "$0.41 of $2.00", or with asks where money has no limit or is not known: "$0.41 · 12 of 1 000 asks". */
export function spentLabel(lines: readonly SpentLine[]): string {
  const [usd, asks] = lines as [SpentLine, SpentLine]
  const isKnown = usd.spent !== 'unknown'
  if (usd.limit !== null && isKnown) return `${usd.spent} of ${usd.limit}`
  return `${isKnown ? usd.spent : 'cost unknown'} · ${asks.spent}${asks.limit === null ? '' : ` of ${asks.limit}`} asks`
}
