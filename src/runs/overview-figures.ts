/** The totals of a run's overview: what was spent, when, and what had to be repeated. Browser-safe. */

import type { Usage } from '../kernel/agent.ts'
import { spendUsage } from '../kernel/ask/cost.ts'
import { addUsd } from '../rules/budget/add-usd.ts'

export interface Spent {
  asks: number
  /** Requests to a model. */
  calls: number
  tokens: number
  /** Null once the price of one call is unknown. */
  usd: number | null
  milliseconds: number
  failed: number
}

export const spentNothing = (): Spent => ({ asks: 0, calls: 0, tokens: 0, usd: 0, milliseconds: 0, failed: 0 })

interface FinishedCall {
  usage: Usage
  milliseconds: number
  failure?: unknown
}

export function spend(spent: Spent, { usage, milliseconds, failure }: FinishedCall): void {
  spent.asks += 1
  spendUsage(spent, usage)
  spent.milliseconds += milliseconds
  if (failure) spent.failed += 1
}

export interface Named<Value> {
  name: string
  value: Value
}

/** Finds or creates the entry of a name. A list, not an object: names are user input and unsafe as keys. */
export function named<Value>(list: Named<Value>[], name: string, make: () => Value): Named<Value> {
  const known = list.find((each) => each.name === name)
  if (known) return known
  const added = { name, value: make() }
  list.push(added)
  return added
}

export function count(list: Named<number>[], name: string, by = 1): void {
  named(list, name, () => 0).value += by
}

export interface Slice {
  /** Number of events: asks, questions, commands, commits, phases, and starts and ends of runs. */
  events: number
  /** Requests to a model. */
  calls: number
  tokens: number
  usd: number | null
  merges: number
}

/** The duration of a run in slices of equal width. Slices double in width when there would be too many. */
export interface Slices {
  from: number
  width: number
  list: Slice[]
}

const maxSlices = 120

/** The initial width of a slice, in milliseconds. */
const firstWidth = 100

export const noSlices = (): Slices => ({ from: 0, width: firstWidth, list: [] })

export function sliceAt(slices: Slices, at: number): Slice {
  if (slices.list.length === 0) slices.from = Math.floor(at / firstWidth) * firstWidth
  // If the clock was set back, count the event in the first slice.
  const indexOf = () => Math.max(0, Math.floor((at - slices.from) / slices.width))
  while (indexOf() >= maxSlices) widen(slices)
  const index = indexOf()
  while (slices.list.length <= index) slices.list.push(emptySlice())
  return slices.list[index]!
}

function widen(slices: Slices): void {
  slices.width *= 2
  const joined: Slice[] = []
  for (let index = 0; index < slices.list.length; index += 2)
    joined.push(join(slices.list[index]!, slices.list[index + 1] ?? emptySlice()))
  slices.list = joined
}

function join(one: Slice, other: Slice): Slice {
  return {
    events: one.events + other.events,
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    usd: addUsd(one.usd, other.usd),
    merges: one.merges + other.merges,
  }
}

const emptySlice = (): Slice => ({ events: 0, calls: 0, tokens: 0, usd: 0, merges: 0 })
