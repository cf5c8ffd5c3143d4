/** The rows behind durable runs: every statement the local engine needs, nothing else. */
import type { Database } from '../database.ts'
import type { RunStatus, RunSummary, StepRecord } from '../engine.ts'

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
  created: number
  updated: number
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

export class Journal {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  run(id: string): RunRow | undefined {
    return this.#database.get<RunRow>('SELECT * FROM runs WHERE id = ?', id)
  }

  runsWithStatus(status: RunStatus): RunRow[] {
    return this.#database.all<RunRow>('SELECT * FROM runs WHERE status = ? ORDER BY number', status)
  }

  unfinishedChildren(parent: string): string[] {
    const sql = `SELECT id FROM runs WHERE parent = ? AND status IN ('running', 'needs-attention') ORDER BY number`
    return this.#database.all<{ id: string }>(sql, parent).map((row) => row.id)
  }

  summaries(query: { status?: RunStatus; workflow?: string; limit?: number; id?: string }): RunSummary[] {
    const conditions = ['1 = 1']
    const values: (string | number)[] = []
    for (const key of ['status', 'workflow', 'id'] as const) {
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

  // What follows runs inside a transaction.

  /** The new run's row, or null where one with this id exists. */
  insertRun(run: Pick<RunRow, 'id' | 'workflow' | 'version' | 'input' | 'parent' | 'created'>): RunRow | null {
    const { changes, lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO runs (id, workflow, version, status, input, parent, created, updated)
         VALUES (?, ?, ?, 'running', ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(run.id, run.workflow, run.version, run.input, run.parent, run.created, run.created)
    if (changes === 0) return null
    return {
      ...run,
      number: Number(lastInsertRowid),
      status: 'running',
      output: null,
      reason: null,
      code: null,
      parked_at: null,
      updated: run.created,
    }
  }

  /** False where the run had already ended. */
  setStatus(
    run: number,
    status: RunStatus,
    at: number,
    fields: { output?: string | null; reason?: string; code?: string; parkedAt?: number } = {},
  ): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE runs SET status = ?, output = ?, reason = ?, code = ?, parked_at = ?, updated = ?
         WHERE number = ? AND status IN ('running', 'needs-attention')`,
      )
      .run(status, fields.output ?? null, fields.reason ?? null, fields.code ?? null, fields.parkedAt ?? null, at, run)
    return changes !== 0
  }

  setVersion(run: number, version: number): void {
    this.#database.prepare('UPDATE runs SET version = ? WHERE number = ?').run(version, run)
  }

  putStep(run: number, step: StepRow): void {
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO steps (run, position, name, kind, state, value, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(run, step.position, step.name, step.kind, step.state, step.value, step.at)
  }

  copySteps(from: number, to: number, before: number): void {
    this.#database
      .prepare(
        `INSERT INTO steps (run, position, name, kind, state, value, at)
         SELECT ?, position, name, kind, state, value, at FROM steps WHERE run = ? AND position < ?`,
      )
      .run(to, from, before)
  }

  /** The signal's number, or null where one with this key was sent before. */
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
    ...(row.parent === null ? {} : { parent: row.parent }),
    createdAt: row.created,
    updatedAt: row.updated,
    steps: row.steps,
  }
}
