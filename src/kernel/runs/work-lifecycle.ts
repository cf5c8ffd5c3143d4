/** The lifecycle that plans, builds, features and ships share: find the run, report its status, stop it. */
import { crashedCode } from '../../rules/trust/crashes.ts'
import type { Engine, RunStatus, RunSummary, Workflow } from '../engine.ts'
import type { ConveneError } from '../errors.ts'
import { isStopped, isWithin, stoppedCode } from '../run-events.ts'
import { isSpent } from './parking.ts'
import type { Question, Questions } from './questions.ts'
import { releasedRun } from './released-run.ts'
import type { RunActivity } from './run-activity.ts'

/** `done` carries the workflow's own result, which may itself say that the work failed. */
export type WorkState<Output> =
  | { status: 'done'; result: Output }
  | { status: 'running' | 'waiting'; questions?: Question[] }
  | { status: 'stopped'; reason: typeof stoppedCode; questions?: Question[] }
  | { status: 'failed'; reason?: string; code?: string }

export interface WorkLifecycleParts<Output> {
  engine: Engine
  questions: Questions
  activity: RunActivity
  workflow: Workflow<never, Output>
  /** The error for an id that is no run of this workflow. */
  unknown(id: string): ConveneError
}

export class WorkLifecycle<Output> {
  readonly #parts: WorkLifecycleParts<Output>

  constructor(parts: WorkLifecycleParts<Output>) {
    this.#parts = parts
  }

  owns(run: RunSummary): boolean {
    return run.workflow === this.#parts.workflow.name
  }

  /** Throws the `unknown` error unless `id` is a run of this workflow. */
  async find(id: string): Promise<RunSummary> {
    const run = await this.#parts.engine.get(id)
    if (run && this.owns(run)) return run
    throw this.#parts.unknown(id)
  }

  list(status?: RunStatus): Promise<RunSummary[]> {
    return this.#parts.engine.list({ workflow: this.#parts.workflow.name, ...(status === undefined ? {} : { status }) })
  }

  /** Where the work stands now. A named end (`budget_exhausted`, `out_of_time`) reports its code as the reason. */
  async stateOf(run: RunSummary): Promise<WorkState<Output>> {
    if (run.status === 'done') return { status: 'done', result: run.result as Output }
    const released = releasedRun(this.#parts.engine, run)
    if (released) return { status: 'failed', ...released }
    if (run.status === 'running' || (run.status === 'needs-attention' && isStopped(run))) {
      const questions = await this.#openQuestions(run.id)
      const open = questions.length > 0 ? { questions } : {}
      if (run.status !== 'running') return { status: 'stopped', reason: stoppedCode, ...open }
      const isWaiting = questions.length > 0 && this.#parts.activity.isIdle(run.id)
      return { status: isWaiting ? 'waiting' : 'running', ...open }
    }
    const { code } = run
    if (code === crashedCode) {
      const questions = await this.#openQuestions(run.id)
      if (questions.length > 0) return { status: 'waiting', questions }
    }
    const reason = isSpent(code) ? code : run.reason
    return {
      status: 'failed',
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
    }
  }

  /** Whether a running tree does nothing until a person answers a question. */
  async isWaiting(id: string): Promise<boolean> {
    return this.#parts.activity.isIdle(id) && (await this.#openQuestions(id)).length > 0
  }

  /** Parks a running tree; `resume` continues it. Does nothing to work that is not running. */
  async stop(id: string): Promise<void> {
    const { engine, activity } = this.#parts
    if ((await engine.get(id))?.status !== 'running') return
    await engine.pause(id, 'stopped', stoppedCode)
    activity.forget(id)
  }

  async #openQuestions(id: string): Promise<Question[]> {
    return (await this.#parts.questions.open()).filter(({ run }) => isWithin(run, id))
  }
}
