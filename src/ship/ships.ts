/** Ships as the outside sees them: start one, look at it. */
import { randomUUID } from 'node:crypto'
import type { Engine, RunSummary, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { Question, Questions } from '../kernel/questions.ts'
import type { PlanRequest, Plans } from '../plan/plans.ts'
import { shipStarted } from './events.ts'
import { readFeature } from './feature-state.ts'
import type { FeatureStatus, IssueLine } from './features.ts'
import type { ShipInput, ShipResult } from './ship.ts'
import type { ShipSurroundings } from './surroundings.ts'

export interface ShipReport {
  run: string
  status: FeatureStatus
  reason?: string
  code?: string
  goal: string
  feature: string
  plan: string
  branch: string
  issues: Pick<IssueLine, 'number' | 'title' | 'state' | 'reason' | 'commit'>[]
  questions?: Question[]
  merged?: boolean
}

export class Ships {
  readonly #parts: {
    engine: Engine
    questions: Questions
    around: ShipSurroundings
    plans: Plans
    workflow: Workflow<ShipInput, ShipResult>
  }

  constructor(parts: {
    engine: Engine
    questions: Questions
    around: ShipSurroundings
    plans: Plans
    workflow: Workflow<ShipInput, ShipResult>
  }) {
    this.#parts = parts
  }

  async start({
    merge = false,
    smart = false,
    id,
    ...request
  }: PlanRequest & { merge?: boolean; smart?: boolean }): Promise<{ id: string }> {
    const { engine, around, plans, workflow } = this.#parts
    // What would fail at once is said at once: no repository, no test command.
    await around.workshop()
    const run = id ?? `ship-${randomUUID()}`
    const plan = plans.inputOf(request, run)
    // A feature of its own, also where the same goal was shipped before.
    await engine.start(workflow, { plan: { ...plan, feature: plan.plan }, merge, smart }, { id: run })
    return { id: run }
  }

  async list(): Promise<{ id: string; goal: string; feature: string; status: string }[]> {
    const runs = await this.#parts.engine.list({ workflow: this.#parts.workflow.name })
    return Promise.all(
      runs.map(async ({ id, status }) => {
        const { goal, feature } = await this.#started(id)
        return { id, goal, feature, status }
      }),
    )
  }

  async report(run: string): Promise<ShipReport> {
    const { engine, around, questions } = this.#parts
    const summary = await engine.get(run)
    if (!summary || !this.isOwn(summary))
      throw new ConveneError('unknown_ship', `there is no ship '${run}'`, { status: 404, path: 'ship' })
    const { goal, feature, plan } = await this.#started(run)
    const view = await readFeature(around, feature)
    const issues = view.issues.map(({ number, title, state, reason, commit }) => ({
      number,
      title,
      state,
      ...(reason ? { reason } : {}),
      ...(commit ? { commit } : {}),
    }))
    const open = (await questions.open()).filter((one) => one.run === run || one.run.startsWith(`${run}/`))
    const base = { run, goal, feature, plan, branch: `convene/${feature}/main`, issues }
    const asked = open.length > 0 ? { questions: open } : {}
    const result = summary.result as ShipResult | undefined
    if (summary.status === 'done' && result) {
      const { status, reason, merged } = result
      return {
        ...base,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(merged === undefined ? {} : { merged }),
      }
    }
    if (summary.status === 'running')
      return { ...base, status: open.length > 0 && around.attendance.isIdle(run) ? 'waiting' : 'running', ...asked }
    if (summary.status === 'needs-attention' && summary.reason === 'stopped')
      return { ...base, status: 'stopped', reason: 'stopped', ...asked }
    const named = ['budget_exhausted', 'out_of_time', 'script_exhausted'].includes(summary.code ?? '')
    const reason = named ? summary.code : summary.reason
    return {
      ...base,
      status: 'failed',
      ...(reason === undefined ? {} : { reason }),
      ...(summary.code === undefined ? {} : { code: summary.code }),
    }
  }

  isOwn(run: RunSummary): boolean {
    return run.workflow === this.#parts.workflow.name
  }

  async stop(run: string): Promise<void> {
    const { engine, around } = this.#parts
    if ((await engine.get(run))?.status !== 'running') return
    await engine.pause(run, 'stopped')
    around.attendance.forget(run)
  }

  async #started(run: string): Promise<{ goal: string; feature: string; plan: string }> {
    const [event] = await this.#parts.around.store.read({ run, types: [shipStarted.type], limit: 1 })
    if (event && shipStarted.is(event)) return event.data
    return { goal: '', feature: '', plan: '' }
  }
}
