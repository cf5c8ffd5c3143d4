/** Records in the shared database which line of a rehearsal script answered which ask: one pool per script and project. */
import { relative } from 'node:path'
import type { CallId } from '../agent.ts'
import type { LineBindings } from './line-bindings.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import type { PostgresTransaction } from './postgres-transaction.ts'
import type { Task } from './task.ts'

type Choose = (used: ReadonlySet<number>) => number | null

export class PostgresLineBindings implements LineBindings {
  readonly #database: PostgresDatabase
  readonly #folder: string

  /** Scripts are known by their path below the project's folder, which lies elsewhere on every machine. */
  constructor(database: PostgresDatabase, folder: string) {
    this.#database = database
    this.#folder = folder
  }

  bind(script: string, question: CallId, choose: Choose): Promise<number | null> {
    const name = relative(this.#folder, script)
    return this.#database.transact(() => this.#bind(name, question, choose))
  }

  *#bind(script: string, { run, step, try: attempt }: CallId, choose: Choose): Task<number | null> {
    const table = this.#database.table('rehearsal_lines')
    const { project } = this.#database
    const used: { line: number; own: boolean }[] = yield (transaction: PostgresTransaction) =>
      transaction.query(
        `SELECT line, bool_or(run = $3 AND step = $4 AND try = $5) AS own FROM ${table}
         WHERE project = $1 AND script = $2 GROUP BY line`,
        [project, script, run, step, attempt],
      )
    const bound = used.find(({ own }) => own)
    if (bound) return bound.line
    const line = choose(new Set(used.map((row) => row.line)))
    if (line === null) return null
    yield (transaction: PostgresTransaction) =>
      transaction.change(
        `INSERT INTO ${table} (project, script, run, step, try, line) VALUES ($1, $2, $3, $4, $5, $6)`,
        [project, script, run, step, attempt, line],
      )
    return line
  }
}
