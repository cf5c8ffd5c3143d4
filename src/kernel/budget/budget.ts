/**
 * Keeps every tree of runs within its budget. The rule decides; this holds the state and, after a restart or a takeover,
 * restores it from the calls in the log. Where other processes execute parts of a tree, their calls count as the log
 * tells of them: calls that begin in the same moment may pass the limit together.
 */
import { z } from 'zod'
import {
  type Budget,
  type BudgetFact,
  type BudgetLimit,
  type BudgetState,
  evolveBudget,
  growCall,
  noBudget,
  openBudget,
  releaseCall,
  reserveCall,
  settleCall,
  wasteCall,
} from '../../rules/budget/budget.ts'
import { type BudgetView, budgetView } from '../../rules/budget/budget-view.ts'
import { microDollars } from '../../rules/budget/micro-dollars.ts'
import type { Usage } from '../agent.ts'
import { askFinished, askInterrupted, askStarted } from '../ask/ask-events.ts'
import type { BudgetPort } from '../ask/attempt.ts'
import { type Clock, steadyNow } from '../clock.ts'
import type { Engine, Run, RunSummary } from '../engine.ts'
import { defineEvent, type StoredEvent } from '../events.ts'
import { runFinished, runParked, runRecovered, runStream } from '../run-events.ts'
import type { Store } from '../store.ts'

export const budgetExhausted = defineEvent(
  'budget.exhausted',
  1,
  z.object({ limit: z.string(), budget: z.record(z.string(), z.unknown()) }),
)

export interface BudgetDeps {
  store: Store
  engine: Engine
  clock: Clock
  limits: Budget
}

export class Budgets {
  readonly #deps: BudgetDeps
  readonly #openedAt: number
  /** One account per tree, by its root run. A promise, so that concurrent callers do not open it twice. */
  readonly #accounts = new Map<string, Promise<Account>>()
  /** The account that each run draws on. */
  readonly #runs = new Map<string, Promise<Account>>()
  /** Trees that were parked, or that others executed before: their account is read from the log. */
  readonly #hasPast = new Set<string>()

  /** Calls of other processes that are being counted. */
  readonly #hearing = new Set<Promise<void>>()

  constructor(deps: BudgetDeps) {
    this.#deps = deps
    this.#openedAt = deps.clock.now()
    deps.store.subscribe((event) => {
      if (event.run === undefined) return
      if (callTypes.includes(event.type)) this.#heardOfCall(event, event.run)
      const isOver = runFinished.is(event)
      if (!isOver && !runParked.is(event) && !runRecovered.is(event)) return
      if (runRecovered.is(event)) this.#leave(event.run)
      this.#accounts.delete(event.run)
      this.#runs.delete(event.run)
      if (isOver) this.#forgetPeers(event.run)
      if (isOver) this.#hasPast.delete(event.run)
      else this.#hasPast.add(event.run)
    })
  }

