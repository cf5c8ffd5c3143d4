/**
 * The budget of a run and everything it starts: reserved before a call, settled after it. A fold of facts over a tree of
 * runs; ids and times are arguments. SPEC.md § BU.
 */
import { dollars, microDollarLimit, microDollars } from './micro-dollars.ts'

/** Absent or `null` means no limit. */
export interface Budget {
  calls?: number | null
  tokens?: number | null
  usd?: number | null
  minutes?: number | null
  depth?: number | null
}

export type BudgetLimit = 'calls' | 'tokens' | 'usd' | 'minutes'

export type BudgetFact =
  | { type: 'opened'; run: string; parent: string | null; budget: Budget; at: number }
  | { type: 'reserved'; reservation: string; run: string; tokens: number; microUsd: number | null }
  | { type: 'grown'; reservation: string; tokens: number; microUsd: number }
  | { type: 'settled'; reservation: string; tokens: number; microUsd: number | null }
  | { type: 'wasted'; run: string; tokens: number; microUsd: number | null }
  | { type: 'released'; reservation: string }
  | { type: 'exhausted'; run: string; limit: BudgetLimit }

interface Amount {
  calls: number
  tokens: number
  microUsd: number
}

export interface BudgetRun {
  parent: string | null
  depth: number
  budget: Budget
  openedAt: number
  /** Both include everything below the run. */
  reserved: Amount
  spent: Amount
  /** Settled calls with an unknown price; `spent` includes their tokens. */
  unpriced: { calls: number; tokens: number }
  exhausted: BudgetLimit | null
}

export interface BudgetState {
  runs: ReadonlyMap<string, BudgetRun>
  reservations: ReadonlyMap<string, { run: string; amount: Amount }>
}

export const noBudget: BudgetState = { runs: new Map(), reservations: new Map() }

/** The result of a command: the facts to record, and the state after them. */
export interface BudgetStep<Outcome> {
  outcome: Outcome
  facts: BudgetFact[]
  state: BudgetState
}

export type OpenOutcome = { kind: 'opened' } | { kind: 'refused'; limit: 'depth'; run: string }

/** [BU1] Adds a run under its parent. Opening it again changes nothing, so a restarted run keeps its usage. */
export function openBudget(
  state: BudgetState,
  request: { run: string; parent?: string; budget?: Budget; at: number },
): BudgetStep<OpenOutcome> {
  if (state.runs.has(request.run)) return unchanged(state, { kind: 'opened' })
  const parent = request.parent ?? null
  const tooDeep =
    parent === null ? undefined : ancestry(state, parent).find((ancestor) => isTooDeep(state, parent, ancestor))
  if (tooDeep) return unchanged(state, { kind: 'refused', limit: 'depth', run: tooDeep.id })
  return step(state, { kind: 'opened' }, [
    { type: 'opened', run: request.run, parent, budget: request.budget ?? {}, at: request.at },
  ])
}

export interface Reservation {
  reservation: string
  run: string
  /** The estimate. A price of `null` is unknown: only the tokens count. */
  tokens: number
  usd: number | null
  at: number
  /** The caller can wait for running calls to settle below their reservation. */
  canWait?: boolean
}

export type ReserveOutcome =
  | { kind: 'granted' }
  | { kind: 'wait'; limit: BudgetLimit; run: string }
  | { kind: 'refused'; limit: BudgetLimit; run: string }

/** [BU1] The call must fit every run up to the root. A run's first refusal is its single `exhausted` fact. */
export function reserveCall(state: BudgetState, request: Reservation): BudgetStep<ReserveOutcome> {
  // The call was in flight when the process died, and is repeated under the same name.
  if (state.reservations.has(request.reservation)) return unchanged(state, { kind: 'granted' })
  const tokens = wholeAmount(request.tokens)
  const microUsd = price(request.usd)
  const amount = { calls: 1, tokens, microUsd: microUsd ?? 0 }

  for (const { id, run } of ancestry(state, request.run)) {
    if (run.exhausted) return unchanged(state, { kind: 'refused', limit: run.exhausted, run: id })
    const limit = limitReached(run, amount, add(run.spent, run.reserved), request.at)
    if (!limit) continue
    if (request.canWait && !limitReached(run, amount, withoutReturns(run), request.at))
      return unchanged(state, { kind: 'wait', limit, run: id })
    return step(state, { kind: 'refused', limit, run: id }, [{ type: 'exhausted', run: id, limit }])
  }
  const { reservation, run } = request
  return step(state, { kind: 'granted' }, [{ type: 'reserved', reservation, run, tokens, microUsd }])
}

export type GrowOutcome = { kind: 'granted' | 'unknown' } | { kind: 'refused'; limit: BudgetLimit; run: string }

/**
 * [BU1] Between two requests of a call: reserves what it has used beyond its reservation, if every run up to the root has
 * room and time left. An exhausted run does not end a call that is already running.
 */
