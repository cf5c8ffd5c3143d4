/** Runs a step's function: its tries, the facts it writes down on the way, and how a stop cuts it short. */
import type { Clock } from '../clock.ts'
import { type StepContext, type StepOptions, Stopped } from '../engine.ts'
import type { EventKey, NewEvent } from '../events.ts'
import { encode, failedOutcome, type Outcome, type Redact, stoppedOutcome } from './outcome.ts'
import type { Waits } from './waits.ts'

/** What a step's function needs of its run. */
export interface StepSurroundings {
  readonly runId: string
  readonly recovered: boolean
  readonly clock: Clock
  readonly redact: Redact
  readonly waits: Waits
  /** Aborts where the run is cancelled or let go of. */
  readonly signal: AbortSignal
  append(event: NewEvent, key: EventKey, signal: AbortSignal): Promise<void>
}

export type StepFunction<Value> = (context: StepContext) => Value | Promise<Value>

/** How the step ended, and the facts to write down together with that. */
export interface Execution {
  outcome: Outcome
  emitted: NewEvent[]
}

interface Place {
  position: number
  name: string
}

/** Never rejects: whatever goes wrong is the step's outcome. */
export function executeStep<Value>(
  around: StepSurroundings,
  place: Place,
  fn: StepFunction<Value>,
  options: StepOptions,
): Promise<Execution> {
  return options.stoppable
    ? executeUntilStop(around, place, fn, options)
    : execute(around, place, fn, options, around.signal)
}

/** A stop does not wait for `fn`: it is told to abort, and whatever it still gives is not kept. */
async function executeUntilStop<Value>(
  around: StepSurroundings,
  place: Place,
  fn: StepFunction<Value>,
  options: StepOptions,
): Promise<Execution> {
  const abort = new AbortController()
  let forget = () => {}
  const stopped = new Promise<Execution>((resolve) => {
    forget = around.waits.onStop(() => {
      abort.abort(new Stopped(place.name))
      resolve({ outcome: stoppedOutcome(place.name), emitted: [] })
    })
  })
  const finished = execute(around, place, fn, options, AbortSignal.any([abort.signal, around.signal]))
  const execution = await Promise.race([finished, stopped])
  forget()
  return execution
}

async function execute<Value>(
  around: StepSurroundings,
  place: Place,
  fn: StepFunction<Value>,
  options: StepOptions,
  signal: AbortSignal,
): Promise<Execution> {
  for (let attempt = 1; ; attempt++) {
    const emitted: NewEvent[] = []
    let value: Value
    try {
      value = await fn(contextOf(around, place, attempt, signal, emitted))
    } catch (error) {
      const failed = { outcome: failedOutcome(error, around.redact), emitted }
      if (attempt > (options.retries ?? 0) || signal.aborted) return failed
      const until = around.clock.now() + (options.retryDelayMs ?? 100) * 2 ** (attempt - 1)
      await around.waits.wait({ until, stoppable: options.stoppable })
      if (signal.aborted) return failed
      continue
    }
    return { outcome: outcomeOf(value, place, around.redact), emitted }
  }
}

/** A value that cannot be written down fails the step without another try: the effect is done, and it would be the same. */
function outcomeOf(value: unknown, place: Place, redact: Redact): Outcome {
  try {
    return { state: 'done', value: encode(value, redact, `what step '${place.name}' gave`) }
  } catch (error) {
    return failedOutcome(error, redact)
  }
}

function contextOf(
  around: StepSurroundings,
  { position }: Place,
  attempt: number,
  signal: AbortSignal,
  emitted: NewEvent[],
): StepContext {
  const { runId, recovered } = around
  let appended = 0
  return {
    signal,
    key: `${runId}/${position}`,
    position,
    attempt,
    recovered,
    append: (event) => around.append(event, { run: runId, step: String(position), n: appended++ }, signal),
    emit: (event) => {
      emitted.push(event)
    },
  }
}
