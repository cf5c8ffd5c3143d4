/** The figures of a feature's charts. Pure. */
import type { Budget } from '../../../../src/rules/budget/budget.ts'
import type { Bar } from '../../ui/charts/bars-frame.tsx'
import type { Point } from '../../ui/charts/scale.ts'
import type { ChartTone } from '../../ui/charts/tones.ts'
import { clock, count, money, plural } from '../../ui/format.ts'
import type { FeatureTimeline } from './feature-timeline.ts'
import { diagnosisLabel } from './labels.ts'

export interface Spending {
  points: Point[]
  /** What is counted. */
  unit: 'usd' | 'asks'
  limit: number | null
  spent: number
  /** Of other runs of the feature, which had budgets of their own. */
  before: number
}

/** A budget holds for one run with everything below it, so the latest run is shown. Rehearsals cost nothing: asks count there. */
export function spendingOf({ spending }: Pick<FeatureTimeline, 'spending'>, budget: Budget): Spending {
  const priced = spending.some(({ usd }) => usd !== null && usd > 0) && spending.every(({ usd }) => usd !== null)
  const unit = priced ? 'usd' : 'asks'
  const worth = (one: FeatureTimeline['spending'][number]) => (unit === 'usd' ? (one.usd ?? 0) : 1)
  const last = spending.at(-1)?.root
  const own = spending.filter(({ root }) => root === last)
  let spent = 0
  const points = own.map((one) => {
    spent += worth(one)
    return { x: one.at, y: spent }
  })
  if (points.length > 0) points.unshift({ x: points[0]!.x, y: 0 })
  const before = spending.filter(({ root }) => root !== last).reduce((sum, one) => sum + worth(one), 0)
  return { points, unit, limit: (unit === 'usd' ? budget.usd : budget.calls) ?? null, spent, before }
}

export const spendingFigure = (unit: Spending['unit'], value: number) => (unit === 'usd' ? money(value) : count(value))

/** "$0.41 of $2.00", "12 of 1 000 asks". */
export function spendingLabel({ unit, spent, limit }: Spending): string {
  if (unit === 'usd') return limit === null ? money(spent) : `${money(spent)} of ${money(limit)}`
  return limit === null ? plural(spent, 'ask') : `${count(spent)} of ${plural(limit, 'ask')}`
}

const hourMs = 3_600_000
const minuteMs = 60_000
const mostBars = 24

export interface Throughput {
  bars: Bar[]
  /** How long one bar is. */
  per: 'hour' | 'minute' | 'day'
}

/** Done issues by the hour; by the minute where all of it took less, by the day where it took longer than a day. */
export function throughputOf({ done }: Pick<FeatureTimeline, 'done'>): Throughput {
  const times = done.map(({ at }) => at).sort((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return { bars: [], per: 'hour' }
  const took = last - first
  const per = took < mostBars * minuteMs ? 'minute' : took < mostBars * hourMs ? 'hour' : 'day'
  const step = per === 'minute' ? minuteMs : per === 'hour' ? hourMs : 24 * hourMs
  const start = Math.floor(first / step)
  const steps = Math.floor(last / step) - start + 1
  // Of a long life the end.
  const from = start + Math.max(0, steps - mostBars)
  const bars = Array.from({ length: Math.min(steps, mostBars) }, (_, index) => {
    const at = from + index
    const value = times.filter((time) => Math.floor(time / step) === at).length
    return { label: labelOf(at * step, per), value }
  })
  return { bars, per }
}

function labelOf(at: number, per: Throughput['per']): string {
  const date = new Date(at)
  if (per === 'day') return `${date.getDate()}.${date.getMonth() + 1}.`
  return clock(date.toISOString(), date)
}

const diagnosisTones: Record<string, ChartTone> = {
  implementation_bug: 'bad',
  test_expectation: 'warn',
  missing_dependency: 'live',
  blocked: 'plain',
}

/** The most frequent first. */
export function retriesOf({ diagnoses }: Pick<FeatureTimeline, 'diagnoses'>): Bar[] {
  return [...diagnoses]
    .toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b))
    .map(([diagnosis, value]) => ({
      label: diagnosisLabel(diagnosis),
      value,
      colour: diagnosisTones[diagnosis] ?? ('accent' as const),
    }))
}