  /** RD11: what a peer asks for a message is a tree of its own, named below the message's run, which ends it. */
  #forgetPeers(runId: string): void {
    for (const known of [this.#accounts, this.#runs])
      for (const id of known.keys()) if (id.startsWith(`${runId}/`)) known.delete(id)
  }

  /** From now on its calls may be another process's. */
  #leave(runId: string): void {
    this.#runs.get(runId)?.then(
      (account) => account.leave(runId),
      () => {},
    )
  }

  /** Counts a call of another process in a tree of which this one executes a part. */
  #heardOfCall(event: StoredEvent, runId: string): void {
    const { engine } = this.#deps
    if (this.#accounts.size === 0 || engine.isUnderWay(runId)) return
    const counted = async () => {
      const run = await engine.get(runId)
      const root = run && (await this.#pathToRoot(toMember(run)))[0]
      const account = root && (await this.#accounts.get(root.runId))
      if (!account) return
      for (const member of await this.#pathToRoot(toMember(run))) account.open(member)
      account.hearOf(runId, event)
    }
    // If it cannot be read now, the call counts when the account is opened again.
    const hearing = counted()
      .catch(() => {})
      .finally(() => this.#hearing.delete(hearing))
    this.#hearing.add(hearing)
  }

  /** `ask` identifies the call: repeated after a restart, it is the same call and already granted. */
  async of(run: Member, ask: string): Promise<BudgetPort> {
    const account = this.#runs.get(run.runId) ?? this.#find(run)
    this.#runs.set(run.runId, account)
    if (this.#hearing.size > 0) await Promise.all(this.#hearing)
    return (await account).portFor(run.runId, ask)
  }

  async view(rootId: string): Promise<BudgetView | null> {
    const root = await this.#deps.engine.get(rootId)
    if (!root) return null
    // Finished and parked runs have no open account.
    const account = root.status === 'running' ? this.#account(toMember(root)) : this.#open(toMember(root), true)
    return (await account).view(rootId)
  }

  #account(root: Member): Promise<Account> {
    const known = this.#accounts.get(root.runId)
    if (known) return known
    const opening = this.#open(root)
    this.#accounts.set(root.runId, opening)
    return opening
  }

  async #find(run: Member): Promise<Account> {
    const path = await this.#pathToRoot(run)
    const account = await this.#account(path[0]!)
    for (const member of path) account.open(member)
    return account
  }

  /** A tree that started in this process and stayed here has no earlier calls in the log. */
  async #open(root: Member, isOver = false): Promise<Account> {
    const { engine, store } = this.#deps
    const isHere = engine.isUnderWay(root.runId) && !this.#hasPast.has(root.runId)
    const isOlder = root.startedAt < this.#openedAt || !isHere
    if (!isOlder && !isOver) {
      const account = new Account(root.runId, this.#deps, 0)
      account.open(root)
      return account
    }
    const through = await store.lastSeq()
    const account = new Account(root.runId, this.#deps, through)
    await this.#readBack(account, root, through)
    return account
  }

  async #readBack(account: Account, run: Member, through: number): Promise<void> {
    // Exclude the events of runs below, which are read separately: they would count twice.
    const query = { run: run.runId, types: accountTypes, before: through + 1 }
    const events = (await this.#deps.store.read(query)).filter((event) => event.run === run.runId)
    // A run has these as getters, which spreading it would lose.
    const { runId, parent, startedAt } = run
    account.open({ runId, parent, startedAt: startedAt + timeParked(events) })
    account.readBack(run.runId, events)
    for (const child of await this.#deps.engine.list({ parent: run.runId }))
      await this.#readBack(account, toMember(child), through)
  }

  /** From the root to the run itself. */
  async #pathToRoot(run: Member): Promise<Member[]> {
    const path = [run]
    while (path[0]!.parent !== undefined) {
      const parent = await this.#deps.engine.get(path[0]!.parent)
      if (!parent) throw new Error(`run ${path[0]!.parent} has no budget: it does not exist`)
      path.unshift(toMember(parent))
    }
    return path
  }
}

const callTypes: string[] = [askStarted, askFinished, askInterrupted].map(({ type }) => type)
const accountTypes = [...callTypes, runParked.type, runRecovered.type]

/** The time a run was parked does not count. */
function timeParked(events: readonly StoredEvent[]): number {
  let parkedAt: number | null = null
  let sum = 0
  for (const event of events) {
    const at = Date.parse(event.ts)
    if (runParked.is(event)) parkedAt ??= at
    if (!runRecovered.is(event) || parkedAt === null) continue
    sum += at - parkedAt
    parkedAt = null
  }
  return sum
}

/** A run's place in its tree. */
type Member = Pick<Run, 'runId' | 'parent' | 'startedAt'>

function toMember({ id, parent, createdAt }: RunSummary): Member {
  return { runId: id, parent, startedAt: createdAt }
}

/** What one tree of runs has reserved and used. */
class Account {
  readonly #root: string
  readonly #deps: BudgetDeps
  #state: BudgetState = noBudget
  /** Runs that ask in this process. */
  readonly #own = new Set<string>()
  /** Calls in progress in this process. */
  readonly #live = new Set<string>()
  readonly #waiting: (() => void)[] = []
  /** What steady time is behind the clock; fixed, so that a clock that is set later spends no budget (TR13). */
  readonly #offset: number
  /** The log was read up to here. */
  readonly #through: number

  constructor(root: string, deps: BudgetDeps, through: number) {
    this.#root = root
    this.#through = through
    this.#deps = deps
    this.#offset = deps.clock.now() - steadyNow(deps.clock)
  }

  #now(): number {
    return steadyNow(this.#deps.clock) + this.#offset
  }

  open(run: Member): void {
    const budget = run.runId === this.#root ? this.#deps.limits : {}
    // Its age by the clock, now: from here on steady time counts.
    const at = this.#now() - Math.max(0, this.#deps.clock.now() - run.startedAt)
    const { state } = openBudget(this.#state, { run: run.runId, parent: run.parent, budget, at })
    this.#state = state
  }

  /** A call of another process began or ended. Those of this one count by their ports. */
  hearOf(run: string, event: StoredEvent): void {
    if (event.seq > this.#through && !this.#own.has(run)) this.readBack(run, [event])
  }

  leave(run: string): void {
    this.#own.delete(run)
  }

  /** Restores calls from the log: finished ones count as used, the others as reserved. */
  readBack(run: string, events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (askStarted.is(event)) {
        const { tokens, usd } = event.data.reserved
        const microUsd = usd === null ? null : microDollars(usd)
        // Already granted, whatever the limits are now.
        this.#state = evolveBudget(this.#state, {
          type: 'reserved',
          reservation: event.data.ask,
          run,
          tokens,
          microUsd,
        })
      } else if (askInterrupted.is(event)) {
        const { ask, usage } = event.data
        // If repeated, the call must fit the budget like any other.
        this.#state = releaseCall(this.#state, ask).state
        this.#state = wasteCall(this.#state, run, { tokens: total(usage), usd: usage.usd }).state
      } else if (askFinished.is(event)) {
        this.#state = settleCall(this.#state, event.data.ask, {
          tokens: total(event.data.usage),
          usd: event.data.usage.usd,
        }).state
      }
    }
  }

  portFor(run: string, ask: string): BudgetPort {
    let calls = 0
    this.#own.add(run)
    return {
      reserve: (estimate) => {
        const reservation = calls === 0 ? ask : `${ask}#${calls + 1}`
        const at = this.#now()
        // A call of an earlier process that is not repeated will never settle, so do not wait for it.
        const canWait = this.#live.size > 0
        const request = { reservation, run, tokens: total(estimate), usd: estimate.usd, at, canWait }
        const { outcome, facts, state } = reserveCall(this.#state, request)
        this.#state = state
        this.#emit(facts)
        if (outcome.kind === 'wait') return { ok: false, limit: outcome.limit, settled: this.#nextSettled() }
        calls++
        if (outcome.kind === 'refused') return { ok: false, limit: outcome.limit }
        this.#live.add(reservation)
        return { ok: true, id: reservation }
      },
      grow: (id, used) => {
        const spent = { tokens: total(used), usd: used.usd }
        const { outcome, facts, state } = growCall(this.#state, id, spent, this.#now())
        this.#state = state
        this.#emit(facts)
        return outcome.kind === 'refused' ? { ok: false, limit: outcome.limit } : { ok: true }
      },
      settle: (id, usage) => {
        this.#state = settleCall(this.#state, id, { tokens: total(usage), usd: usage.usd }).state
        this.#finish(id)
      },
      release: (id) => {
        this.#state = releaseCall(this.#state, id).state
        this.#finish(id)
      },
    }
  }

  #nextSettled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Resumes waiting calls in order of arrival, so that the first to wait is the first to retry. */
  #finish(reservation: string): void {
    this.#live.delete(reservation)
    for (const resume of this.#waiting.splice(0)) resume()
  }

  view(run: string): BudgetView {
    return budgetView(this.#state.runs.get(run)!, this.#now())
  }

  #emit(facts: BudgetFact[]): void {
    for (const fact of facts) {
      if (fact.type !== 'exhausted') continue
      const { limit, run } = fact as { limit: BudgetLimit; run: string }
      const event = budgetExhausted.create({ stream: runStream(run), run }, { limit, budget: { ...this.#deps.limits } })
      // The key makes a repeat after a restart a no-op; a raised limit can be exhausted again.
      const step = `budget ${limit} ${this.#deps.limits[limit]}`
      this.#deps.store.append([{ ...event, key: { run, step, n: 0 } }]).catch(() => {})
    }
  }
}

function total(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}
