/** The composition root: everything is put together here, and nowhere else. */
import { join } from 'node:path'
import { type ConnectedAgents, connectConfigured } from './agents/configured.ts'
import { createPrompts } from './agents/prompts.ts'
import { Budgets } from './kernel/budget.ts'
import { systemClock } from './kernel/clock.ts'
import { type Config, type LoadedConfig, retryPolicyOf, secretVariables } from './kernel/config.ts'
import { countTokens } from './kernel/count-tokens.ts'
import { Database } from './kernel/database.ts'
import { Deltas } from './kernel/deltas.ts'
import type { Engine } from './kernel/engine.ts'
import { SqliteEngine } from './kernel/engines/sqlite.ts'
import { stateFolderOf } from './kernel/owner.ts'
import { createRedactor } from './kernel/redact.ts'
import { SignsOfLife } from './kernel/signs-of-life.ts'
import type { Store } from './kernel/store.ts'
import { SqliteStore } from './kernel/stores/sqlite.ts'
import { SqliteLineBindings } from './kernel/stores/sqlite-line-bindings.ts'
import { readToken } from './kernel/token.ts'
import { agentMessageWorkflow } from './room/agent-messages.ts'
import { CallMeter } from './room/call-meter.ts'
import { Inboxes } from './room/inboxes.ts'
import { RoomActivity } from './room/room-activity.ts'
import { RoomMemories } from './room/room-memory.ts'
import { Rooms } from './room/rooms.ts'
import { answerWorkflow } from './room/run.ts'
import { sessionWorkflow } from './room/session.ts'
import type { RoomSurroundings } from './room/surroundings.ts'
import { Runs } from './runs.ts'

export interface App {
  readonly folder: string
  /** `.convene/`: everything that is remembered. */
  readonly stateFolder: string
  readonly store: Store
  readonly engine: Engine
  readonly deltas: Deltas
  readonly agents: ConnectedAgents
  readonly rooms: Rooms
  readonly runs: Runs
  /** Set where the database had lost its tail: what was kept, and where the damaged file is. */
  readonly salvaged: { damagedFile: string; lastSeq: number } | null
  close(): Promise<void>
}

export async function createApp(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<App> {
  const stateFolder = stateFolderOf(project)
  const { redact } = createRedactor({
    env,
    secretNames: secretVariables(project.config),
    values: { 'convene token': readToken(stateFolder, env) },
  })
  const database = new Database(join(stateFolder, 'convene.db'))
  try {
    const clock = systemClock
    const store = new SqliteStore(database, { payloadFolder: join(stateFolder, 'payloads'), redact })
    const engine = new SqliteEngine({ database, store, clock, redact })
    const deltas = new Deltas()
    const agents = connectConfigured(project, { env, bindings: new SqliteLineBindings(database) })
    const budgets = new Budgets({ store, engine, clock, limits: project.config.budget })
    const activity = new RoomActivity()
    const { messages, calls_per_minute, turns, autopilot } = project.config.room
    const inboxes = new Inboxes(activity, { in_flight: messages.in_flight, queued: messages.queued })
    const around: RoomSurroundings = {
      store,
      deltas,
      clock,
      signs: new SignsOfLife(clock),
      patienceWith: (agent) => patienceWith(project.config, agent.name),
      budgetOf: (run, ask) => budgets.of(run, ask),
      agent: (name) => agents.get(name),
      room: (id) => rooms.get(id),
      proposer: project.config.roles.proposer,
      prompts: createPrompts(join(stateFolder, 'prompts')),
      settings: project.config.room,
      countTokens,
      memories: new RoomMemories(store),
      meter: new CallMeter(clock, calls_per_minute),
      activity,
      inboxes,
    }
    const workflows = {
      answer: answerWorkflow(around),
      session: sessionWorkflow(around),
      agentMessage: agentMessageWorkflow(around),
    }
    engine.register(workflows.answer)
    engine.register(workflows.session)
    engine.register(workflows.agentMessage)
    const defaults = { max_rounds: turns.max_rounds, autopilot_turns: autopilot.turns }
    const rooms = await Rooms.open({ store, engine, agentNames: agents.names(), inboxes, defaults, workflows })
    return {
      folder: project.folder,
      stateFolder,
      store,
      engine,
      deltas,
      agents,
      rooms,
      runs: new Runs(engine),
      salvaged: database.salvaged && { ...database.salvaged, lastSeq: await store.lastSeq() },
      async close() {
        await engine.close()
        await store.close()
        await agents.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function patienceWith(config: Config, agent: string) {
  const settings = config.agents[agent]
  return { retry: settings ? retryPolicyOf(config, settings) : {}, silenceMs: config.retry.silence_seconds * 1000 }
}
