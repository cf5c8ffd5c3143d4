/** The public API of plans: start one, list them, report on one, read its files. */

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Cost } from '../../kernel/ask/cost.ts'
import { type Engine, hasEnded, type RunSummary, type Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { CachedFolds } from '../../kernel/runs/cached-folds.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import type { Store } from '../../kernel/store.ts'
import type { Budget } from '../../rules/budget/budget.ts'
import { confinePath } from '../../rules/build/path-confinement.ts'
import type { Estimate } from '../../rules/plan/estimate.ts'
import type { AskedMode, Mode } from '../../rules/plan/mode.ts'
import { assessRisk, type RiskAdvice } from '../../rules/plan/risk.ts'
import { namesInGoal } from '../../rules/plan/size/names.ts'
import { type PlanSize, sizePlan } from '../../rules/plan/size/proportion.ts'
import { readConfined } from '../artefacts.ts'
import type { PlanDeps } from '../deps.ts'
import { estimateOf, estimatesFor, teamFor } from '../estimates.ts'
import { planStarted } from '../events.ts'
import type { GivenAnswer, PlanInput, PlanResult } from '../plan-input.ts'
import { otherName, planNames } from '../plan-names.ts'
import { type PlanLine, type PlanStatus, type PlanView, planLine, planView } from '../view.ts'

export interface PlanRequest {
  goal: string
  mode?: AskedMode
  preset?: string
  answers?: GivenAnswer[]
  yes?: boolean
  /** Starting with the same id again returns the same plan. */
  id?: string
}

export interface PlanReport {
  run: string
  plan: string
  feature: string
  folder: string
  status: PlanStatus
  reason?: string
  code?: string
  degraded: boolean
  issues: number
  assumptions?: string[]
  /** RV5: contradictions between the plan's documents that nobody has settled. */
  contradictions?: string[]
  /** PH6: HIGH and MEDIUM questions of the agents that nobody has answered. */
  open_questions?: string[]
  questions?: Question[]
  /** RK: the risks of the goal, and estimates for each mode. */
  risk_flags: string[]
  suggestion: PlanView['suggestion']
  estimates: PlanView['estimates']
  /** Why the team differs from the requested one. */
  warnings: string[]
  /** The cost so far; `usd` is null if a price is unknown. */
  cost: Cost
}

export interface PlanAdvice extends RiskAdvice {
  estimates: Estimate[]
  /** RK4: the mode that `auto` would choose, why, and what the plan would then take. */
  auto: { mode: Mode; because: string; estimate: Estimate }
  /** The mode of a request that names none. */
  mode: AskedMode
}

const longestGoal = 200_000
/** After so many features of one name, the plan's own name is used. */
const mostNamesakes = 20

export class Plans {
  readonly #parts: {
    store: Store
    engine: Engine
    questions: Questions
    deps: PlanDeps
    workflow: Workflow<PlanInput, PlanResult>
  }
  readonly #lifecycle: WorkLifecycle<PlanResult>
  readonly #folds: CachedFolds<PlanView>
  /** The run that reserved each feature name in this process. */
  readonly #features = new Map<string, string>()

  constructor(parts: {
    store: Store
    engine: Engine
    questions: Questions
    deps: PlanDeps
    workflow: Workflow<PlanInput, PlanResult>
  }) {
    this.#parts = parts
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownPlan })
    this.#folds = new CachedFolds(parts.store, { fold: planView, query: (run) => ({ run }) })
  }

  /** RK: risks and estimates before a plan starts. Advice only. */
  async advise(goal: string, preset?: string): Promise<PlanAdvice> {
    const { deps } = this.#parts
    const size = await sizeOf(goal, deps)
    const auto = { mode: size.mode, because: size.because, estimate: estimateOf(deps, size, preset) }
    return { ...assessRisk(goal), estimates: estimatesFor(deps, preset), auto, mode: deps.settings.mode }
  }

  /** The available teams, and the default one. */
  teams(): { presets: { name: string; description?: string }[]; preset: string } {
    const { team_presets, preset_suggestion } = this.#parts.deps.settings.mpa
    const presets = Object.entries(team_presets).map(([name, { description }]) => ({
      name,
      ...(description === undefined ? {} : { description }),
    }))
    return { presets, preset: preset_suggestion.default }
  }

  async start(request: PlanRequest): Promise<{ id: string; plan: string }> {
    const { engine, workflow } = this.#parts
    const run = request.id ?? `plan-${randomUUID()}`
    const given = await this.inputOf(request, run)
    const input = { ...given, feature: await this.ownFeature(given, run) }
    await engine.start(workflow, input, { id: run })
    return { id: run, plan: input.plan }
  }

  /** A feature name already in use would claim the commits of the other one, so the next free one is taken. */
  async ownFeature({ plan, feature }: Pick<PlanInput, 'plan' | 'feature'>, run: string): Promise<string> {
    if (feature === plan) return plan
    for (let count = 1; count <= mostNamesakes; count++) {
      const name = count === 1 ? feature : otherName(feature, count)
      const holder = this.#features.get(name)
      // Reserve it synchronously: two plans started together must not both find it free.
      if (holder === undefined) this.#features.set(name, run)
      else if (holder !== run) continue
      if (holder === run || !(await this.#parts.deps.isFeatureTaken(name))) return name
      this.#features.delete(name)
    }
    return plan
  }

  /** The validated input of a plan; `run` gives it its name. */
  async inputOf(
    { goal, mode, preset, answers = [], yes = false }: Omit<PlanRequest, 'id'>,
    run: string,
  ): Promise<PlanInput> {
    if (goal.trim() === '')
      throw new ConveneError('invalid_input', 'goal: there is nothing to plan', {
        path: 'goal',
        expected: 'what should be reached, in a sentence or more',
      })
    if (goal.length > longestGoal)
      throw new ConveneError('invalid_input', `goal: it has ${goal.length} characters`, {
        path: 'goal',
        expected: `at most ${longestGoal}; put the rest into a file of the project and name it`,
      })
    const { settings } = this.#parts.deps
    const asked = mode ?? settings.mode
    const size = asked === 'auto' ? await sizeOf(goal, this.#parts.deps) : null
    const team = teamFor(this.#parts.deps, size?.small === true, preset)
    return {
      ...planNames(goal, run),
      goal,
      mode: asked === 'auto' ? size!.mode : asked,
      ...(size ? { sizing: size.because } : {}),
      ...(size?.small ? { small: true } : {}),
      answers,
      yes,
      ...(team === undefined ? {} : { preset: team }),
    }
  }

  async list(): Promise<PlanLine[]> {
    const runs = await this.#lifecycle.list()
    return Promise.all(
      runs.map((run) => this.#folds.read(run.id, (view) => planLine(view), { isFinal: hasEnded(run) })),
    )
  }

  /** The folded view, the `seq` from which a browser continues it, and the budget. */
  async get(given: string): Promise<PlanView & { seq: number; budget: Budget }> {
    const id = await this.runOf(given)
    const view = await this.#folds.read(id, (view, { seq }) => ({ ...structuredClone(view), seq }))
    if (view.status === 'running' && (await this.#lifecycle.isWaiting(id))) view.status = 'waiting'
    return { ...view, budget: this.#parts.deps.budget }
  }

  async report(given: string): Promise<PlanReport> {
    const id = await this.runOf(given)
    const base = await this.#folds.read(id, (view) =>
      structuredClone({
        run: id,
        plan: view.id,
        feature: view.feature,
        folder: join(this.#parts.deps.folder, view.id),
        degraded: view.degraded,
        issues: view.issues,
        risk_flags: view.risk_flags,
        suggestion: view.suggestion,
        estimates: view.estimates,
        warnings: view.warnings,
        cost: view.cost,
      }),
    )
    const state = await this.#lifecycle.stateOf(await this.#lifecycle.find(id))
    if (state.status !== 'done') return { ...base, ...state }
    const { status, reason, degraded, issues, assumptions, contradictions = [], open_questions = [] } = state.result
    const why = reason === undefined ? {} : { reason }
    return { ...base, status, degraded, issues, assumptions, contradictions, open_questions, ...why }
  }

  /** A file of the plan, by its name in the plan's folder. */
  async read(given: string, file: string): Promise<string> {
    const plan = await this.#nameOf(given)
    const confined = confinePath(file)
    const text = confined.inside ? readConfined(join(this.#parts.deps.folder, plan), confined.path) : null
    if (text === null)
      throw new ConveneError('unknown_artefact', `plan ${plan} has no file '${file}'`, { status: 404, path: 'file' })
    return text
  }

  async files(given: string): Promise<string[]> {
    const root = join(this.#parts.deps.folder, await this.#nameOf(given))
    try {
      const all = readdirSync(root, { recursive: true, withFileTypes: true })
      return all
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.writing'))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort()
    } catch {
      return []
    }
  }

  /** Parks it; `resume` continues it. */
  stop(id: string): Promise<void> {
    return this.#lifecycle.stop(id)
  }

  isOwn(run: RunSummary): boolean {
    return this.#lifecycle.owns(run)
  }

  async #nameOf(given: string): Promise<string> {
    return this.#folds.read(await this.runOf(given), ({ id }) => id)
  }

  /** Accepts the run's id or the plan's name. */
  async runOf(given: string): Promise<string> {
    const run = await this.#parts.engine.get(given)
    if (run && this.isOwn(run)) return run.id
    const started = await this.#parts.store.read({ types: [planStarted.type] })
    const named = started.findLast((event) => planStarted.is(event) && event.data.plan === given)
    if (named?.run) return named.run
    throw unknownPlan(given)
  }
}

/** RK4: no goal that is small names more symbols, so that a long one is not searched for. */
const mostNames = 12

async function sizeOf(goal: string, deps: PlanDeps): Promise<PlanSize> {
  const names = namesInGoal(goal)
  const [sources, known] = await Promise.all([deps.sources(), names.length > mostNames ? undefined : deps.known(names)])
  return sizePlan(goal, { sources, ...(known ? { known } : {}) })
}

function unknownPlan(plan: string): ConveneError {
  return new ConveneError('unknown_plan', `there is no plan '${plan}'`, { status: 404, path: 'plan' })
}
