/** Opens where a project keeps its log and runs: SQLite in `.convene/`, or the Postgres database that `engine.url` names. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../kernel/clock.ts'
import type { LoadedConfig } from '../kernel/config/load.ts'
import type { Engine } from '../kernel/engine.ts'
import type { DurableEngineOptions } from '../kernel/engines/durable.ts'
import type { PostgresEngineOptions } from '../kernel/engines/postgres.ts'
import { SqliteEngine } from '../kernel/engines/sqlite.ts'
import type { Store } from '../kernel/store.ts'
import { Database } from '../kernel/stores/database.ts'
import type { LineBindings } from '../kernel/stores/line-bindings.ts'
import type { PostgresDatabase } from '../kernel/stores/postgres-database.ts'
import type { Salvaged } from '../kernel/stores/salvage.ts'
import { SqliteStore } from '../kernel/stores/sqlite.ts'
import { SqliteLineBindings } from '../kernel/stores/sqlite-line-bindings.ts'
import type { WorkerDescription, WorkSettings } from '../kernel/workers.ts'
import { silenceMs } from '../rules/team/silent-worker.ts'
import { projectIdentity } from './project-identity.ts'

export interface StorageSettings {
  stateFolder: string
  clock: Clock
  redact: <Value>(value: Value) => Value
  version?: string
  work?: WorkSettings
}

export interface Storage {
  store: Store
  /** Whether other processes may work on the same runs. */
  isShared: boolean
  /** Where files that follow from the log are kept: those of one log must not be taken for another's. */
  folder: string
  bindings: LineBindings
  /** Opens the engine. Called once, after the store has its first listeners. */
  openEngine(options: DurableEngineOptions & Pick<PostgresEngineOptions, 'screen'>): Engine
  salvaged: Salvaged | null
  /** The processes that share this project. */
  workers(busy: number): Promise<WorkerDescription[]>
  /** Aborts when others have taken over this process's runs: nothing it does is recorded any more. */
  fenced: AbortSignal
  /** Throws if others have taken over this process's runs. Asks the database: it may not have been told yet. */
  mayAct(): Promise<void>
  /** Closes what is open if the app cannot be put together. */
  abandon(): Promise<void>
}

export function openStorage(project: LoadedConfig, settings: StorageSettings): Promise<Storage> {
  const { url } = project.config.engine
  return url === undefined
    ? openLocal(settings, Object.keys(project.config.agents))
    : openShared(project, url, settings)
}

async function openLocal({ stateFolder, redact, version = '' }: StorageSettings, agents: string[]): Promise<Storage> {
  const database = new Database(join(stateFolder, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(stateFolder, 'payloads'), redact })
  return {
    store,
    isShared: false,
    folder: stateFolder,
    bindings: new SqliteLineBindings(database),
    openEngine: (options) => new SqliteEngine({ database, store, ...options }),
    salvaged: database.salvaged,
    fenced: new AbortController().signal,
    async mayAct() {},
    workers: async (busy) => [{ id: '1', ...thisProcess(), capacity: null, busy, agents, version, alive: true }],
    abandon: async () => database.close(),
  }
}

/** Loads the driver only here: most projects have no database. */
async function openShared(project: LoadedConfig, url: string, settings: StorageSettings): Promise<Storage> {
  const { PostgresDatabase } = await import('../kernel/stores/postgres-database.ts')
  const { PostgresStore } = await import('../kernel/stores/postgres.ts')
  const { PostgresLineBindings } = await import('../kernel/stores/postgres-line-bindings.ts')
  const { PostgresEngine } = await import('../kernel/engines/postgres.ts')
  const { stateFolder, redact, version, work = {} } = settings
  const identity = await projectIdentity(project, stateFolder)
  const database = await PostgresDatabase.open({
    url,
    schema: project.config.engine.schema,
    project: identity,
    worker: { version, agents: work.agents ?? Object.keys(project.config.agents), capacity: capacityOf(work) },
  })
  const store = new PostgresStore(database, { redact })
  const fenced = new AbortController()
  database.onFenced((error) => fenced.abort(error))
  return {
    store,
    isShared: true,
    folder: join(stateFolder, `shared-${nameOf(database, identity)}`),
    bindings: new PostgresLineBindings(database, project.folder),
    openEngine: (options) => new PostgresEngine({ database, store, ...work, ...options }),
    salvaged: null,
    fenced: fenced.signal,
    mayAct: () => database.confirmAlive(),
    workers: () => workersIn(database),
    abandon: () => database.close(),
  }
}

function nameOf({ shown, schema }: PostgresDatabase, identity: string): string {
  return createHash('sha256')
    .update(JSON.stringify([shown, schema, identity]))
    .digest('hex')
    .slice(0, 12)
}

/** The living first, then the last that ended. */
function workersIn(database: PostgresDatabase): Promise<WorkerDescription[]> {
  return database.query(
    `SELECT number::text AS id, host, pid, to_char(started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started,
       capacity, busy, agents, version, NOT dead AND seen > clock_timestamp() - make_interval(secs => $2) AS alive
     FROM ${database.table('workers')} WHERE project = $1 ORDER BY dead, number DESC LIMIT 100`,
    [database.project, silenceMs / 1000],
  )
}

const capacityOf = ({ executes = true, capacity }: WorkSettings) => (executes ? (capacity ?? null) : 0)

function thisProcess() {
  const started = new Date(Date.now() - process.uptime() * 1000).toISOString()
  return { host: hostname(), pid: process.pid, started }
}
