/**
 * Keeps every tree of runs within its budget. The rule decides; this remembers, and after a restart reads back from the
 * log what was started and what it used.
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
import type { Clock } from '../clock.ts'
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
  /** One account for each tree, by the run at its root. Kept as a promise: two askers must not open it twice. */
  readonly #accounts = new Map<string, Promise<Account>>()
  /** The account that a run draws on. */
  readonly #runs = new Map<string, Promise<Account>>()
  /** Trees that were parked by this process: when they go on, their account is read back from the log. */
  readonly #parked = new Set<string>()

  constructor(deps: BudgetDeps) {
    this.#deps = deps
    this.#openedAt = deps.clock.now()
    deps.store.subscribe((event) => {
      const isParked = runParked.is(event)
      if ((!isParked && !runFinished.is(event)) || event.run === undefined) return
      this.#accounts.delete(event.run)
      this.#runs.delete(event.run)
      if (isParked) this.#parked.add(event.run)
      else this.#parked.delete(event.run)
    })
  }

  /** `ask` names the call: put once more after a restart, it is the same call and was granted before. */
  async of(run: Member, ask: string): Promise<BudgetPort> {
    const account = this.#runs.get(run.runId) ?? this.#find(run)
    this.#runs.set(run.runId, account)
    return (await account).portFor(run.runId, ask)
  }

  async view(rootId: string): Promise<BudgetView | null> {
    const root = await this.#deps.engine.get(rootId)
    if (!root) return null
    // Of a run that has ended, or is parked, nobody here keeps an account any more.
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

  /** A tree that began in this process has nothing in the log that is not known here. */
  async #open(root: Member, isOver = false): Promise<Account> {
    const account = new Account(root.runId, this.#deps)
    const isOlder = root.startedAt < this.#openedAt || this.#parked.has(root.runId)
    if (isOlder || isOver) await this.#readBack(account, root)
    else account.open(root)
    return account
  }

  async #readBack(account: Account, run: Member): Promise<void> {
    // What runs below it did is theirs to read back: counted here too, it would be counted twice.
    const events = (await this.#deps.store.read({ run: run.runId, types: told })).filter(
      (event) => event.run === run.runId,
    )
    // Named one by one: a run has these as getters, which a copy of it would lose.
    const { runId, parent, startedAt } = run
    account.open({ runId, parent, startedAt: startedAt + timeParked(events) })
    account.readBack(run.runId, events)
    for (const child of await this.#deps.engine.list({ parent: run.runId }))
      await this.#readBack(account, toMember(child))
  }

  /** From the root down to the run itself. */
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

const told = [askStarted, askFinished, askInterrupted, runParked, runRecovered].map(({ type }) => type)

/** A run that was stopped, or waited for more budget, took no time meanwhile. */
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

/** A run, as far as its place in a tree goes. */
type Member = Pick<Run, 'runId' | 'parent' | 'startedAt'>

function toMember({ id, parent, createdAt }: RunSummary): Member {
  return { runId: id, parent, startedAt: createdAt }
}

/** What one tree of runs has set aside and used. */
class Account {
  readonly #root: string
  readonly #deps: BudgetDeps
  #state: BudgetState = noBudget
  /** Calls under way in this process. */
  readonly #live = new Set<string>()
  readonly #waiting: (() => void)[] = []

  constructor(root: string, deps: BudgetDeps) {
    this.#root = root
    this.#deps = deps
  }

  open(run: Member): void {
    const budget = run.runId === this.#root ? this.#deps.limits : {}
    const { state } = openBudget(this.#state, { run: run.runId, parent: run.parent, budget, at: run.startedAt })
    this.#state = state
  }

  /** Calls that the log tells of: those that ended count as used, the others as set aside. */
  readBack(run: string, events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (askStarted.is(event)) {
        const { tokens, usd } = event.data.reserved
        const microUsd = usd === null ? null : microDollars(usd)
        // It was granted then, whatever the limits are now.
        this.#state = evolveBudget(this.#state, {
          type: 'reserved',
          reservation: event.data.ask,
          run,
          tokens,
          microUsd,
        })
      } else if (askInterrupted.is(event)) {
        const { ask, usage } = event.data
        // Put again, it has to fit like any other.
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
    return {
      reserve: (estimate) => {
        const reservation = calls === 0 ? ask : `${ask}#${calls + 1}`
        const at = this.#deps.clock.now()
        // A call of an earlier process that is not put again will never settle.
        const canWait = this.#live.size > 0
        const request = { reservation, run, tokens: total(estimate), usd: estimate.usd, at, canWait }
        const { outcome, facts, state } = reserveCall(this.#state, request)
        this.#state = state
        this.#tell(facts)
        if (outcome.kind === 'wait') return { ok: false, limit: outcome.limit, settled: this.#nextSettled() }
        calls++
        if (outcome.kind === 'refused') return { ok: false, limit: outcome.limit }
        this.#live.add(reservation)
        return { ok: true, id: reservation }
      },
      grow: (id, used) => {
        const spent = { tokens: total(used), usd: used.usd }
        const { outcome, facts, state } = growCall(this.#state, id, spent, this.#deps.clock.now())
        this.#state = state
        this.#tell(facts)
        return outcome.kind === 'refused' ? { ok: false, limit: outcome.limit } : { ok: true }
      },
      settle: (id, usage) => {
        this.#state = settleCall(this.#state, id, { tokens: total(usage), usd: usage.usd }).state
        this.#ended(id)
      },
      release: (id) => {
        this.#state = releaseCall(this.#state, id).state
        this.#ended(id)
      },
    }
  }

  #nextSettled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Who waits hears of it in the order they came: who is told first asks first. */
  #ended(reservation: string): void {
    this.#live.delete(reservation)
    for (const tell of this.#waiting.splice(0)) tell()
  }

  view(run: string): BudgetView {
    return budgetView(this.#state.runs.get(run)!, this.#deps.clock.now())
  }

  #tell(facts: BudgetFact[]): void {
    for (const fact of facts) {
      if (fact.type !== 'exhausted') continue
      const { limit, run } = fact as { limit: BudgetLimit; run: string }
      const event = budgetExhausted.create({ stream: runStream(run), run }, { limit, budget: { ...this.#deps.limits } })
      // Being told a second time, after a restart, changes nothing; a limit that was raised can be reached again.
      const step = `budget ${limit} ${this.#deps.limits[limit]}`
      this.#deps.store.append([{ ...event, key: { run, step, n: 0 } }]).catch(() => {})
    }
  }
}

function total(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}
