/**
 * What happens when a piece of work cannot go on for now, as when its budget is used up: the step that was refused is put
 * on hold, what is under way finishes, and then the whole tree is parked. Resumed, it goes on where it was. BU1.
 */
import type { BudgetFailure } from '../ask/attempt.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Engine, Run, StepContext } from '../engine.ts'
import { topOf } from '../run-tree.ts'

export interface OutOfBudgetOptions {
  engine: Engine
  /** Parks a tree of runs, by the run at its top. */
  park(top: string, why: Hindrance): Promise<void>
  clock?: Clock
}

export const spentCodes = ['budget_exhausted', 'out_of_time'] as const
export type SpentCode = (typeof spentCodes)[number]

/** What keeps work from going on until somebody has put it right. */
export interface Hindrance {
  code: string
  message: string
}

/** Whether a run was parked for want of budget, by its code. */
export function isSpent(code: string | undefined): code is SpentCode {
  return spentCodes.some((one) => one === code)
}

/** Looks in a row that must find nobody at work: between two steps a run is at rest for a moment too. */
const looks = 3
const lookMs = 80

export class OutOfBudget {
  readonly #options: OutOfBudgetOptions
  readonly #watched = new Set<string>()

  constructor(options: OutOfBudgetOptions) {
    this.#options = options
  }

  /** Call it from inside the step that was refused, once the step has given back whatever others wait for. */
  async hold(run: Run, step: StepContext, why: BudgetFailure | Hindrance): Promise<never> {
    const top = (await topOf(this.#options.engine, run.runId))?.id ?? run.runId
    step.hold()
    this.#watch(top, 'code' in why ? why : { code: spentCode(why), message: why.message })
    return untilLetGo(step.signal)
  }

  #watch(top: string, why: Hindrance): void {
    if (this.#watched.has(top)) return
    this.#watched.add(top)
    const { engine, park, clock = systemClock } = this.#options
    let quiet = 0
    const look = async () => {
      const status = (await engine.get(top))?.status
      if (status !== 'running') return void this.#watched.delete(top)
      quiet = engine.isAtRest(top) ? quiet + 1 : 0
      if (quiet < looks) return again()
      this.#watched.delete(top)
      await park(top, why)
    }
    const again = () => {
      // A database that was closed meanwhile: whoever opens it next finds the run as it was.
      clock.after(lookMs, () => void look().catch(() => this.#watched.delete(top)))
    }
    again()
  }
}

function spentCode({ limit }: BudgetFailure): SpentCode {
  return limit === 'minutes' ? 'out_of_time' : 'budget_exhausted'
}

function untilLetGo(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
