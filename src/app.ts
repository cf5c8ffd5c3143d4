/** The composition root: creates every component and wires them together. */
import { join } from 'node:path'
import type { ProcessPool } from './agents/acp/process-pool.ts'
import { type ConnectedAgents, connectConfigured } from './agents/configured.ts'
import { createPrompts } from './agents/prompts/prompts.ts'
import { Access } from './app/access.ts'
import type { AgentSettings } from './app/agent-settings.ts'
import { connectBuilds } from './app/connect-builds.ts'
import { connectForge } from './app/connect-forge.ts'
import { connectPlans } from './app/connect-plans.ts'
import { connectRooms, type Peers } from './app/connect-rooms.ts'
import { type ConnectedRuns, connectRuns } from './app/connect-runs.ts'
import { connectShip } from './app/connect-ship.ts'
import { connectSource } from './app/connect-source.ts'
import type { FloorParts } from './app/floor-parts.ts'
import { openStorage } from './app/open-storage.ts'
import type { Builds } from './build/graph/builds.ts'
import { Deltas } from './kernel/ask/deltas.ts'
import { SignsOfLife } from './kernel/ask/signs-of-life.ts'
import { Budgets } from './kernel/budget/budget.ts'
import { systemClock } from './kernel/clock.ts'
import { type Config, type LoadedConfig, retryPolicyOf, secretVariables } from './kernel/config/load.ts'
import type { Engine } from './kernel/engine.ts'
import type { DurableEngineOptions } from './kernel/engines/durable.ts'
import type { RunMoment } from './kernel/engines/run-deps.ts'
import { stateFolderOf } from './kernel/owner-address.ts'
import { createRedactor } from './kernel/redaction/redact.ts'
import { redactedStreams } from './kernel/redaction/redact-stream.ts'
import type { AskDeps } from './kernel/runs/ask-in-run.ts'
import { Parking } from './kernel/runs/parking.ts'
import { Quarantine } from './kernel/runs/quarantine.ts'
import { Questions } from './kernel/runs/questions.ts'
import { RunActivity } from './kernel/runs/run-activity.ts'
import type { Store } from './kernel/store.ts'
import { readToken } from './kernel/trust/token.ts'
import { requireTrust } from './kernel/trust/trusted-reach.ts'
import { Users } from './kernel/users/users.ts'
import type { WorkerDescription, WorkSettings } from './kernel/workers.ts'
import type { Plans } from './plan/pipeline/plans.ts'
import type { Rooms } from './room/api/rooms.ts'
import { SampleProject } from './sample.ts'
import type { Comparisons } from './ship/compare/comparisons.ts'
import type { Features } from './ship/feature/features.ts'
import { FeatureViews } from './ship/feature-views.ts'
import { RoomNotices } from './ship/ship/room-notices.ts'
import type { Ships } from './ship/ship/ships.ts'
import { type ShipSettings, shipSettingsOf } from './ship/ship-settings.ts'
import type { Delivery } from './ship/tracker/forge-watch.ts'
import { keepMirror, keepMirrorAlone } from './ship/tracker/mirror.ts'
import { endpointSecrets } from './telemetry/settings.ts'
import { startTelemetry } from './telemetry/telemetry.ts'

export interface App extends ConnectedRuns {
  readonly folder: string
  /** `.convene/`, which holds all state. */
  readonly stateFolder: string
  readonly store: Store
  readonly engine: Engine
  readonly deltas: Deltas
  readonly agents: ConnectedAgents
  readonly rooms: Rooms
  readonly peers: Peers
  readonly builds: Builds
  /** The agents that a build asks. */
  readonly builders: string[]
  readonly plans: Plans
  readonly features: Features
  readonly ships: Ships
  readonly comparisons: Comparisons
  /** The settings of features and ships. */
  readonly shipSettings: ShipSettings
  readonly questions: Questions
  /** The people of a shared project. */
  readonly users: Users
  /** Who sees what of the rooms. */
  readonly access: Access
  /** The agents and roles of `convene.yaml`. */
  settings(): Promise<AgentSettings>
  /** The project's description and, for a sample project, its reset. */
  readonly sample: SampleProject
  /** Why the configured forge receives no updates; null if it does, or if none is configured. */
  readonly forgeOff: string | null
  /** How users log in with a browser. */
  readonly auth: Config['auth']
  /** `mcp.allow_nested` */
  readonly allowsNestedCalls: boolean
  /** Handles a webhook delivery from the forge. */
  receiveFromForge(delivery: Delivery): Promise<{ noticed: boolean }>
  /** Set if the database was truncated: what was recovered, and where the damaged file is. */
  readonly salvaged: { damagedFile: string; lastSeq: number; parkedRuns: number } | null
  /** The processes that share this project; without a shared database, this one. */
  workers(): Promise<WorkerDescription[]>
  /** Aborts when others have taken over this process's runs (TM1): nothing it does is recorded any more. */
  readonly fenced: AbortSignal
  /** Takes up unfinished runs, except those that crashed Convene twice at the same step (TR5). */
  recover(): Promise<void>
  close(): Promise<void>
}

export interface AppOptions {
  /** Called at step boundaries; tests use it to end the process there. */
  observe?: DurableEngineOptions['observe']
  work?: WorkSettings
  version?: string
  /** The processes of coding agents, which the app closes. */
  pool?: ProcessPool
}