export function growCall(
  state: BudgetState,
  reservation: string,
  used: { tokens: number; usd: number | null },
  at: number,
): BudgetStep<GrowOutcome> {
  const held = state.reservations.get(reservation)
  if (!held) return unchanged(state, { kind: 'unknown' })
  const tokens = Math.max(held.amount.tokens, wholeAmount(used.tokens))
  const microUsd = Math.max(held.amount.microUsd, price(used.usd) ?? 0)
  const more = subtract({ calls: 1, tokens, microUsd }, held.amount)
  for (const { id, run } of ancestry(state, held.run)) {
    const limit = limitForMore(run, more, add(add(run.spent, run.reserved), more), at)
    if (!limit) continue
    const facts: BudgetFact[] = run.exhausted ? [] : [{ type: 'exhausted', run: id, limit }]
    return step(state, { kind: 'refused', limit, run: id }, facts)
  }
  if (more.tokens === 0 && more.microUsd === 0) return unchanged(state, { kind: 'granted' })
  return step(state, { kind: 'granted' }, [{ type: 'grown', reservation, tokens, microUsd }])
}

/** [BU1] Records the usage of a call that was cut short and will be repeated under the same name. */
export function wasteCall(
  state: BudgetState,
  run: string,
  used: { tokens: number; usd: number | null },
): BudgetStep<{ kind: 'wasted' }> {
  const fact: BudgetFact = { type: 'wasted', run, tokens: wholeAmount(used.tokens), microUsd: price(used.usd) }
  return step(state, { kind: 'wasted' }, [fact])
}

export type SettleOutcome = { kind: 'settled'; overrun: { tokens: number; usd: number } } | { kind: 'unknown' }

/** [BU1] Replaces the reservation with what was used, even if that is more. A second settling is ignored. */
export function settleCall(
  state: BudgetState,
  reservation: string,
  used: { tokens: number; usd: number | null },
): BudgetStep<SettleOutcome> {
  const held = state.reservations.get(reservation)
  if (!held) return unchanged(state, { kind: 'unknown' })
  // If the reported usage is not a number, keep the estimate.
  const tokens = Number.isNaN(used.tokens) ? held.amount.tokens : wholeAmount(used.tokens)
  const microUsd = price(used.usd)
  const overrun = {
    tokens: Math.max(0, tokens - held.amount.tokens),
    usd: dollars(Math.max(0, (microUsd ?? 0) - held.amount.microUsd)),
  }
  return step(state, { kind: 'settled', overrun }, [{ type: 'settled', reservation, tokens, microUsd }])
}

/** [BU1] The call never took place: returns all of its reservation, including the call itself. */
export function releaseCall(state: BudgetState, reservation: string): BudgetStep<{ kind: 'released' | 'unknown' }> {
  if (!state.reservations.has(reservation)) return unchanged(state, { kind: 'unknown' })
  return step(state, { kind: 'released' }, [{ type: 'released', reservation }])
}

/** [BU1] The fold: the same facts give the same state in every process. */
export function evolveBudget(state: BudgetState, fact: BudgetFact): BudgetState {
  switch (fact.type) {
    case 'opened': {
      const depth = fact.parent === null ? 0 : runOf(state, fact.parent).depth + 1
      const run: BudgetRun = {
        parent: fact.parent,
        depth,
        budget: fact.budget,
        openedAt: fact.at,
        reserved: nothing,
        spent: nothing,
        unpriced: { calls: 0, tokens: 0 },
        exhausted: null,
      }
      return { ...state, runs: new Map(state.runs).set(fact.run, run) }
    }
    case 'reserved': {
      const amount = { calls: 1, tokens: fact.tokens, microUsd: fact.microUsd ?? 0 }
      const reservations = new Map(state.reservations).set(fact.reservation, { run: fact.run, amount })
      const runs = alongPath(state, fact.run, (run) => ({ ...run, reserved: add(run.reserved, amount) }))
      return { reservations, runs }
    }
    case 'grown': {
      const held = state.reservations.get(fact.reservation)
      if (!held) return state
      const amount = { calls: 1, tokens: fact.tokens, microUsd: fact.microUsd }
      const reservations = new Map(state.reservations).set(fact.reservation, { run: held.run, amount })
      const more = subtract(amount, held.amount)
      return {
        reservations,
        runs: alongPath(state, held.run, (run) => ({ ...run, reserved: add(run.reserved, more) })),
      }
    }
    case 'wasted':
      return { ...state, runs: alongPath(state, fact.run, (run) => spend(run, { calls: 0, ...fact })) }
    case 'settled':
    case 'released':
      return closeReservation(state, fact)
    case 'exhausted': {
      const run = { ...runOf(state, fact.run), exhausted: fact.limit }
      return { ...state, runs: new Map(state.runs).set(fact.run, run) }
    }
  }
}

