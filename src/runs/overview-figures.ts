/** Sums that a run's overview keeps: what was spent, when, and how often something had to be done again. Browser-safe. */

import type { Usage } from '../kernel/agent.ts'
import { addUsd } from '../rules/budget/add-usd.ts'

export interface Spent {
  calls: number
  tokens: number
  /** Null once the price of one call is unknown. */
  usd: number | null
  milliseconds: number
  failed: number
}

export const spentNothing = (): Spent => ({ calls: 0, tokens: 0, usd: 0, milliseconds: 0, failed: 0 })

interface FinishedCall {
  usage: Usage
  milliseconds: number
  failure?: unknown
}

export function spend(spent: Spent, { usage, milliseconds, failure }: FinishedCall): void {
  spent.calls += 1
  waste(spent, usage)
  spent.milliseconds += milliseconds
  if (failure) spent.failed += 1
}

/** What was used without a call that counts: one that was cut short is put again. */
export function waste(spent: Pick<Spent, 'tokens' | 'usd'>, usage: Usage): void {
  spent.tokens += usage.inputTokens + usage.outputTokens
  spent.usd = addUsd(spent.usd, usage.usd)
}

export interface Named<Value> {
  name: string
  value: Value
}

/** The value of a name in a short list, made where there is none yet. Names come from outside: they are no keys. */
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
  /** How much happened: questions put and answered, commands, commits, phases, and what became of runs. */
  events: number
  calls: number
  tokens: number
  usd: number | null
  merges: number
}

/** The time of a run in slices of one width; where there would be too many, each becomes twice as wide. */
export interface Slices {
  from: number
  width: number
  list: Slice[]
}

const mostSlices = 120

/** How wide slices are at first. */
const firstWidth = 100

export const noSlices = (): Slices => ({ from: 0, width: firstWidth, list: [] })

export function sliceAt(slices: Slices, at: number): Slice {
  if (slices.list.length === 0) slices.from = Math.floor(at / firstWidth) * firstWidth
  // A clock that was set back: what is told now happened no earlier than the first of it.
  const place = () => Math.max(0, Math.floor((at - slices.from) / slices.width))
  while (place() >= mostSlices) widen(slices)
  const index = place()
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
