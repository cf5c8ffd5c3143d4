/** Executes a step's function: its attempts, the facts it writes meanwhile, and how a stop cuts it short. */
import type { Clock } from '../clock.ts'
import { type StepContext, type StepOptions, Stopped } from '../engine.ts'
import type { EventKey, NewEvent } from '../events.ts'
import { encode, failedOutcome, type Outcome, type Redact, stoppedOutcome } from './outcome.ts'
import { StepEnding } from './step-ending.ts'
import type { Waits } from './waits.ts'

/** What a step needs from its run. */
export interface StepDeps {
  readonly runId: string
  readonly recovered: boolean
  readonly clock: Clock
  readonly redact: Redact
  readonly waits: Waits
  /** Executing steps: ended when the run is cancelled or released. */
  readonly underWay: Set<StepEnding>
  append(event: NewEvent, key: EventKey, ending: StepEnding): Promise<void>
  /** The step at this position is on hold and does not count as at work. */
  rest(position: number): void
}

export type StepFunction<Value> = (context: StepContext) => Value | Promise<Value>

/** How the step ended, and the facts to write with its record. */
export interface Execution {
  outcome: Outcome
  emitted: NewEvent[]
}

interface StepPlace {
  position: number
  name: string
}

/** Never rejects: an error is the step's outcome. */
export function executeStep<Value>(
  deps: StepDeps,
  place: StepPlace,
  fn: StepFunction<Value>,
  options: StepOptions,
): Promise<Execution> {
  return (options.stoppable ? executeUntilStop : execute)(deps, place, fn, options, new StepEnding())
}

/** A stop does not wait for `fn`: it aborts the signal and drops whatever `fn` still returns. */
function executeUntilStop<Value>(
  deps: StepDeps,
  place: StepPlace,
  fn: StepFunction<Value>,
  options: StepOptions,
  ending: StepEnding,
): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const forget = deps.waits.onStop(() => {
      ending.end(new Stopped(place.name))
      resolve({ outcome: stoppedOutcome(place.name), emitted: [] })
    })
    execute(deps, place, fn, options, ending).then((execution) => {
      forget()
      resolve(execution)
    }, reject)
  })
}

async function execute<Value>(
  deps: StepDeps,
  place: StepPlace,
  fn: StepFunction<Value>,
  options: StepOptions,
  ending: StepEnding,
): Promise<Execution> {
  deps.underWay.add(ending)
  try {
    for (let attempt = 1; ; attempt++) {
      const emitted: NewEvent[] = []
      let value: Value
      try {
        value = await fn(new Context(deps, place, attempt, ending, emitted))
      } catch (error) {
        const failed = { outcome: failedOutcome(error, deps.redact), emitted }
        if (attempt > (options.retries ?? 0) || ending.ended) return failed
        const until = deps.clock.now() + (options.retryDelayMs ?? 100) * 2 ** (attempt - 1)
        await deps.waits.wait({ until, stoppable: options.stoppable })
        if (ending.ended) return failed
        continue
      }
      return { outcome: outcomeOf(value, place, deps.redact), emitted }
    }
  } finally {
    deps.underWay.delete(ending)
  }
}

/** A value that cannot be recorded fails the step without a retry: the effect is done, and a retry would return the same. */
function outcomeOf(value: unknown, place: StepPlace, redact: Redact): Outcome {
  try {
    return { state: 'done', value: encode(value, redact, `the result of step '${place.name}'`) }
  } catch (error) {
    return failedOutcome(error, redact)
  }
}

/** A class, because an object literal with a getter takes three times the memory, once per step. */
class Context implements StepContext {
  readonly key: string
  readonly position: number
  readonly attempt: number
  readonly recovered: boolean
  readonly append: StepContext['append']
  readonly emit: StepContext['emit']
  readonly #deps: StepDeps
  readonly #ending: StepEnding

  constructor(deps: StepDeps, { position }: StepPlace, attempt: number, ending: StepEnding, emitted: NewEvent[]) {
    const { runId: run } = deps
    const step = String(position)
    let appended = 0
    this.key = `${run}/${step}`
    this.position = position
    this.attempt = attempt
    this.recovered = deps.recovered
    this.append = (event, { name } = {}) => {
      const key = name === undefined ? { run, step, n: appended++ } : { run, step: `${step} ${name}`, n: 0 }
      return deps.append(event, key, ending)
    }
    this.emit = (event) => {
      emitted.push(event)
    }
    this.#deps = deps
    this.#ending = ending
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  hold(): void {
    this.#deps.rest(this.position)
  }
}
