/** The journal on Postgres: every SQL statement of the shared engine about runs, steps and signals. */
import { silenceMs } from '../../rules/team/silent-worker.ts'
import { afterCrash } from '../../rules/trust/crashes.ts'
import type { RunQuery, RunSummary } from '../engine.ts'
import type { PostgresDatabase } from '../stores/postgres-database.ts'
import { restored, storable } from '../stores/postgres-text.ts'
import { type Join, type PostgresTransaction, runInTransaction } from '../stores/postgres-transaction.ts'
import type { Task } from '../stores/task.ts'
import {
  ancestorsOf,
  type Ending,
  type Journal,
  lineageOf,
  type NewRun,
  type Past,
  type RunRow,
  type SignalRow,
  type StepRow,
  toSummary,
} from './journal.ts'

const columns =
  'number, id, workflow, version, status, input, output, reason, code, parked_at, parent, forked_from, forked_at, created, updated, apart, owner, crashes, crash_streak, crash_steps'

/** With the crashes in it: all, those in a row at the same step, and that step. */
export interface SharedRunRow extends RunRow {
  /** The process that executes it, or did. */
  owner: number | null
  crashes: number
  crash_streak: number
  crash_steps: number | null
}

export class PostgresJournal implements Journal {
  readonly #database: PostgresDatabase
  readonly #runs: string
  readonly #steps: string
  readonly #signals: string
  readonly #workers: string
  /** Who executes what is started here: nobody, where other processes are to take it. */
  readonly #owner: number | null

  constructor(database: PostgresDatabase, executes: boolean) {
    this.#owner = executes ? database.worker : null
    this.#database = database
    this.#runs = database.table('runs')
    this.#steps = database.table('steps')
    this.#signals = database.table('signals')
    this.#workers = database.table('workers')
  }

