/** The public API of comparisons: start one, report on one, stop it. */
import { randomUUID } from 'node:crypto'
import { refuseTakenBranch } from '../../build/graph/refuse-taken-branch.ts'
import type { Engine, RunSummary, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { WorkStatus } from '../../kernel/run-events.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import type { Plans } from '../../plan/pipeline/plans.ts'
import { planNames } from '../../plan/plan-names.ts'
import { goalPaths } from '../../rules/build/goal-paths.ts'
import type { Spec } from '../../rules/build/spec.ts'
import type { AskedMode } from '../../rules/plan/mode.ts'
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
  /** Set where plans are compared. */
  goal?: string
  /** Both sides, once both have ended. */
  sides: ComparisonSide[]
  questions?: Question[]
}

export interface GoalRequest {
  goal: string
  /** Build it instead of planning it. */
  build?: boolean
  mode?: AskedMode
  /** Continue with stated assumptions instead of asking. */
  yes?: boolean
}

export type ComparisonRequest = { id?: string } & ({ spec: Spec } | GoalRequest)

export interface ComparisonsParts {
  engine: Engine
  questions: Questions
  deps: ShipDeps
  plans: Pick<Plans, 'inputOf' | 'ownFeature'>
  workflow: Workflow<ComparisonInput, ComparisonResult>
}

export class Comparisons {
  readonly #parts: ComparisonsParts
  readonly #lifecycle: WorkLifecycle<ComparisonResult>

  constructor(parts: ComparisonsParts) {
    this.#parts = parts
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownComparison })
  }

  async start({ id, ...request }: ComparisonRequest): Promise<{ id: string }> {
    const { engine, workflow } = this.#parts
    const run = id ?? `compare-${randomUUID()}`
    const spec = 'spec' in request ? request.spec : request.build ? await this.#specOfGoal(request.goal, run) : null
    const { input, started } = spec ? await this.#ofSpec(spec) : await this.#ofGoal(request as GoalRequest, run)
    const events = [comparisonStarted.create(eventHeader(started.spec, run), started)]
    await engine.start(workflow, input, { id: run, events })
    return { id: run }
  }

  async #ofSpec(spec: Spec) {
    const { repository } = await this.#parts.deps.workspace()
    for (const strategy of comparedStrategies) await refuseTakenBranch(repository, sideId(spec, strategy))
    return { input: { spec }, started: { spec: spec.id, description: spec.description } }
  }

  /** A goal as the smallest spec: it is its own criterion, and the project's files say where it is built. GR12. */
  async #specOfGoal(goal: string, run: string): Promise<Spec> {
    const { repository } = await this.#parts.deps.workspace()
    const { prefix } = repository
    const files = await repository.listFiles(await repository.head())
    const inside = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length))
    const id = planNames(goal, run).plan
    return { id, description: goal, acceptanceCriteria: [{ id: 'goal', text: goal }], ...goalPaths(goal, inside, id) }
  }

  /** The full plan runs in standard mode unless another is asked for: `auto` might choose one reply too. */
  async #ofGoal({ goal, mode = 'standard', yes = false }: GoalRequest, run: string) {
    const { plans } = this.#parts
    const given = await plans.inputOf({ goal, mode, yes }, run)
    const plan = { ...given, feature: await plans.ownFeature(given, run) }
    return { input: { plan }, started: { spec: plan.feature, description: goal, goal } }
  }

  async report(run: string): Promise<ComparisonReport> {
    const summary = await this.#lifecycle.find(run)
    const [event] = await this.#parts.deps.store.read({ run, types: [comparisonStarted.type], limit: 1 })
    const { spec = '', goal } = event && comparisonStarted.is(event) ? event.data : {}
    const base = { run, spec, ...(goal === undefined ? {} : { goal }) }
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
