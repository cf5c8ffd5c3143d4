/** Records in the database which line of a rehearsal script answered which ask, so that a restart finds it. */
import type { CallId } from '../agent.ts'
import type { Database } from './database.ts'
import type { LineBindings } from './line-bindings.ts'

export class SqliteLineBindings implements LineBindings {
  readonly #database: Database
  /** Lines in use, by script. Safe to cache: only one process owns the database. */
  readonly #used = new Map<string, Set<number>>()

  constructor(database: Database) {
    this.#database = database
  }

  bind(script: string, question: CallId, choose: (used: ReadonlySet<number>) => number | null): Promise<number | null> {
    return this.#database.transact(() => {
      const bound = this.#database
        .prepare('SELECT line FROM rehearsal_lines WHERE script = ? AND run = ? AND step = ? AND try = ?')
        .get(script, question.run, question.step, question.try) as { line: number } | undefined
      if (bound) return bound.line
      const used = this.#usedLines(script)
      const line = choose(used)
      if (line === null) return null
      this.#database
        .prepare('INSERT INTO rehearsal_lines (script, run, step, try, line) VALUES (?, ?, ?, ?, ?)')
        .run(script, question.run, question.step, question.try, line)
      used.add(line)
      return line
    })
  }

  #usedLines(script: string): Set<number> {
    let used = this.#used.get(script)
    if (!used) {
      const rows = this.#database.prepare('SELECT DISTINCT line FROM rehearsal_lines WHERE script = ?').all(script)
      used = new Set(rows.map((row) => Number(row.line)))
      this.#used.set(script, used)
    }
    return used
  }
}
