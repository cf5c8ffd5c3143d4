/** The composition root: creates every component and wires them together. */
import { join } from 'node:path'
import { type ConnectedAgents, connectConfigured } from './agents/configured.ts'
import { createPrompts, type Prompts } from './agents/prompts/prompts.ts'
import type { BuildDeps } from './build/deps.ts'
import { Builds } from './build/graph/builds.ts'
import { nodeWorkflow } from './build/graph/node-run.ts'
import { buildWorkflow } from './build/graph/run.ts'
import { MergeQueues } from './build/merge-queues.ts'
import type { ProjectWorkspace } from './build/workspace.ts'
import type { Forge } from './forge/forge.ts'
import { openForge } from './forge/open-forge.ts'
import { Outbox } from './forge/outbox.ts'
import { countTokens } from './kernel/ask/count-tokens.ts'
import { Deltas } from './kernel/ask/deltas.ts'
import { SignsOfLife } from './kernel/ask/signs-of-life.ts'
import { Budgets } from './kernel/budget/budget.ts'
import { systemClock } from './kernel/clock.ts'
import { type Config, type LoadedConfig, retryPolicyOf, secretVariables } from './kernel/config/load.ts'
import type { Engine } from './kernel/engine.ts'
import { SqliteEngine, type SqliteEngineOptions } from './kernel/engines/sqlite.ts'
import { ConveneError } from './kernel/errors.ts'
import { stateFolderOf } from './kernel/owner-address.ts'
import { createRedactor } from './kernel/redaction/redact.ts'
import { redactedStreams } from './kernel/redaction/redact-stream.ts'
import { isWithin } from './kernel/run-events.ts'
import { whyNotRunning } from './kernel/run-tree.ts'
import type { AskDeps } from './kernel/runs/ask-in-run.ts'
import { isAbandoned } from './kernel/runs/is-abandoned.ts'
import { Parking } from './kernel/runs/parking.ts'
import { Questions } from './kernel/runs/questions.ts'
import { RunActivity } from './kernel/runs/run-activity.ts'
import { Semaphore } from './kernel/semaphore.ts'
import type { Store } from './kernel/store.ts'
import { Database } from './kernel/stores/database.ts'
import { SqliteStore } from './kernel/stores/sqlite.ts'
import { SqliteLineBindings } from './kernel/stores/sqlite-line-bindings.ts'
import { readToken } from './kernel/token.ts'
import type { PlanDeps } from './plan/deps.ts'
import { phaseWorkflow } from './plan/pipeline/phase-workflow.ts'
import { Plans } from './plan/pipeline/plans.ts'
import { planWorkflow } from './plan/pipeline/run.ts'
import { agentMessageWorkflow } from './room/agent-messages.ts'
import { projectFiles } from './room/attachments/project-files.ts'
import { CallMeter } from './room/call-meter.ts'
import type { RoomDeps } from './room/deps.ts'
import { HostedWork } from './room/hosted-work.ts'
import { Inboxes } from './room/inboxes.ts'
import { RoomActivity } from './room/room-activity.ts'
import { RoomMemories } from './room/room-memory.ts'
import { Rooms } from './room/rooms.ts'
import { answerWorkflow } from './room/run.ts'
import { sessionWorkflow } from './room/session.ts'
import type { TokenPrice } from './rules/plan/estimate.ts'
import type { Origin } from './runs/origin.ts'
import type { RunOverview } from './runs/overview.ts'
import { RunOverviews } from './runs/overview-cache.ts'
import type { Replayed } from './runs/replay.ts'
import { Runs } from './runs/runs.ts'
import { SampleProject } from './sample.ts'
import type { ShipDeps } from './ship/deps.ts'
import { featureWorkflow } from './ship/feature/feature-run.ts'
import { Features } from './ship/feature/features.ts'
import { FeatureViews } from './ship/feature-views.ts'
import { GitHistories } from './ship/git-history.ts'
import { buildHooks } from './ship/issue/build-hooks.ts'
import { issueWorkflow } from './ship/issue/issue-run.ts'
import { RoomNotices } from './ship/ship/room-notices.ts'
import { shipWorkflow } from './ship/ship/ship.ts'
import { Ships } from './ship/ship/ships.ts'
import { type ShipSettings, shipSettingsOf } from './ship/ship-settings.ts'
import { type Delivery, ForgeWatch } from './ship/tracker/forge-watch.ts'
import { keepMirror } from './ship/tracker/mirror.ts'
import { Tracker } from './ship/tracker/tracker.ts'
import type { Repository } from './workspace/git/repository.ts'

