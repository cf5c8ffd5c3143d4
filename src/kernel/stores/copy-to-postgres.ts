/** Copies a local project into Postgres: log, payloads, runs with their steps and signals, claims. All of it or nothing. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type pg from 'pg'
import { ConveneError } from '../errors.ts'
import type { Database } from './database.ts'
import type { PostgresStore } from './postgres.ts'
import { type PostgresDatabase, projectLock } from './postgres-database.ts'
import { storable } from './postgres-text.ts'
import type { SqliteStore } from './sqlite.ts'

export interface LocalProject {
  /** The project's folder. */
  folder: string
  payloadFolder: string
  database: Database
  store: SqliteStore
}

export interface SharedProject {
  database: PostgresDatabase
  store: PostgresStore
}

export interface Copied {
  events: number
  runs: number
  unfinished: number
  payloads: number
}

const pageSize = 500

/** Refuses a target that holds this project. What was copied is read back and compared; a difference undoes all of it. */
export async function copyToPostgres(local: LocalProject, shared: SharedProject): Promise<Copied> {
  const refs = payloadsIn(local.payloadFolder)
  return shared.database.aside(async (client) => {
    await refuseIfUsed(client, shared.database)
    for (const ref of refs) await shared.store.putPayload(await local.store.readPayload(ref))
    for (const ref of refs) await shared.store.readPayload(ref)
    const copy = { local, client, target: shared.database }
    const events = await copyTable(copy, eventsTable)
    const last = local.database.get<{ seq: number | null; ts: string | null }>(
      'SELECT max(seq) AS seq, max(ts) AS ts FROM events',
    )
    await client.query(`UPDATE ${shared.database.table('projects')} SET seq = $2, stamped = $3 WHERE number = $1`, [
      shared.database.project,
      last?.seq ?? 0,
      last?.ts ? Date.parse(last.ts) : 0,
    ])
    const runs = await copyTable(copy, runsTable)
    for (const table of [stepsTable, signalsTable, claimsTable, linesTable(local.folder)]) await copyTable(copy, table)
    const unfinished = local.database.get<{ count: number }>(
      "SELECT count(*) AS count FROM runs WHERE status IN ('running', 'needs-attention')",
    )!
    return { events, runs, unfinished: unfinished.count, payloads: refs.length }
  })
}

async function refuseIfUsed(client: pg.ClientBase, { schema, project, shown }: PostgresDatabase): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${projectLock(schema, project)})`)
  const { rows } = await client.query(`SELECT seq FROM ${schema}.projects WHERE number = $1 FOR UPDATE`, [project])
  const ran = await client.query(`SELECT 1 FROM ${schema}.runs WHERE project = $1 LIMIT 1`, [project])
  if (rows[0].seq === 0 && ran.rowCount === 0) return
  throw new ConveneError(
    'project_exists',
    `${shown} already holds this project (${rows[0].seq} events). Nothing was copied. Use another database or engine.schema, or give the project another name with \`project\`.`,
    { status: 409 },
  )
}

interface Copy {
  local: LocalProject
  client: pg.ClientBase
  target: PostgresDatabase
}

interface CopiedTable {
  name: string
  columns: string[]
  /** The local rows in a fixed order, from an offset on. */
  from: string
  /** The same rows of the target, in the same order; `$1` is the project. */
  to: (target: PostgresDatabase) => string
  /** The target's column for the project; null where rows belong to one by their run. */
  project: 'project' | null
  change?: (row: unknown[]) => unknown[]
}

const eventColumns = [
  'seq',
  'id',
  'ts',
  'type',
  'version',
  'stream',
  'run',
  'feature',
  'actor',
  'data',
  'payload_ref',
  'step',
  'n',
]
const eventsTable = ofProject('events', eventColumns, 'seq')
const runColumns = [
  'id',
  'workflow',
  'version',
  'status',
  'input',
  'output',
  'reason',
  'code',
  'parked_at',
  'parent',
  'forked_from',
  'forked_at',
  'created',
  'updated',
]
const runsTable = ofProject('runs', runColumns, 'number')
const signalsTable = ofProject('signals', ['run', 'topic', 'value', 'key', 'consumed_at'], 'number')
const claimsTable = ofProject('claims', ['name', 'holder', 'until'], 'name')