  *run(id: string): Task<RunRow | undefined> {
    const sql = `SELECT ${columns} FROM ${this.#runs} WHERE project = $1 AND id = $2`
    return (yield* query<RunRow>(sql, [this.#project, id]))[0]
  }

  *abandoned(): Task<SharedRunRow[]> {
    const sql = `SELECT ${columns} FROM ${this.#runs}
      WHERE project = $1 AND status = 'running' AND ${this.#ownerless} ORDER BY number`
    return yield* query<SharedRunRow>(sql, [this.#project])
  }

  *unfinishedTree(root: string): Task<RunRow[]> {
    const sql = `WITH RECURSIVE tree (id) AS (
        SELECT $2::text COLLATE "C" UNION
        SELECT runs.id FROM ${this.#runs} AS runs JOIN tree ON runs.parent = tree.id WHERE runs.project = $1)
      SELECT ${columnsOf('runs')} FROM ${this.#runs} AS runs JOIN tree ON runs.id = tree.id
      WHERE runs.project = $1 AND runs.status IN ('running', 'needs-attention') ORDER BY runs.number`
    return yield* query<RunRow>(sql, [this.#project, root])
  }

  *summaries(asked: RunQuery & { id?: string }): Task<RunSummary[]> {
    const values: unknown[] = [this.#project]
    const conditions = ['project = $1']
    for (const key of ['status', 'workflow', 'parent', 'id'] as const)
      if (asked[key] !== undefined) conditions.push(`${key} = $${values.push(asked[key])}`)
    const limit = asked.limit === undefined ? '' : `LIMIT $${values.push(asked.limit)}`
    const sql = `SELECT ${columns}, (SELECT count(*) FROM ${this.#steps} AS steps WHERE steps.run = runs.number) AS steps
      FROM ${this.#runs} AS runs WHERE ${conditions.join(' AND ')} ORDER BY number DESC ${limit}`
    return (yield* query<RunRow & { steps: number }>(sql, values)).map(toSummary)
  }

  *steps(run: number): Task<StepRow[]> {
    const sql = `SELECT position, name, kind, state, value, at FROM ${this.#steps} WHERE run = $1 ORDER BY position`
    return yield* query<StepRow>(sql, [run])
  }

  *past(row: RunRow): Task<Past> {
    const signals = yield* this.waitingSignals([row.id])
    const steps = yield* this.steps(row.number)
    return { steps, signals, lineage: yield* lineageOf(this, row), ancestors: yield* ancestorsOf(this, row) }
  }

  /** Signals to these runs that no step has consumed. */
  *waitingSignals(runs: string[]): Task<(SignalRow & { run: string })[]> {
    const sql = `SELECT number, run, topic, value FROM ${this.#signals}
      WHERE project = $1 AND run = ANY($2::text[]) AND consumed_at IS NULL ORDER BY number`
    return yield* query<SignalRow & { run: string }>(sql, [this.#project, runs])
  }

  *insertRun(run: NewRun): Task<RunRow | null> {
    const sql = `INSERT INTO ${this.#runs} (project, id, workflow, version, status, input, parent, forked_from, forked_at, created, updated, owner, apart)
      VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $9, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING ${columns}`
    const { id, workflow, version, input, parent, forked_from = null, forked_at = null, created } = run
    const owner = run.left ? null : this.#owner
    const where = [parent, forked_from, forked_at, created, owner, run.apart ?? false]
    const values = [this.#project, id, workflow, version, input, ...where]
    return (yield* query<RunRow>(sql, values))[0] ?? null
  }

  /** A run stays with the process that executes one above it, up to the nearest that is apart. */
  *claim(run: RunRow): Task<boolean> {
    const sql = `WITH RECURSIVE above (id) AS (
        SELECT parent FROM ${this.#runs} WHERE number = $1 AND NOT apart UNION
        SELECT runs.parent FROM ${this.#runs} AS runs JOIN above ON runs.id = above.id
        WHERE runs.project = $2 AND NOT runs.apart)
      UPDATE ${this.#runs} SET owner = $3
      WHERE number = $1 AND status = 'running' AND (owner = $3 OR ${this.#ownerless}) AND NOT EXISTS (
        SELECT 1 FROM ${this.#runs} AS runs JOIN above ON runs.id = above.id JOIN ${this.#workers} AS workers
        ON workers.number = runs.owner
        WHERE runs.project = $2 AND runs.status = 'running' AND NOT workers.dead AND workers.number <> $3)`
    return yield* changes(sql, [run.number, this.#project, this.#worker])
  }

  /**
   * Takes as many of these as wanted, unless another process has taken them since they were read or takes them now. Only
   * for runs that are executed without one above them.
   */
  *claimUnits(rows: SharedRunRow[], most: number): Task<SharedRunRow[]> {
    const sql = `WITH free AS (
        SELECT runs.number FROM ${this.#runs} AS runs JOIN unnest($1::bigint[], $2::bigint[]) AS seen (number, owner)
          ON seen.number = runs.number AND seen.owner IS NOT DISTINCT FROM runs.owner
        WHERE runs.status = 'running' ORDER BY runs.number LIMIT $3 FOR UPDATE OF runs SKIP LOCKED)
      UPDATE ${this.#runs} AS runs SET owner = $4 FROM free WHERE runs.number = free.number RETURNING ${columnsOf('runs')}`
    const seen = [rows.map(({ number }) => number), rows.map(({ owner }) => owner)]
    const claimed = yield* query<SharedRunRow>(sql, [...seen, most, this.#worker])
    return claimed.sort((one, other) => one.number - other.number)
  }

  /** What is known of each of these runs, in their order. */
  *pasts(rows: RunRow[]): Task<Past[]> {
    const sql = `SELECT run, position, name, kind, state, value, at FROM ${this.#steps}
      WHERE run = ANY($1::bigint[]) ORDER BY run, position`
    const [signals, steps] = yield* both(
      this.waitingSignals(rows.map(({ id }) => id)),
      query<StepRow & { run: number }>(sql, [rows.map(({ number }) => number)]),
    )
    const pasts: Past[] = []
    for (const row of rows)
      pasts.push({
        steps: steps.flatMap(({ run, ...step }) => (run === row.number ? [step] : [])),
        signals: signals.flatMap(({ run, ...signal }) => (run === row.id ? [signal] : [])),
        lineage: yield* lineageOf(this, row),
        ancestors: yield* ancestorsOf(this, row),
      })
    return pasts
  }

  *holds(run: number): Task<boolean> {
    const sql = `SELECT 1 FROM ${this.#runs} WHERE number = $1 AND owner = $2 AND status = 'running'`
    return (yield* query(sql, [run, this.#worker])).length > 0
  }

  /** The runs that living processes execute. */
  *executed(): Task<string[]> {
    const sql = `SELECT runs.id FROM ${this.#runs} AS runs JOIN ${this.#workers} AS workers ON workers.number = runs.owner
      WHERE runs.project = $1 AND runs.status = 'running' AND NOT workers.dead
        AND workers.seen > clock_timestamp() - make_interval(secs => $2)`
    return (yield* query<{ id: string }>(sql, [this.#project, silenceMs / 1000])).map(({ id }) => id)
  }

  /** TR5: counts a crash of these processes in each run that one of them executed and that waited for no run below it. */
  *noteCrash(workers: number[]): Task<void> {
    const sql = `SELECT number, crash_streak, crash_steps,
        (SELECT count(*) FROM ${this.#steps} AS steps WHERE steps.run = runs.number) AS steps
      FROM ${this.#runs} AS runs WHERE project = $1 AND status = 'running' AND owner = ANY($2::bigint[])
        AND NOT EXISTS (SELECT 1 FROM ${this.#runs} AS parts
          WHERE parts.project = $1 AND parts.parent = runs.id AND parts.status = 'running')`
    const rows = yield* query<SharedRunRow & { steps: number }>(sql, [this.#project, workers])
    const before = rows.map((row) => [row.number, { steps: row.crash_steps ?? -1, crashes: row.crash_streak }] as const)
    const inFlight = rows.map(({ number, steps }) => ({ run: String(number), steps }))
    const { record } = afterCrash(Object.fromEntries(before), inFlight)
    for (const [run, { steps, crashes }] of Object.entries(record))
      yield* changes(
        `UPDATE ${this.#runs} SET crashes = crashes + 1, crash_streak = $2, crash_steps = $3 WHERE number = $1`,
        [Number(run), crashes, steps],
      )
  }

  *finish(run: number, ending: Ending, at: number): Task<boolean> {
    const sql = `UPDATE ${this.#runs} SET status = $2, output = $3, reason = $4, code = $5, parked_at = NULL, updated = $6, owner = NULL
      WHERE number = $1 AND status IN ('running', 'needs-attention')`
    const { status, output = null, reason = null, code = null } = ending
    return yield* changes(sql, [run, status, output, reason, code, at])
  }

  *park(run: number, why: { reason: string; position?: number; code?: string }, at: number): Task<boolean> {
    const sql = `UPDATE ${this.#runs} SET status = 'needs-attention', reason = $2, code = $3, parked_at = $4, updated = $5, owner = NULL
      WHERE number = $1 AND status = 'running'`
    return yield* changes(sql, [run, why.reason, why.code ?? null, why.position ?? null, at])
  }

  *unpark(run: number, version: number, at: number): Task<boolean> {
    const sql = `UPDATE ${this.#runs} SET status = 'running', version = $2, reason = NULL, code = NULL, parked_at = NULL, updated = $3, owner = $4, crash_streak = 0
      WHERE number = $1 AND status = 'needs-attention'`
    return yield* changes(sql, [run, version, at, this.#owner])
  }

  *putStep(run: number, step: StepRow): Task<boolean> {
    return yield (transaction: PostgresTransaction) => transaction.joined(this.#putSteps, { ...step, run })
  }

  readonly #putSteps: Join<StepRow & { run: number }, boolean> = async (transaction, rows) => {
    const sql = `INSERT INTO ${this.#steps} AS steps (run, position, name, kind, state, value, at)
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
        AS given (run, position, name, kind, state, value, at)
      WHERE EXISTS (SELECT 1 FROM ${this.#runs} WHERE number = given.run AND owner = $8 AND status = 'running')
      ON CONFLICT (run, position) DO UPDATE SET state = excluded.state, value = excluded.value, at = excluded.at
      WHERE steps.state = 'waiting' RETURNING run, position`
    const names = ['run', 'position', 'name', 'kind', 'state', 'value', 'at'] as const
    const values = names.map((name) => rows.map((row) => storable(row[name])))
    const put = await transaction.query<{ run: number; position: number }>(sql, [...values, this.#worker])
    const known = new Set(put.map(({ run, position }) => `${run} ${position}`))
    return rows.map(({ run, position }) => known.has(`${run} ${position}`))
  };

  *copySteps(from: number, to: number, before: number): Task<void> {
    const sql = `INSERT INTO ${this.#steps} (run, position, name, kind, state, value, at)
      SELECT $2, position, name, kind, state, value, at FROM ${this.#steps} WHERE run = $1 AND position < $3`
    yield* changes(sql, [from, to, before])
  }

  *insertSignal(runId: string, topic: string, value: string | null, key: string | null): Task<number | null> {
    const sql = `INSERT INTO ${this.#signals} (project, run, topic, value, key) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING RETURNING number`
    const [row] = yield* query<{ number: number }>(sql, [this.#project, runId, topic, value, key])
    if (!row) return null
    yield async (transaction: PostgresTransaction) => transaction.noteSignals()
    return row.number
  }

  *consumeSignal(number: number, position: number): Task<void> {
    yield* changes(`UPDATE ${this.#signals} SET consumed_at = $2 WHERE number = $1`, [number, position])
  }

  get #project(): number {
    return this.#database.project
  }

  get #worker(): number {
    return this.#database.worker
  }

  get #ownerless(): string {
    return `NOT EXISTS (SELECT 1 FROM ${this.#workers} AS alive WHERE alive.number = owner AND NOT alive.dead)`
  }
}

const columnsOf = (table: string) => columns.replace(/\w+/g, `${table}.$&`)

/** Two reads whose statements are sent together. */
function* both<One, Other>(one: Task<One>, other: Task<Other>): Task<[One, Other]> {
  return yield (transaction: PostgresTransaction) =>
    Promise.all([runInTransaction(one, transaction), runInTransaction(other, transaction)])
}

function* query<Row>(sql: string, values: unknown[]): Task<Row[]> {
  const rows: Row[] = yield (transaction: PostgresTransaction) => transaction.query<Row>(sql, values.map(storable))
  return rows.map(restored)
}

function* changes(sql: string, values: unknown[]): Task<boolean> {
  const count: number = yield (transaction: PostgresTransaction) => transaction.change(sql, values.map(storable))
  return count > 0
}
