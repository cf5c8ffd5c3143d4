/** The public API of ships: start one, list them, report on one. */

import { randomUUID } from 'node:crypto'
import { refuseTakenBranch } from '../../build/graph/refuse-taken-branch.ts'
import type { Cost } from '../../kernel/ask/cost.ts'
import type { Engine, RunSummary, Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { foldEvents } from '../../kernel/fold.ts'
import type { Question, Questions } from '../../kernel/runs/questions.ts'
import { WorkLifecycle } from '../../kernel/runs/work-lifecycle.ts'
import type { PlanRequest, Plans } from '../../plan/pipeline/plans.ts'
import type { ShipDeps } from '../deps.ts'
import { shipStarted } from '../events.ts'
import type { FeatureStatus, Features } from '../feature/features.ts'
import { type LeftToDo, leftToDo } from '../feature/left-to-do.ts'
import { eventHeader, readFeature } from '../feature-state.ts'
import type { IssueLine } from '../issue/issue-line.ts'
import type { ShipRooms } from '../ship-room.ts'
import type { ShipInput, ShipResult } from './ship.ts'
import { type ShipView, shipView, shipViewTypes } from './ship-view.ts'

export interface ShipRequest extends PlanRequest {
  merge?: boolean
  smart?: boolean
  /** Ask before the planned issues are built. */
  look?: boolean
  /** Post the goal there and report the progress to that room. */
  room?: string
  /** Whether the agents of the room answer the goal before planning. */
  discuss?: boolean
}

export interface ShipReport extends LeftToDo {
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
  /** Once it has ended. */
  cost?: Cost
  seconds?: number
}

export interface ShipsParts {
  engine: Engine
  questions: Questions
  deps: ShipDeps
  plans: Plans
  rooms: ShipRooms
  features: Pick<Features, 'interruptIssues'>
  workflow: Workflow<ShipInput, ShipResult>
  /** The only goal that rehearsal agents can play. */
  onlyGoal?: string
}

export class Ships {
  readonly #parts: ShipsParts
  readonly #lifecycle: WorkLifecycle<ShipResult>

  constructor(parts: ShipsParts) {
    this.#parts = parts
    this.#lifecycle = new WorkLifecycle({ ...parts, activity: parts.deps.activity, unknown: unknownShip })
  }

  async start({ id, ...request }: ShipRequest): Promise<{ id: string }> {
    const { engine, deps, plans, rooms, workflow, onlyGoal } = this.#parts
    const { merge = false, smart = false, look = false, room, discuss = true } = request
    if (room !== undefined) rooms.check(room)
    if (onlyGoal !== undefined && request.goal.trim() !== onlyGoal) throw knowsAnother(onlyGoal)
    // Fail early without a repository or a test command.
    await deps.workspace()
    const run = id ?? `ship-${randomUUID()}`
    const given = await plans.inputOf(request, run)
    const { plan: name } = given
    // Each ship has its own feature, even for a goal shipped before.
    const plan = { ...given, feature: await plans.ownFeature(given, run) }
    const { goal, mode, feature } = plan
    await refuseTakenBranch((await deps.workspace()).repository, feature)
    // Derived from the run id, so that sending it again posts no second message.
    const message = room === undefined ? null : { room, message_id: run.slice('ship-'.length) }
    const started = shipStarted.create(eventHeader(feature, run), {
      goal,
      mode,
      plan: name,
      feature,
      merge,
      ...message,
    })
    const said = message ? [rooms.messageEvent({ ...message, text: goal }, run)] : []
    const input = {
      plan,
      merge,
      smart,
      ...(look ? { look } : {}),
      ...(message ? { room: { ...message, discuss } } : {}),
    }
    await engine.start(workflow, input, { id: run, events: [...said, started] })
    return { id: run }
  }

  async list(): Promise<{ id: string; goal: string; feature: string; status: string }[]> {
    const runs = await this.#lifecycle.list()
    return Promise.all(
      runs.map(async ({ id, status }) => {
        const { goal, feature } = await this.#started(id)
        return { id, goal, feature, status }
      }),
    )
  }

  /** With the folded progress and its `seq`; a page continues from there. */
  async get(run: string): Promise<ShipReport & { progress: ShipView; seq: number }> {
    const { store } = this.#parts.deps
    const before = await store.lastSeq()
    const report = await this.report(run)
    const types = shipViewTypes
    const [own, feature] = await Promise.all([
      store.read({ run, types }),
      store.read({ feature: report.feature, types }),
    ])
    const events = new Map<number, StoredEvent>([...own, ...feature].map((event) => [event.seq, event]))
    const ordered = [...events.values()].sort((one, other) => one.seq - other.seq)
    const seq = Math.max(before, ordered.at(-1)?.seq ?? 0)
    return { ...report, progress: foldEvents(shipView(run), ordered), seq }
  }

  async report(run: string): Promise<ShipReport> {
    const { deps } = this.#parts
    const summary = await this.#lifecycle.find(run)
    if (summary.status === 'needs-attention') await this.#parts.features.interruptIssues(run)
    const { goal, feature, plan } = await this.#started(run)
    const view = await readFeature(deps, feature)
    const issues = view.issues.map(({ number, title, state, reason, commit }) => ({
      number,
      title,
      state,
      ...(reason ? { reason } : {}),
      ...(commit ? { commit } : {}),
    }))
    const base = { run, goal, feature, plan, branch: `convene/${feature}/main`, issues }
    const state = await this.#lifecycle.stateOf(summary)
    if (state.status === 'failed') return { ...base, ...state, ...leftToDo(summary, view.issues) }
    if (state.status !== 'done') return { ...base, ...state }
    const { status, reason, code, merged, cost, seconds } = state.result
    return {
      ...base,
      status,
      cost,
      seconds,
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
      ...(merged === undefined ? {} : { merged }),
    }
  }

  async isAtWork(): Promise<boolean> {
    return (await this.#lifecycle.list('running')).length > 0
  }

  isOwn(run: RunSummary): boolean {
    return this.#lifecycle.owns(run)
  }

  /** Parks it; `resume` continues it. */
  stop(run: string): Promise<void> {
    return this.#lifecycle.stop(run)
  }

  async #started(run: string): Promise<{ goal: string; feature: string; plan: string }> {
    const [event] = await this.#parts.deps.store.read({ run, types: [shipStarted.type], limit: 1 })
    if (event && shipStarted.is(event)) return event.data
    return { goal: '', feature: '', plan: '' }
  }
}

function unknownShip(ship: string): ConveneError {
  return new ConveneError('unknown_ship', `there is no ship '${ship}'`, { status: 404, path: 'ship' })
}

function knowsAnother(goal: string): ConveneError {
  return new ConveneError(
    'sample_goal_only',
    'the agents of this sample play a script and know one goal only; connect agents of your own to ship another',
    { path: 'goal', expected: goal },
  )
}