/** Runs have other numbers in the target: a step finds its run by the run's id. */
const stepsTable: CopiedTable = {
  name: 'steps',
  columns: ['run', 'position', 'name', 'kind', 'state', 'value', 'at'],
  from: `SELECT runs.id, position, name, kind, state, value, at FROM steps JOIN runs ON runs.number = steps.run
    ORDER BY runs.number, position`,
  to: (target) => `SELECT runs.id, position, name, kind, state, value, at FROM ${target.table('steps')} AS steps
    JOIN ${target.table('runs')} AS runs ON runs.number = steps.run WHERE runs.project = $1 ORDER BY runs.number, position`,
  project: null,
}

function linesTable(folder: string): CopiedTable {
  const table = ofProject('rehearsal_lines', ['script', 'run', 'step', 'try', 'line'], 'script, run, step, try')
  return { ...table, change: ([script, ...rest]) => [relative(folder, String(script)), ...rest] }
}

function ofProject(name: string, columns: string[], order: string): CopiedTable {
  return {
    name,
    columns,
    from: `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`,
    to: (target) => `SELECT ${columns.join(', ')} FROM ${target.table(name)} WHERE project = $1 ORDER BY ${order}`,
    project: 'project',
  }
}

/** Copies a table, reads it back and compares. Returns the number of rows. */
async function copyTable(copy: Copy, table: CopiedTable): Promise<number> {
  let copied = 0
  for (let offset = 0; ; offset += pageSize) {
    const rows = localPage(copy, table, offset)
    if (rows.length > 0) await insert(copy, table, rows)
    copied += rows.length
    if (rows.length < pageSize) break
  }
  for (let offset = 0; offset < copied; offset += pageSize) {
    const { rows } = await copy.client.query({
      text: `${table.to(copy.target)} LIMIT ${pageSize} OFFSET ${offset}`,
      values: [copy.target.project],
      rowMode: 'array',
    })
    const wanted = localPage(copy, table, offset)
    if (JSON.stringify(rows) !== JSON.stringify(wanted))
      throw new ConveneError(
        'copy_differs',
        `what ${copy.target.shown} holds of the table ${table.name} differs from the local copy. Nothing was copied.`,
        { exitCode: 1, status: 500 },
      )
  }
  return copied
}

function localPage({ local }: Copy, { from, change }: CopiedTable, offset: number): unknown[][] {
  const rows = local.database.rows<unknown[]>(`${from} LIMIT ${pageSize} OFFSET ${offset}`)
  return rows.map((row) => (change ? change(row) : row).map((value) => storable(value) ?? null))
}

async function insert({ client, target }: Copy, table: CopiedTable, rows: unknown[][]): Promise<void> {
  const values: unknown[] = [target.project]
  const tuples = rows.map((row) => {
    const parameters = row.map((value) => `$${values.push(value)}`)
    if (table.project) return `($1, ${parameters.join(', ')})`
    const [run, ...rest] = parameters
    const number = `(SELECT number FROM ${target.table('runs')} WHERE project = $1 AND id = ${run})`
    return `(${[number, ...rest].join(', ')})`
  })
  const columns = table.project ? [table.project, ...table.columns] : table.columns
  await client.query(
    `INSERT INTO ${target.table(table.name)} (${columns.join(', ')}) VALUES ${tuples.join(', ')}`,
    values,
  )
}

/** References of all payload files; folders are named by the first two digits. */
function payloadsIn(folder: string): string[] {
  const names = (path: string) => {
    try {
      return readdirSync(path)
    } catch {
      return []
    }
  }
  return names(folder)
    .filter((first) => /^[0-9a-f]{2}$/.test(first))
    .flatMap((first) => names(join(folder, first)).map((rest) => `sha256:${first}${rest}`))
}