export async function createApp(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  { observe, work, version, pool }: AppOptions = {},
): Promise<App> {
  const { config, folder } = project
  requireTrust(project, env)
  const stateFolder = stateFolderOf(project)
  const secrets = {
    env,
    secretNames: secretVariables(config),
    values: {
      'convene token': readToken(stateFolder, env),
      ...(config.engine.url === undefined ? {} : { 'database url': config.engine.url }),
      ...endpointSecrets(env),
    },
  }
  const { redact, redactText } = createRedactor(secrets)
  const clock = systemClock
  const storage = await openStorage(project, { stateFolder, clock, redact, work, version })
  try {
    const { store } = storage
    const telemetry = startTelemetry({
      env,
      content: config.telemetry.content,
      redactText,
      note: (line) => process.stderr.write(`convene: ${line}\n`),
    })
    telemetry?.follow(store)
    let settings: Promise<AgentSettings> | undefined
    const observeAll = (moment: RunMoment) => {
      telemetry?.observe(moment)
      observe?.(moment)
    }
    const engine = storage.openEngine({
      clock,
      redact,
      observe: telemetry ? observeAll : observe,
      screen: (runs) => quarantine.screen(runs),
    })
    const deltas = new Deltas(redactedStreams(secrets))
    const agents = connectConfigured(project, {
      env,
      bindings: storage.bindings,
      pool,
      watch: telemetry?.watch,
    })
    const budgets = new Budgets({ store, engine, clock, limits: config.budget })
    const questions = new Questions(store, engine)
    const users = new Users(store, { shared: config.engine.url !== undefined, agents: agents.names() })
    const quarantine = new Quarantine({
      store,
      engine,
      questions,
      file: storage.isShared ? null : join(storage.folder, 'cache', 'in-flight.json'),
    })
    const activity = new RunActivity()
    const prompts = createPrompts(join(stateFolder, 'prompts'))
    const askDeps: AskDeps = {
      store,
      deltas,
      clock,
      signs: new SignsOfLife(clock),
      runActivity: activity,
      patienceWith: (agent) => patienceWith(config, agent.name),
      budgetOf: (run, ask) => budgets.of(run, ask),
      parking: new Parking({
        engine,
        clock,
        async parkTree(top, { code, message }) {
          try {
            await engine.pause(top, message, code)
          } finally {
            activity.forget(top)
            await builds.releaseTree(top)
          }
          await features.interruptIssues(top)
        },
      }),
    }
    const parts: FloorParts = {
      project,
      env,
      stateFolder,
      store,
      engine,
      agents,
      prompts,
      source: connectSource(project, redactText),
      askDeps,
      questions,
      users,
      activity,
      mayAct: storage.mayAct,
    }
    const { rooms, hosted, peers } = await connectRooms(parts)
    const builds = connectBuilds(parts)
    const plans = connectPlans(parts)
    const views = new FeatureViews(store, join(storage.folder, 'cache'))
    const forge = await connectForge(parts, views)
    const { features, ships, comparisons } = connectShip(parts, { builds, plans, forge, views, rooms: hosted })
    const notices = new RoomNotices(store, hosted)
    await notices.start()
    await forge.start((noticed) => features.noticed(noticed))
    const stopMirror = config.coordination.event_logging_enabled
      ? await (storage.isShared ? keepMirrorAlone : keepMirror)(store, join(storage.folder, 'events'))
      : () => {}
    return {
      folder,
      stateFolder,
      store,
      engine,
      deltas,
      agents,
      rooms,
      peers,
      builds: builds.builds,
      builders: builds.agents,
      plans: plans.plans,
      features,
      ships,
      comparisons,
      shipSettings: shipSettingsOf(config, forge.off),
      questions,
      settings: () => {
        settings ??= import('./app/agent-settings.ts').then(({ AgentSettings }) => new AgentSettings(project, env))
        return settings
      },
      users,
      access: new Access({ store, shared: users.shared, rooms, questions, plans: plans.plans }),
      ...connectRuns(parts, { builds, plans, features, ships, comparisons }),
      sample: new SampleProject(project, builds.deps.workspace, () => ships.isAtWork()),
      forgeOff: forge.off,
      auth: config.auth,
      allowsNestedCalls: config.mcp.allow_nested,
      receiveFromForge: (delivery) => forge.receive(delivery),
      salvaged: storage.salvaged && { ...storage.salvaged, lastSeq: await store.lastSeq() },
      workers: () => storage.workers(engine.underWay().length),
      fenced: storage.fenced,
      async recover() {
        await quarantine.check()
        await engine.recover()
      },
      async close() {
        quarantine.close()
        stopMirror()
        await notices.stop()
        await forge.stop()
        await engine.close()
        await builds.close()
        await agents.close()
        await parts.source.close()
        await store.close()
        await telemetry?.close()
      },
    }
  } catch (error) {
    await storage.abandon()
    throw error
  }
}

function patienceWith(config: Config, agent: string) {
  const settings = config.agents[agent]
  const { silence_seconds, call_minutes } = config.retry
  return {
    retry: settings ? retryPolicyOf(config, settings) : {},
    limits: { silenceMs: silence_seconds * 1000, callMs: call_minutes * 60_000 },
  }
}
