/**
 * TR10: a run whose steps wait for a person when the surroundings fail: the disk is full, a folder is gone, git cannot read
 * its files. The step asks once what to do (`retry`, `give up`) and is tried again after the answer, or when the run is
 * resumed. Nothing of the failed try is recorded, so that the run comes to the same result.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SurroundingsFault, surroundingsFault } from '../../rules/trust/surroundings-fault.ts'
import type { Run, StepContext, StepOptions } from '../engine.ts'
import { ConveneError } from '../errors.ts'
import type { EventHeader, NewEvent } from '../events.ts'
import type { Store } from '../store.ts'
import type { Parking } from './parking.ts'
import { type Answer, questionAnswered, questionAsked } from './question-events.ts'
import type { RunActivity } from './run-activity.ts'

export interface PatientDeps {
  store: Store
  activity: RunActivity
  /** The stream that shows the questions. */
  header: EventHeader
}

const lookEveryMs = 250

export function patientRun(run: Run, deps: PatientDeps): Run {
  return withSteps(run, (step, name, fn) => withRepair(run, step, name, deps, fn))
}

/**
 * The same for work that asks no questions, such as an answer in a room: the run is parked with what to repair, and `resume` tries
 * the step again.
 */
export function parkingRun(run: Run, parking: Pick<Parking, 'park'>): Run {
  return withSteps(run, async (step, name, fn) => {
    try {
      return await fn(step)
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null || step.signal.aborted) throw error
      const message = `${happened(name, error as Error)}. ${fault.repair}, then: convene resume ${run.runId}`
      return parking.park(run, step, { code: 'surroundings', message })
    }
  })
}

type AroundStep = <Value>(
  step: StepContext,
  name: string,
  fn: (step: StepContext) => Value | Promise<Value>,
) => Value | Promise<Value>

function withSteps(run: Run, around: AroundStep): Run {
  return {
    runId: run.runId,
    ...(run.parent === undefined ? {} : { parent: run.parent }),
    startedAt: run.startedAt,
    step: (name, fn, options?: StepOptions) => run.step(name, (step) => around(step, name, fn), options),
    append: (...events) => run.append(...events),
    start: (workflow, input, options) => run.start(workflow, input, options),
    receive: (topic, options) => run.receive(topic, options),
    send: (to, topic, value) => run.send(to, topic, value),
    sleep: (milliseconds, options) => run.sleep(milliseconds, options),
    stopRequested: () => run.stopRequested(),
    now: () => run.now(),
    id: () => run.id(),
  }
}

async function withRepair<Value>(
  run: Run,
  step: StepContext,
  name: string,
  deps: PatientDeps,
  fn: (step: StepContext) => Value | Promise<Value>,
): Promise<Value> {
  const facts = new TriedFacts(step)
  // A step that was interrupted may have a question of an earlier process open: resuming the run is the answer `retry`.
  let round = step.recovered ? await firstOpenRound(run, step, deps) : 0
  for (;;) {
    const tried = facts.newTry()
    try {
      const value = await fn(tried.step)
      tried.keep()
      if (step.recovered) await closeQuestion(run, step, deps, round)
      return value
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null || step.signal.aborted) {
        tried.keep()
        throw error
      }
      const question = { id: questionId(step, round), run: run.runId, ...asked(name, error as Error, fault) }
      if (!(await isAsked(question.id, run, deps.store))) {
        const event = questionAsked.create({ ...deps.header, run: run.runId }, question)
        await step.append(event, { name: `repair ${round}` })
      }
      step.hold()
      const answer = await deps.activity.whileWaiting(run.runId, () => answerTo(question.id, run, deps, step.signal))
      if (answer.choice === 'give up')
        throw new ConveneError('given_up', question.text, { exitCode: 1, status: 500, cause: error })
      round++
    }
  }
}

/** The facts of a step whose function is tried again: those that a try wrote are not written again, and only the last emits. */
class TriedFacts {
  readonly #step: StepContext
  #written = 0

  constructor(step: StepContext) {
    this.#step = step
  }

  newTry(): { step: StepContext; keep(): void } {
    const step = this.#step
    const emitted: NewEvent[] = []
    let appended = 0
    const tried: StepContext = {
      signal: step.signal,
      key: step.key,
      position: step.position,
      attempt: step.attempt,
      recovered: step.recovered,
      hold: () => step.hold(),
      emit: (event) => void emitted.push(event),
      append: async (event, options) => {
        if (options?.name !== undefined) return step.append(event, options)
        if (appended++ < this.#written) return
        this.#written++
        await step.append(event)
      },
    }
    return {
      step: tried,
      keep: () => {
        for (const event of emitted) step.emit(event)
      },
    }
  }
}

export function faultOf(error: unknown): SurroundingsFault | null {
  if (!(error instanceof Error)) return null
  const { code, syscall, complaint } = error as NodeJS.ErrnoException & { complaint?: unknown }
  return surroundingsFault({
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof syscall === 'string' ? { syscall } : {}),
    ...(typeof complaint === 'string' ? { complaint } : {}),
  })
}

/** What a person reads: the step and the first line of the error. */
function happened(name: string, error: Error): string {
  return `${name}: ${error.message.split('\n')[0]}`
}

function asked(name: string, error: Error, { kind, repair }: SurroundingsFault) {
  return {
    text: `${happened(name, error)}. ${repair}, then answer retry`,
    choices: ['retry', 'give up'],
    only_choices: true,
    context: { step: name, fault: kind, repair, detail: error.message },
  }
}

/** The same on every attempt, so that the question is asked once. */
function questionId(step: StepContext, round: number): string {
  const hex = createHash('sha256').update(`repair ${step.key} ${round}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function answerTo(id: string, run: Run, { store }: PatientDeps, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = (await answersOf(run, store)).get(id)
    if (answer) return answer
    await sleep(lookEveryMs, undefined, { signal })
  }
}

async function isAsked(id: string, run: Run, store: Store): Promise<boolean> {
  const events = await store.read({ run: run.runId, types: [questionAsked.type] })
  return events.some((event) => questionAsked.is(event) && event.data.id === id)
}

async function answersOf(run: Run, store: Store): Promise<Map<string, Answer>> {
  const events = await store.read({ run: run.runId, types: [questionAnswered.type] })
  return new Map(events.flatMap((event) => (questionAnswered.is(event) ? [[event.data.id, event.data] as const] : [])))
}

/** Throws if a person gave up on this step while no process was executing it. */
async function firstOpenRound(run: Run, step: StepContext, deps: PatientDeps): Promise<number> {
  const answers = await answersOf(run, deps.store)
  for (let round = 0; ; round++) {
    const answer = answers.get(questionId(step, round))
    if (answer === undefined) return round
    if (answer.choice === 'give up')
      throw new ConveneError('given_up', 'given up by a person', { exitCode: 1, status: 500 })
  }
}

/** The step has come through, so nothing waits for an answer any more. */
async function closeQuestion(
  run: Run,
  step: StepContext,
  { store, header }: PatientDeps,
  round: number,
): Promise<void> {
  const id = questionId(step, round)
  if (!(await isAsked(id, run, store))) return
  const answered = await answersOf(run, store)
  if (!answered.has(id)) step.emit(questionAnswered.create({ ...header, run: run.runId }, { id, choice: 'retry' }))
}
