/** The composition root: creates every component and wires them together. */
import { join } from 'node:path'
import { type ConnectedAgents, connectConfigured } from './agents/configured.ts'
import { createPrompts } from './agents/prompts/prompts.ts'
import { connectBuilds } from './app/connect-builds.ts'
import { connectForge } from './app/connect-forge.ts'
import { connectPlans } from './app/connect-plans.ts'
import { connectRooms } from './app/connect-rooms.ts'
import { type ConnectedRuns, connectRuns } from './app/connect-runs.ts'
import { connectShip } from './app/connect-ship.ts'
import { connectSource } from './app/connect-source.ts'
import type { FloorParts } from './app/floor-parts.ts'
import type { Builds } from './build/graph/builds.ts'
import { Deltas } from './kernel/ask/deltas.ts'
import { SignsOfLife } from './kernel/ask/signs-of-life.ts'
import { Budgets } from './kernel/budget/budget.ts'
import { systemClock } from './kernel/clock.ts'
import { type Config, type LoadedConfig, retryPolicyOf, secretVariables } from './kernel/config/load.ts'
import type { Engine } from './kernel/engine.ts'
import { SqliteEngine, type SqliteEngineOptions } from './kernel/engines/sqlite.ts'
import type { RunMoment } from './kernel/engines/sqlite-run.ts'
import { stateFolderOf } from './kernel/owner-address.ts'
import { createRedactor } from './kernel/redaction/redact.ts'
import { redactedStreams } from './kernel/redaction/redact-stream.ts'
import type { AskDeps } from './kernel/runs/ask-in-run.ts'
import { Parking } from './kernel/runs/parking.ts'
import { Quarantine } from './kernel/runs/quarantine.ts'
import { Questions } from './kernel/runs/questions.ts'
import { RunActivity } from './kernel/runs/run-activity.ts'
import type { Store } from './kernel/store.ts'
import { Database } from './kernel/stores/database.ts'
import { SqliteStore } from './kernel/stores/sqlite.ts'
import { SqliteLineBindings } from './kernel/stores/sqlite-line-bindings.ts'
import { readToken } from './kernel/trust/token.ts'
import { requireTrust } from './kernel/trust/trusted-reach.ts'
import type { Plans } from './plan/pipeline/plans.ts'
import type { Rooms } from './room/rooms.ts'
import { SampleProject } from './sample.ts'
import type { Comparisons } from './ship/compare/comparisons.ts'
import type { Features } from './ship/feature/features.ts'
import { FeatureViews } from './ship/feature-views.ts'
import { RoomNotices } from './ship/ship/room-notices.ts'
import type { Ships } from './ship/ship/ships.ts'
import { type ShipSettings, shipSettingsOf } from './ship/ship-settings.ts'
import type { Delivery } from './ship/tracker/forge-watch.ts'
import { keepMirror } from './ship/tracker/mirror.ts'
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
  readonly builds: Builds
  readonly plans: Plans
  readonly features: Features
  readonly ships: Ships
  readonly comparisons: Comparisons
  /** The settings of features and ships. */
  readonly shipSettings: ShipSettings
  readonly questions: Questions
  /** The project's description and, for a sample project, its reset. */
  readonly sample: SampleProject
  /** Why the configured forge receives no updates; null if it does, or if none is configured. */
  readonly forgeOff: string | null
  /** `mcp.allow_nested` */
  readonly allowsNestedCalls: boolean
  /** Handles a webhook delivery from the forge. */
  receiveFromForge(delivery: Delivery): Promise<{ noticed: boolean }>
  /** Set if the database was truncated: what was recovered, and where the damaged file is. */
  readonly salvaged: { damagedFile: string; lastSeq: number; parkedRuns: number } | null
  /** Takes up unfinished runs, except those that crashed Convene twice at the same step (TR5). */
  recover(): Promise<void>
  close(): Promise<void>
}

export async function createApp(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  /** Called at step boundaries; tests use it to end the process there. */
  { observe }: Pick<SqliteEngineOptions, 'observe'> = {},
): Promise<App> {
  const { config, folder } = project
  requireTrust(project, env)
  const stateFolder = stateFolderOf(project)
  const secrets = {
    env,
    secretNames: secretVariables(config),
    values: { 'convene token': readToken(stateFolder, env), ...endpointSecrets(env) },
  }
  const { redact, redactText } = createRedactor(secrets)
  const database = new Database(join(stateFolder, 'convene.db'))
  try {
    const clock = systemClock
    const store = new SqliteStore(database, { payloadFolder: join(stateFolder, 'payloads'), redact })
    const telemetry = startTelemetry({
      env,
      content: config.telemetry.content,
      redactText,
      note: (line) => process.stderr.write(`convene: ${line}\n`),
    })
    telemetry?.follow(store)
    const observeAll = (moment: RunMoment) => {
      telemetry?.observe(moment)
      observe?.(moment)
    }
    const engine = new SqliteEngine({ database, store, clock, redact, observe: telemetry ? observeAll : observe })
    const deltas = new Deltas(redactedStreams(secrets))
    const agents = connectConfigured(project, {
      env,
      bindings: new SqliteLineBindings(database),
      watch: telemetry?.watch,
    })
    const budgets = new Budgets({ store, engine, clock, limits: config.budget })
    const questions = new Questions(store, engine)
    const quarantine = new Quarantine({ store, engine, questions, file: join(stateFolder, 'cache', 'in-flight.json') })
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
          await engine.pause(top, message, code)
          activity.forget(top)
          await builds.releaseTree(top)
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
      activity,
    }
    const { rooms, hosted } = await connectRooms(parts)
    const builds = connectBuilds(parts)
    const plans = connectPlans(parts)
    const views = new FeatureViews(store, join(stateFolder, 'cache'))
    const forge = await connectForge(parts, views)
    const { features, ships, comparisons } = connectShip(parts, { builds, plans, forge, views, rooms: hosted })
    const notices = new RoomNotices(store, hosted)
    await notices.start()
    await forge.start((noticed) => features.noticed(noticed))
    const stopMirror = config.coordination.event_logging_enabled
      ? await keepMirror(store, join(stateFolder, 'events'))
      : () => {}
    return {
      folder,
      stateFolder,
      store,
      engine,
      deltas,
      agents,
      rooms,
      builds: builds.builds,
      plans: plans.plans,
      features,
      ships,
      comparisons,
      shipSettings: shipSettingsOf(config, forge.off),
      questions,
      ...connectRuns(parts, { builds, plans, features, ships, comparisons }),
      sample: new SampleProject(project, builds.deps.workspace, () => ships.isAtWork()),
      forgeOff: forge.off,
      allowsNestedCalls: config.mcp.allow_nested,
      receiveFromForge: (delivery) => forge.receive(delivery),
      salvaged: database.salvaged && { ...database.salvaged, lastSeq: await store.lastSeq() },
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
    database.close()
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
