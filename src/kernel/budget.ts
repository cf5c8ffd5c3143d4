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
  noBudget,
  openBudget,
  releaseCall,
  reserveCall,
  settleCall,
} from '../rules/budget.ts'
import { type BudgetView, budgetView } from '../rules/budget-view.ts'
import type { Usage } from './agent.ts'
import { askFinished, askStarted } from './ask-events.ts'
import type { BudgetPort } from './attempt.ts'
import type { Clock } from './clock.ts'
import type { Engine, RunSummary } from './engine.ts'
import { defineEvent } from './events.ts'
import { runFinished, runStream } from './run-events.ts'
import type { Store } from './store.ts'

export const budgetExhausted = defineEvent(
  'budget.exhausted',
  1,
  z.object({ limit: z.string(), budget: z.record(z.string(), z.unknown()) }),
)

export interface BudgetSurroundings {
  store: Store
  engine: Engine
  clock: Clock
  limits: Budget
}

export class Budgets {
  readonly #around: BudgetSurroundings
  /** One account for each tree, by the run at its root. Kept as a promise: two askers must not open it twice. */
  readonly #accounts = new Map<string, Promise<Account>>()

  constructor(around: BudgetSurroundings) {
    this.#around = around
    around.store.subscribe((event) => {
      if (runFinished.is(event) && event.run) this.#accounts.delete(event.run)
    })
  }

  /** `ask` names the call: put once more after a restart, it is the same call and was granted before. */
  async of(runId: string, ask: string): Promise<BudgetPort> {
    const path = await this.#pathToRoot(runId)
    const account = await this.#account(path[0]!)
    for (const run of path) account.open(run)
    return account.portFor(runId, ask)
  }

  async view(rootId: string): Promise<BudgetView | null> {
    const root = await this.#around.engine.get(rootId)
    return root ? (await this.#account(root)).view(rootId) : null
  }

  #account(root: RunSummary): Promise<Account> {
    const known = this.#accounts.get(root.id)
    if (known) return known
    const opening = this.#open(root)
    this.#accounts.set(root.id, opening)
    return opening
  }

  async #open(root: RunSummary): Promise<Account> {
    const account = new Account(root.id, this.#around)
    await this.#readBack(account, root)
    return account
  }

  async #readBack(account: Account, run: RunSummary): Promise<void> {
    account.open(run)
    account.readBack(run.id, await this.#around.store.read({ run: run.id }))
    for (const child of await this.#around.engine.list({ parent: run.id })) await this.#readBack(account, child)
  }

  /** From the root down to the run itself. */
  async #pathToRoot(runId: string): Promise<RunSummary[]> {
    const path: RunSummary[] = []
    for (let at: string | undefined = runId; at !== undefined; at = path[0]!.parent) {
      const run: RunSummary | null = await this.#around.engine.get(at)
      if (!run) throw new Error(`run ${at} has no budget: it does not exist`)
      path.unshift(run)
    }
    return path
  }
}

/** What one tree of runs has set aside and used. */
class Account {
  readonly #root: string
  readonly #around: BudgetSurroundings
  #state: BudgetState = noBudget

  constructor(root: string, around: BudgetSurroundings) {
    this.#root = root
    this.#around = around
  }

  open(run: RunSummary): void {
    const budget = run.id === this.#root ? this.#around.limits : {}
    const { state } = openBudget(this.#state, { run: run.id, parent: run.parent, budget, at: run.createdAt })
    this.#state = state
  }

  /** Calls that the log tells of: those that ended count as used, the others as set aside. */
  readBack(run: string, events: Awaited<ReturnType<Store['read']>>): void {
    for (const event of events) {
      if (askStarted.is(event)) {
        const { tokens, usd } = event.data.reserved
        this.#state = reserveCall(this.#state, {
          reservation: event.data.ask,
          run,
          tokens,
          usd,
          at: this.#around.clock.now(),
        }).state
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
        const reservation = calls++ === 0 ? ask : `${ask}#${calls}`
        const request = { reservation, run, tokens: total(estimate), usd: estimate.usd, at: this.#around.clock.now() }
        const { outcome, facts, state } = reserveCall(this.#state, request)
        this.#state = state
        this.#tell(facts)
        return outcome.kind === 'granted' ? { ok: true, id: reservation } : { ok: false, limit: outcome.limit }
      },
      settle: (id, usage) => {
        this.#state = settleCall(this.#state, id, { tokens: total(usage), usd: usage.usd }).state
      },
      release: (id) => {
        this.#state = releaseCall(this.#state, id).state
      },
    }
  }

  view(run: string): BudgetView {
    return budgetView(this.#state.runs.get(run)!, this.#around.clock.now())
  }

  #tell(facts: BudgetFact[]): void {
    for (const fact of facts) {
      if (fact.type !== 'exhausted') continue
      const { limit, run } = fact as { limit: BudgetLimit; run: string }
      const event = budgetExhausted.create(
        { stream: runStream(run), run },
        { limit, budget: { ...this.#around.limits } },
      )
      // Being told a second time, after a restart, changes nothing.
      this.#around.store.append([{ ...event, key: { run, step: 'budget', n: 0 } }]).catch(() => {})
    }
  }
}

function total(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}
