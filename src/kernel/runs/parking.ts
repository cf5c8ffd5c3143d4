/**
 * Parks a tree of runs that cannot continue until a person acts: the budget is used up, a checkout is dirty, a set-up
 * failed. The blocked step goes on hold, every other step finishes, and then the whole tree is parked. `resume` continues
 * from there. BU1.
 */
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import type { AskFailure } from '../ask/ask.ts'
import type { BudgetFailure } from '../ask/attempt.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Engine, Run, StepContext } from '../engine.ts'
import { topOf } from '../run-tree.ts'

export interface ParkingOptions {
  engine: Engine
  /** Parks a tree, given the run at its top. */
  parkTree(top: string, why: ParkReason): Promise<void>
  clock?: Clock
}

/** What a person has to fix before the work can continue. */
export interface ParkReason {
  code: string
  message: string
}

export const spentCodes = ['budget_exhausted', 'out_of_time'] as const
export type SpentCode = (typeof spentCodes)[number]

/** Whether a run with this code was parked because its budget was used up. */
export function isSpent(code: string | undefined): code is SpentCode {
  return spentCodes.some((one) => one === code)
}

/** Why a failed ask parks its run instead of counting as an attempt; null if it counts. BU1, AS3. */
export function parkReasonOf(failure: AskFailure): BudgetFailure | ParkReason | null {
  if (failure.reason === 'budget') return failure
  return failure.configuration ? { code: configurationFault, message: failure.message } : null
}

/** A run is at rest for a moment between two steps, so the tree must be found at rest several times in a row. */
const checksAtRest = 3
const checkEveryMs = 80

export class Parking {
  readonly #options: ParkingOptions
  readonly #watched = new Set<string>()

  constructor(options: ParkingOptions) {
    this.#options = options
  }

  /**
   * Call it from inside the blocked step, after the step has released whatever other steps wait for. Never resolves;
   * rejects when the engine releases the run.
   */
  async park(run: Pick<Run, 'runId'>, step: StepContext, why: BudgetFailure | ParkReason): Promise<never> {
    const top = (await topOf(this.#options.engine, run.runId))?.id ?? run.runId
    step.hold()
    this.#parkWhenAtRest(top, 'code' in why ? why : { code: spentCode(why), message: why.message })
    return untilAborted(step.signal)
  }

  #parkWhenAtRest(top: string, why: ParkReason): void {
    if (this.#watched.has(top)) return
    this.#watched.add(top)
    const { engine, parkTree, clock = systemClock } = this.#options
    let atRest = 0
    const check = async () => {
      const status = (await engine.get(top))?.status
      if (status !== 'running') return void this.#watched.delete(top)
      atRest = engine.isAtRest(top) ? atRest + 1 : 0
      if (atRest < checksAtRest) return checkSoon()
      this.#watched.delete(top)
      await parkTree(top, why)
    }
    const checkSoon = () => {
      // The database may have been closed meanwhile. The run is still recorded as running, so the next process finds it.
      clock.after(checkEveryMs, () => void check().catch(() => this.#watched.delete(top)))
    }
    checkSoon()
  }
}

function spentCode({ limit }: BudgetFailure): SpentCode {
  return limit === 'minutes' ? 'out_of_time' : 'budget_exhausted'
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