function closeReservation(
  state: BudgetState,
  fact: Extract<BudgetFact, { type: 'settled' | 'released' }>,
): BudgetState {
  const held = state.reservations.get(fact.reservation)
  if (!held) return state
  const reservations = new Map(state.reservations)
  reservations.delete(fact.reservation)
  const runs = alongPath(state, held.run, (run) => {
    const freed = { ...run, reserved: subtract(run.reserved, held.amount) }
    return fact.type === 'released' ? freed : spend(freed, { calls: 1, ...fact })
  })
  return { reservations, runs }
}

function spend(run: BudgetRun, used: { calls: number; tokens: number; microUsd: number | null }): BudgetRun {
  const { calls, tokens, microUsd } = used
  const unpriced =
    microUsd === null ? { calls: run.unpriced.calls + calls, tokens: run.unpriced.tokens + tokens } : run.unpriced
  return { ...run, spent: add(run.spent, { calls, tokens, microUsd: microUsd ?? 0 }), unpriced }
}

/** The limit that this call would exceed. A call always needs tokens, so zero left is too few. */
function limitReached(run: BudgetRun, amount: Amount, used: Amount, at: number): BudgetLimit | null {
  const { calls, tokens, usd, minutes } = run.budget
  if (isLimit(calls) && used.calls + amount.calls > calls) return 'calls'
  if (isLimit(tokens) && (used.tokens >= tokens || used.tokens + amount.tokens > tokens)) return 'tokens'
  if (isLimit(usd) && used.microUsd + amount.microUsd > microDollarLimit(usd)) return 'usd'
  if (isLimit(minutes) && at - run.openedAt >= minutes * 60_000) return 'minutes'
  return null
}

/** The limit that leaves nothing for another request of a call beyond its reservation. */
function limitForMore({ budget, openedAt }: BudgetRun, more: Amount, used: Amount, at: number): BudgetLimit | null {
  const { tokens, usd, minutes } = budget
  if (isLimit(tokens) && more.tokens > 0 && used.tokens >= tokens) return 'tokens'
  if (isLimit(usd) && more.microUsd > 0 && used.microUsd >= microDollarLimit(usd)) return 'usd'
  if (isLimit(minutes) && at - openedAt >= minutes * 60_000) return 'minutes'
  return null
}

/** What stays in use if every running call turns out to cost nothing. The number of calls never goes down. */
function withoutReturns({ spent, reserved }: BudgetRun): Amount {
  return { ...spent, calls: spent.calls + reserved.calls }
}

function isTooDeep(state: BudgetState, parent: string, { run }: { run: BudgetRun }): boolean {
  const depth = runOf(state, parent).depth + 1 - run.depth
  return isLimit(run.budget.depth) && depth > run.budget.depth
}

function isLimit(limit: number | null | undefined): limit is number {
  return limit !== null && limit !== undefined
}

/** A run and those above it, nearest first. */
function ancestry(state: BudgetState, id: string): { id: string; run: BudgetRun }[] {
  const path: { id: string; run: BudgetRun }[] = []
  for (let at: string | null = id; at !== null; at = path.at(-1)!.run.parent)
    path.push({ id: at, run: runOf(state, at) })
  return path
}

function runOf(state: BudgetState, id: string): BudgetRun {
  const run = state.runs.get(id)
  if (!run) throw new Error(`no budget was opened for run "${id}"`)
  return run
}

function alongPath(state: BudgetState, id: string, change: (run: BudgetRun) => BudgetRun): Map<string, BudgetRun> {
  const runs = new Map(state.runs)
  for (const { id: at, run } of ancestry(state, id)) runs.set(at, change(run))
  return runs
}

function step<Outcome>(state: BudgetState, outcome: Outcome, facts: BudgetFact[]): BudgetStep<Outcome> {
  return { outcome, facts, state: facts.reduce(evolveBudget, state) }
}

function unchanged<Outcome>(state: BudgetState, outcome: Outcome): BudgetStep<Outcome> {
  return { outcome, facts: [], state }
}

const nothing: Amount = { calls: 0, tokens: 0, microUsd: 0 }

function add(a: Amount, b: Amount): Amount {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, microUsd: a.microUsd + b.microUsd }
}

function subtract(a: Amount, b: Amount): Amount {
  return { calls: a.calls - b.calls, tokens: a.tokens - b.tokens, microUsd: a.microUsd - b.microUsd }
}

/** More than any call can use. Larger amounts are cut off, so that sums stay exact. */
const largestAmount = 1_000_000_000_000

function wholeAmount(value: number): number {
  return value > 0 ? Math.min(Math.ceil(value), largestAmount) : 0
}

function price(usd: number | null): number | null {
  return usd === null || Number.isNaN(usd) ? null : Math.min(microDollars(usd), largestAmount)
}
