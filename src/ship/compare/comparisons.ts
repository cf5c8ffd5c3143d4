/** The public API of comparisons: start one, report on one, stop it. */
import { randomUUID } from 'node:crypto'
import { refuseTakenBranch } from '../../build/graph/refuse-taken-branch.ts'
import type { Engine, RunSummary, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { WorkStatus } from '../../kernel/run-events.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import type { Spec } from '../../rules/build/spec.ts'
import type { ShipDeps } from '../deps.ts'
import { eventHeader } from '../feature-state.ts'
import {
  type ComparisonInput,
  type ComparisonResult,
  type ComparisonSide,
  comparedStrategies,
  sideId,
} from './compare.ts'
import { comparisonStarted } from './events.ts'

/** What `convene compare --json` prints. */
export interface ComparisonReport {
  run: string
  status: WorkStatus
  reason?: string
  code?: string
  spec: string
  /** Both sides, once both have ended. */
  sides: ComparisonSide[]
  questions?: Question[]
}

export interface ComparisonsParts {
  engine: Engine
  questions: Questions
  deps: ShipDeps
  workflow: Workflow<ComparisonInput, ComparisonResult>
}

export class Comparisons {
  readonly #parts: ComparisonsParts
  readonly #lifecycle: WorkLifecycle<ComparisonResult>

  constructor(parts: ComparisonsParts) {
    this.#parts = parts
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownComparison })
  }

  async start({ spec, id }: { spec: Spec; id?: string }): Promise<{ id: string }> {
    const { engine, deps, workflow } = this.#parts
    const { repository } = await deps.workspace()
    for (const strategy of comparedStrategies) await refuseTakenBranch(repository, sideId(spec, strategy))
    const run = id ?? `compare-${randomUUID()}`
    const started = comparisonStarted.create(eventHeader(spec.id, run), {
      spec: spec.id,
      description: spec.description,
    })
    await engine.start(workflow, { spec }, { id: run, events: [started] })
    return { id: run }
  }

  async report(run: string): Promise<ComparisonReport> {
    const summary = await this.#lifecycle.find(run)
    const [event] = await this.#parts.deps.store.read({ run, types: [comparisonStarted.type], limit: 1 })
    const base = { run, spec: event && comparisonStarted.is(event) ? event.data.spec : '' }
    const state = await this.#lifecycle.stateOf(summary)
    if (state.status !== 'done') return { ...base, sides: [], ...state }
    return { ...base, status: 'done', sides: state.result.sides }
  }

  isOwn(run: RunSummary): boolean {
    return this.#lifecycle.owns(run)
  }

  /** Parks it; `resume` continues it. */
  stop(run: string): Promise<void> {
    return this.#lifecycle.stop(run)
  }
}

function unknownComparison(run: string): ConveneError {
  return new ConveneError('unknown_comparison', `there is no comparison '${run}'`, { status: 404, path: 'comparison' })
}
