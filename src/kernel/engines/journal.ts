/** The journal's tables: every SQL statement of the local engine. */

import type { RunQuery, RunStatus, RunSummary, StepRecord } from '../engine.ts'
import type { Database } from '../stores/database.ts'

export interface RunRow {
  number: number
  id: string
  workflow: string
  version: number
  status: RunStatus
  input: string | null
  output: string | null
  reason: string | null
  code: string | null
  parked_at: number | null
  parent: string | null
  forked_from: string | null
  forked_at: number | null
  created: number
  updated: number
}

export type NewRun = Pick<RunRow, 'id' | 'workflow' | 'version' | 'input' | 'parent' | 'created'> &
  Partial<Pick<RunRow, 'forked_from' | 'forked_at'>>

export interface Ending {
  status: 'done' | 'failed' | 'cancelled'
  output?: string | null
  reason?: string
  code?: string
}

export interface StepRow {
  position: number
  name: string
  kind: string
  state: StepRecord['state']
  value: string | null
  at: number
}

export interface SignalRow {
  number: number
  topic: string
  value: string | null
}

export interface Origin {
  id: string
  /** Steps before this one belong to the run it was forked from; 0 if it was not forked. */
  forkedAt: number
}

export class Journal {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  run(id: string): RunRow | undefined {
    return this.#database.get<RunRow>('SELECT * FROM runs WHERE id = ?', id)
  }

  hasRun(id: string): boolean {
    return this.#database.get('SELECT 1 FROM runs WHERE id = ?', id) !== undefined
  }

  runsWithStatus(status: RunStatus): RunRow[] {
    return this.#database.all<RunRow>('SELECT * FROM runs WHERE status = ? ORDER BY number', status)
  }

  /** The run and all runs below it that have not ended. */
  unfinishedTree(root: string): RunRow[] {
    return this.#database.all<RunRow>(
      `WITH RECURSIVE tree (id) AS (SELECT ? UNION SELECT runs.id FROM runs JOIN tree ON runs.parent = tree.id)
       SELECT runs.* FROM runs JOIN tree ON runs.id = tree.id
       WHERE runs.status IN ('running', 'needs-attention') ORDER BY runs.number`,
      root,
    )
  }

  /** The runs whose steps this one replays: itself, the run it was forked from, that one's origin. */
  lineage(row: RunRow): Origin[] {
    const origins: Origin[] = []
    for (let next = row; ; ) {
      origins.push({ id: next.id, forkedAt: next.forked_at ?? 0 })
      if (next.forked_from === null) return origins
      const origin = this.run(next.forked_from)
      if (!origin) return [...origins, { id: next.forked_from, forkedAt: 0 }]
      next = origin
    }
  }

  summaries(query: RunQuery & { id?: string }): RunSummary[] {
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
    return this.#database.all<RunRow & { steps: number }>(sql, ...values, query.limit ?? -1).map(toSummary)
  }

  steps(run: number): StepRow[] {
    return this.#database.all<StepRow>(
      'SELECT position, name, kind, state, value, at FROM steps WHERE run = ? ORDER BY position',
      run,
    )
  }

  waitingSignals(runId: string): SignalRow[] {
    return this.#database.all<SignalRow>(
      'SELECT number, topic, value FROM signals WHERE run = ? AND consumed_at IS NULL ORDER BY number',
      runId,
    )
  }

  // The methods below must be called inside a transaction.

  /** The new run's row, or null if one with this id exists. */
  insertRun(run: NewRun): RunRow | null {
    const { forked_from = null, forked_at = null } = run
    const { changes, lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO runs (id, workflow, version, status, input, parent, forked_from, forked_at, created, updated)
         VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(run.id, run.workflow, run.version, run.input, run.parent, forked_from, forked_at, run.created, run.created)
    if (changes === 0) return null
    return {
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
    }
  }

  /** False if the run had already ended. */
  finish(run: number, ending: Ending, at: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = ?, output = ?, reason = ?, code = ?, parked_at = NULL, updated = ?
         WHERE number = ? AND status IN ('running', 'needs-attention')`,
      )
      .run(ending.status, ending.output ?? null, ending.reason ?? null, ending.code ?? null, at, run)
    return changes !== 0
  }

  /** False if the run was not running. */
  park(run: number, why: { reason: string; position?: number; code?: string }, at: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = 'needs-attention', reason = ?, code = ?, parked_at = ?, updated = ?
         WHERE number = ? AND status = 'running'`,
      )
      .run(why.reason, why.code ?? null, why.position ?? null, at, run)
    return changes !== 0
  }

  /** False if the run was not parked. */
  unpark(run: number, version: number, at: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = 'running', version = ?, reason = NULL, code = NULL, parked_at = NULL, updated = ?
         WHERE number = ? AND status = 'needs-attention'`,
      )
      .run(version, at, run)
    return changes !== 0
  }

  /** False if the step is recorded already: another process executes this run. */
  putStep(run: number, step: StepRow): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO steps (run, position, name, kind, state, value, at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (run, position) DO UPDATE SET state = excluded.state, value = excluded.value, at = excluded.at
         WHERE steps.state = 'waiting'`,
      )
      .run(run, step.position, step.name, step.kind, step.state, step.value, step.at)
    return changes !== 0
  }

  copySteps(from: number, to: number, before: number): void {
    this.#database
      .prepare(
        `INSERT INTO steps (run, position, name, kind, state, value, at)
         SELECT ?, position, name, kind, state, value, at FROM steps WHERE run = ? AND position < ?`,
      )
      .run(to, from, before)
  }

  /** The signal's number, or null if one with this key was sent to this run before. */
  insertSignal(runId: string, topic: string, value: string | null, key: string | null): number | null {
    const { changes, lastInsertRowid } = this.#database
      .prepare('INSERT INTO signals (run, topic, value, key) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(runId, topic, value, key)
    return changes === 0 ? null : Number(lastInsertRowid)
  }

  consumeSignal(number: number, position: number): void {
    this.#database.prepare('UPDATE signals SET consumed_at = ? WHERE number = ?').run(position, number)
  }
}

function toSummary(row: RunRow & { steps: number }): RunSummary {
  return {
    id: row.id,
    workflow: row.workflow,
    version: row.version,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.output === null ? {} : { result: JSON.parse(row.output) }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    createdAt: row.created,
    updatedAt: row.updated,
    steps: row.steps,
  }
}
