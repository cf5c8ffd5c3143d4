/** The journal on the local database: every SQL statement of the local engine. */
import type { RunQuery, RunSummary } from '../engine.ts'
import type { Database } from '../stores/database.ts'
import { given, type Task } from '../stores/task.ts'
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

export class SqliteJournal implements Journal {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  run(id: string): Task<RunRow | undefined> {
    return given(this.#database.get<RunRow>('SELECT * FROM runs WHERE id = ?', id))
  }

  /** Only one process owns the database, and it asks before it takes up anything. */
  abandoned(): Task<RunRow[]> {
    return given(this.#database.all<RunRow>("SELECT * FROM runs WHERE status = 'running' ORDER BY number"))
  }

  unfinishedTree(root: string): Task<RunRow[]> {
    return given(
      this.#database.all<RunRow>(
        `WITH RECURSIVE tree (id) AS (SELECT ? UNION SELECT runs.id FROM runs JOIN tree ON runs.parent = tree.id)
       SELECT runs.* FROM runs JOIN tree ON runs.id = tree.id
       WHERE runs.status IN ('running', 'needs-attention') ORDER BY runs.number`,
        root,
      ),
    )
  }

  summaries(query: RunQuery & { id?: string }): Task<RunSummary[]> {
    const conditions = ['1 = 1']
    const values: (string | number)[] = []
    for (const key of ['status', 'workflow', 'parent', 'id'] as const) {
      const value = query[key]
      if (value === undefined) continue
      conditions.push(`${key} = ?`)
      values.push(value)
    }
    const sql = `SELECT *, (SELECT count(*) FROM steps WHERE steps.run = runs.number) AS steps FROM runs
      WHERE ${conditions.join(' AND ')} ORDER BY number DESC LIMIT ?`
    return given(this.#database.all<RunRow & { steps: number }>(sql, ...values, query.limit ?? -1).map(toSummary))
  }

  steps(run: number): Task<StepRow[]> {
    return given(
      this.#database.all<StepRow>(
        'SELECT position, name, kind, state, value, at FROM steps WHERE run = ? ORDER BY position',
        run,
      ),
    )
  }

  *past(row: RunRow): Task<Past> {
    const signals = this.#database.all<SignalRow>(
      'SELECT number, topic, value FROM signals WHERE run = ? AND consumed_at IS NULL ORDER BY number',
      row.id,
    )
    const steps = yield* this.steps(row.number)
    return { steps, signals, lineage: yield* lineageOf(this, row), ancestors: yield* ancestorsOf(this, row) }
  }

  insertRun(run: NewRun): Task<RunRow | null> {
    const { forked_from = null, forked_at = null } = run
    const { changes, lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO runs (id, workflow, version, status, input, parent, forked_from, forked_at, created, updated)
         VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(run.id, run.workflow, run.version, run.input, run.parent, forked_from, forked_at, run.created, run.created)
    if (changes === 0) return given(null)
    return given<RunRow>({
      ...run,
      forked_from,
      forked_at,
      number: Number(lastInsertRowid),
      status: 'running',
      output: null,
      reason: null,
      code: null,
      parked_at: null,
      updated: run.created,
    })
  }

  *claim(run: RunRow): Task<boolean> {
    return (yield* this.run(run.id))?.status === 'running'
  }

  holds(): Task<boolean> {
    return given(true)
  }

  finish(run: number, ending: Ending, at: number): Task<boolean> {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = ?, output = ?, reason = ?, code = ?, parked_at = NULL, updated = ?
         WHERE number = ? AND status IN ('running', 'needs-attention')`,
      )
      .run(ending.status, ending.output ?? null, ending.reason ?? null, ending.code ?? null, at, run)
    return given(changes !== 0)
  }

  park(run: number, why: { reason: string; position?: number; code?: string }, at: number): Task<boolean> {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = 'needs-attention', reason = ?, code = ?, parked_at = ?, updated = ?
         WHERE number = ? AND status = 'running'`,
      )
      .run(why.reason, why.code ?? null, why.position ?? null, at, run)
    return given(changes !== 0)
  }

  unpark(run: number, version: number, at: number): Task<boolean> {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = 'running', version = ?, reason = NULL, code = NULL, parked_at = NULL, updated = ?
         WHERE number = ? AND status = 'needs-attention'`,
      )
      .run(version, at, run)
    return given(changes !== 0)
  }

  putStep(run: number, step: StepRow): Task<boolean> {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO steps (run, position, name, kind, state, value, at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (run, position) DO UPDATE SET state = excluded.state, value = excluded.value, at = excluded.at
         WHERE steps.state = 'waiting'`,
      )
      .run(run, step.position, step.name, step.kind, step.state, step.value, step.at)
    return given(changes !== 0)
  }

  copySteps(from: number, to: number, before: number): Task<void> {
    this.#database
      .prepare(
        `INSERT INTO steps (run, position, name, kind, state, value, at)
         SELECT ?, position, name, kind, state, value, at FROM steps WHERE run = ? AND position < ?`,
      )
      .run(to, from, before)
    return given(undefined)
  }

  insertSignal(runId: string, topic: string, value: string | null, key: string | null): Task<number | null> {
    const { changes, lastInsertRowid } = this.#database
      .prepare('INSERT INTO signals (run, topic, value, key) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(runId, topic, value, key)
    return given(changes === 0 ? null : Number(lastInsertRowid))
  }

  consumeSignal(number: number, position: number): Task<void> {
    this.#database.prepare('UPDATE signals SET consumed_at = ? WHERE number = ?').run(position, number)
    return given(undefined)
  }
}