export interface App {
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
  /** The settings of features and ships. */
  readonly shipSettings: ShipSettings
  readonly questions: Questions
  /** Traces a line, a commit or an event back to where it came from. */
  origin(what: string): Promise<Origin>
  /** Repeats every decision of a run. */
  replay(run: string): Promise<Replayed>
  /** The overview of a run and the runs below it, up to the last event. */
  overview(run: string): Promise<RunOverview>
  readonly runs: Runs
  /** The project's description and, for a sample project, its reset. */
  readonly sample: SampleProject
  /** Why the configured forge receives no updates; null if it does, or if none is configured. */
  readonly forgeOff: string | null
  /** Handles a webhook delivery from the forge. */
  receiveFromForge(delivery: Delivery): Promise<{ noticed: boolean }>
  /** Set if the database was truncated: what was recovered, and where the damaged file is. */
  readonly salvaged: { damagedFile: string; lastSeq: number; parkedRuns: number } | null
  close(): Promise<void>
}

export async function createApp(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  /** Called at step boundaries; tests use it to end the process there. */
  { observe }: Pick<SqliteEngineOptions, 'observe'> = {},
): Promise<App> {
  const stateFolder = stateFolderOf(project)
  const secrets = {
    env,
    secretNames: secretVariables(project.config),
    values: { 'convene token': readToken(stateFolder, env) },
  }
  const { redact } = createRedactor(secrets)
  const database = new Database(join(stateFolder, 'convene.db'))
  try {
    const clock = systemClock
    const store = new SqliteStore(database, { payloadFolder: join(stateFolder, 'payloads'), redact })
    const engine = new SqliteEngine({ database, store, clock, redact, observe })
    const deltas = new Deltas(redactedStreams(secrets))
    const agents = connectConfigured(project, { env, bindings: new SqliteLineBindings(database) })
    const budgets = new Budgets({ store, engine, clock, limits: project.config.budget })
    const roomActivity = new RoomActivity()
    const { messages, calls_per_minute, turns, autopilot } = project.config.room
    const inboxes = new Inboxes(roomActivity, { in_flight: messages.in_flight, queued: messages.queued })
    const prompts = createPrompts(join(stateFolder, 'prompts'))
    const askDeps: AskDeps = {
      store,
      deltas,
      clock,
      signs: new SignsOfLife(clock),
      patienceWith: (agent) => patienceWith(project.config, agent.name),
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
    const activity = new RunActivity()
    const deps: RoomDeps = {
      ...askDeps,
      agent: (name) => agents.get(name),
      room: (id) => rooms.get(id),
      proposer: project.config.roles.proposer,
      prompts,
      settings: project.config.room,
      countTokens,
      memories: new RoomMemories(store),
      meter: new CallMeter(clock, calls_per_minute),
      activity: roomActivity,
      inboxes,
    }
    const workflows = {
      answer: answerWorkflow(deps),
      session: sessionWorkflow(deps),
      agentMessage: agentMessageWorkflow(deps),
    }
    engine.register(workflows.answer)
    engine.register(workflows.session)
    engine.register(workflows.agentMessage)
    const { attachments_kb } = project.config.room
    const defaults = { max_rounds: turns.max_rounds, autopilot_turns: autopilot.turns, attachments_kb }
    const files = projectFiles(project.folder, async (folder) =>
      (await import('./workspace/git/project-files.ts')).listProjectFiles(folder),
    )
    const rooms = await Rooms.open({ store, engine, agentNames: agents.names(), inboxes, files, defaults, workflows })
    const questions = new Questions(store, engine)
    const parts = { askDeps, prompts, agents, store, engine, questions, activity }
    const builds = connectBuilds(project, env, parts)
    const plans = connectPlans(project, env, parts)
    const closing = new AbortController()
    const opened = project.config.coordination.github_sync_enabled
      ? await openForge(project.config.forge, env, closing.signal)
      : { forge: null, reason: null }
    const views = new FeatureViews(store, join(stateFolder, 'cache'))
    const tracking = opened.forge && trackerFor(project, store, views, opened)
    const hosted = new HostedWork({ store, talk: workflows.answer, room: (id) => rooms.get(id) })
    const forgeOff = opened.forge ? undefined : (opened.reason ?? undefined)
    const { features, ships } = connectShip(project, parts, builds, plans, views, tracking ?? { forgeOff }, hosted)
    const notices = new RoomNotices(store, hosted)
    await notices.start()
    await tracking?.tracker.start()
    const watch = tracking && watchFor(project, env, tracking, features)
    watch?.start()
    const stopMirror = project.config.coordination.event_logging_enabled
      ? await keepMirror(store, join(stateFolder, 'events'))
      : () => {}
    const overviews = new RunOverviews(store)
    let repository: Promise<Repository> | undefined
    const openRepository = () => {
      repository ??= import('./workspace/git/repository.ts').then(({ Repository }) => Repository.open(project.folder))
      repository.catch(() => {
        repository = undefined
      })
      return repository
    }
    return {
      folder: project.folder,
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
      shipSettings: shipSettingsOf(project.config, opened.forge ? null : opened.reason),
      questions,
      async origin(what) {
        const { findOrigin } = await import('./runs/origin.ts')
        return findOrigin(openRepository, store, what)
      },
      async replay(run) {
        await requireRun(engine, run)
        return (await import('./runs/replay.ts')).replayRun(store, run, project.config.build.caps)
      },
      async overview(run) {
        await requireRun(engine, run)
        return overviews.of(run)
      },
      runs: new Runs(
        engine,
        [builds.builds, plans.plans, features, ships],
        () => overviews.lines(),
        async () => {
          const waitingRuns = (await questions.open()).map(({ run }) => run)
          return (run) => waitingRuns.some((one) => isWithin(one, run)) && activity.isIdle(run)
        },
        async (top) => {
          builds.deps.queues.forget(top)
          await features.interruptIssues(top)
        },
      ),
      sample: new SampleProject(project, builds.deps.workspace, () => ships.isAtWork()),
      forgeOff: opened.forge ? null : opened.reason,
      async receiveFromForge(delivery) {
        if (watch) return watch.receive(delivery)
        const why = opened.forge ? null : opened.reason
        throw new ConveneError('no_forge', why ?? 'there is no forge: forge.github.repo is not set', { status: 404 })
      },
      salvaged: database.salvaged && { ...database.salvaged, lastSeq: await store.lastSeq() },
      async close() {
        stopMirror()
        closing.abort()
        await notices.stop()
        await watch?.stop()
        await tracking?.tracker.stop()
        await engine.close()
        await builds.close()
        await store.close()
        await agents.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Removes the worktrees of a run and of all runs below it. */
async function removeWorktrees(
  engine: Engine,
  top: string,
  opening: Promise<ProjectWorkspace> | undefined,
): Promise<void> {
  const below = (await engine.list({ parent: top })).map(({ id }) => removeWorktrees(engine, id, opening))
  const workspace = await opening
  await Promise.all([workspace?.worktrees.removeRun(top), ...below])
}

async function requireRun(engine: Engine, run: string): Promise<void> {
  if (await engine.get(run)) return
  throw new ConveneError('unknown_run', `there is no run '${run}'. \`convene runs\` lists them.`, {
    status: 404,
    path: 'run',
  })
}

interface FloorParts {
  activity: RunActivity
  askDeps: AskDeps
  prompts: Prompts
  agents: ConnectedAgents
  store: Store
  engine: Engine
  questions: Questions
}

function connectBuilds(project: LoadedConfig, env: NodeJS.ProcessEnv, parts: FloorParts) {
  const { agents, store, engine, questions } = parts
  const { roles, build } = project.config
  let opening: Promise<ProjectWorkspace> | undefined
  const open = async () =>
    (await import('./build/open-workspace.ts')).openWorkspace(project, stateFolderOf(project), env)
  const deps: BuildDeps = {
    ...parts.askDeps,
    prompts: parts.prompts,
    agentFor: (role) => agents.get(roles[role] ?? agents.names()[0]!),
    settings: build,
    workspace() {
      opening ??= open().catch((error) => {
        // Not a repository, or no test command: try again on the next use, when the user may have fixed it.
        opening = undefined
        throw error
      })
      return opening
    },
    semaphore: new Semaphore(build.max_parallel),
    queues: new MergeQueues(),
    activity: parts.activity,
    async endParts(run) {
      for (const { id, status } of await engine.list({ parent: run })) {
        if (status !== 'running' && status !== 'needs-attention') continue
        await engine.cancel(id)
        deps.queues.forget(id)
        deps.activity.forget(id)
      }
    },
    countTokens,
  }
  const removals = new Set<Promise<void>>()
  const nodes = nodeWorkflow(deps)
  const workflow = buildWorkflow(deps, nodes)
  engine.register(nodes)
  engine.register(workflow)
  return {
    deps,
    workflow,
    builds: new Builds({ store, engine, questions, deps, workflow }),
    /** Frees the merge queues and worktrees of a parked tree of runs, which may stay parked for long. */
    releaseTree(top: string): Promise<void> {
      deps.queues.forget(top)
      const removing = removeWorktrees(engine, top, opening).catch(() => {})
      removals.add(removing)
      return removing.finally(() => removals.delete(removing))
    },
    async close() {
      await Promise.all(removals)
      await (await opening)?.worktrees.close()
    },
  }
}

function connectPlans(project: LoadedConfig, env: NodeJS.ProcessEnv, parts: FloorParts) {
  const { agents, store, engine, questions, activity } = parts
  const { roles, plan } = project.config
  const panel = roles.panel.length > 0 ? roles.panel : agents.names()
  const staff = {
    coordinator: roles.coordinator ?? agents.names()[0]!,
    panel,
    reviewers: roles.reviewers.length > 0 ? roles.reviewers : panel,
  }
  const deps: PlanDeps = {
    ...parts.askDeps,
    prompts: parts.prompts,
    agent: (name) => (agents.names().includes(name) ? agents.get(name) : null),
    staff: () => staff,
    price: priceOf(project.config, [staff.coordinator, ...staff.panel, ...staff.reviewers]),
    settings: plan,
    budget: project.config.budget,
    folder: join(stateFolderOf(project), 'plans'),
    facts: async () => (await import('./plan/project-facts.ts')).gatherFacts(project.folder, env),
    isFeatureTaken: async (feature) =>
      (await import('./plan/feature-taken.ts')).isFeatureTaken(feature, project.folder, store),
    journal: engine,
    activity,
    countTokens,
  }
  const phases = phaseWorkflow(deps)
  const workflow = planWorkflow(deps, phases)
  engine.register(phases)
  engine.register(workflow)
  return { plans: new Plans({ store, engine, questions, deps, workflow }), workflow }
}

/** The mean price of the participating agents; unknown if one of them is. Rehearsal is free. */
function priceOf({ agents }: Config, names: readonly string[]): TokenPrice | undefined {
  const known = [...new Set(names)]
    .map((name) => agents[name])
    .map((agent) => {
      if (!agent || agent.provider === 'rehearsal') return { input: 0, output: 0 }
      return agent.price
    })
  if (known.some((price) => price === undefined)) return undefined
  const mean = (side: 'input' | 'output') => known.reduce((sum, price) => sum + price![side], 0) / known.length / 1e6
  return { input: mean('input'), output: mean('output') }
}

interface Tracking {
  tracker: Tracker
  outbox: Outbox
  forge: Forge
  repo: string
}

function trackerFor(
  { config }: LoadedConfig,
  store: Store,
  views: FeatureViews,
  { forge, repo }: { forge: Forge; repo: string },
): Tracking {
  const labelPrefix = config.forge.github?.label_prefix
  const outbox = new Outbox({ store, forge, repo, ...(labelPrefix === undefined ? {} : { labelPrefix }) })
  const tracker = new Tracker({ store, outbox, views, retries: config.ship.retries })
  return { tracker, outbox, forge, repo }
}

function watchFor(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  { outbox, forge, repo }: Tracking,
  features: Features,
): ForgeWatch {
  const { poll_seconds, webhook_secret_env: variable, label_prefix } = project.config.forge.github!
  return new ForgeWatch({
    forge,
    outbox,
    repo,
    labelPrefix: label_prefix,
    clock: systemClock,
    pollSeconds: poll_seconds,
    webhook: { secret: env[variable]?.trim(), variable },
    cursorFile: join(stateFolderOf(project), 'cache', 'forge-looked.json'),
    notice: (noticed) => features.noticed(noticed),
  })
}

function connectShip(
  project: LoadedConfig,
  parts: FloorParts,
  { deps: building, workflow: build }: ReturnType<typeof connectBuilds>,
  planning: ReturnType<typeof connectPlans>,
  views: FeatureViews,
  tracking: Tracking | { forgeOff: string | undefined },
  rooms: HostedWork,
) {
  const { agents, engine, questions, activity } = parts
  const { roles, coordination, ship, build: settings } = project.config
  const deps: ShipDeps = {
    ...parts.askDeps,
    coordinator: () => agents.get(roles.coordinator ?? agents.names()[0]!),
    workspace: building.workspace,
    build,
    activity,
    settings: { coordination, ship, build: settings },
    stateFolder: stateFolderOf(project),
    countTokens,
    whyNotRunning: (run) => whyNotRunning(engine, run),
    isAbandoned: (run) => isAbandoned(engine, questions, run),
    views,
    histories: new GitHistories(join(stateFolderOf(project), 'cache')),
    ...('tracker' in tracking
      ? {
          flushForge: (timeoutMs) => tracking.tracker.flush(timeoutMs),
          pendingOnForge: (feature) => tracking.outbox.behind(feature),
          forge: async () => tracking.forge,
          repo: tracking.repo,
          tokenName: project.config.forge.github!.token_env,
        }
      : tracking),
  }
  building.issueObserver = buildHooks(deps)
  const issues = issueWorkflow(deps)
  const workflow = featureWorkflow(deps, issues)
  engine.register(issues)
  engine.register(workflow)
  const features = new Features({ engine, questions, deps, workflow })
  const shipping = shipWorkflow(deps, { plan: planning.workflow, run: workflow, features, rooms })
  engine.register(shipping)
  const { sample } = project.config
  const onlyGoal = agents.describe().every(({ rehearsal }) => rehearsal) ? sample?.goal : undefined
  const known = onlyGoal === undefined ? {} : { onlyGoal }
  const ships = new Ships({
    engine,
    questions,
    deps,
    plans: planning.plans,
    rooms,
    features,
    workflow: shipping,
    ...known,
  })
  return { features, ships }
}

function patienceWith(config: Config, agent: string) {
  const settings = config.agents[agent]
  return { retry: settings ? retryPolicyOf(config, settings) : {}, silenceMs: config.retry.silence_seconds * 1000 }
}
