/**
 * The lower bound: one prepared insert, one commit, nothing else. The row is the one that Convene writes for a step.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Chain, stepValue, toPragmas } from '../chain.ts'

export function openRawSqlite(folder: string): Chain {
  const sqlite = new DatabaseSync(join(folder, 'raw.db'))
  sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE steps (run INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      state TEXT NOT NULL, value TEXT, at INTEGER NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID`)
  const insert = sqlite.prepare('INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)')
  let runs = 0
  return {
    async run(steps, tick) {
      const run = runs++
      for (let index = 0; index < steps; index++) {
        tick()
        insert.run(run, index, 'step', 'step', 'done', JSON.stringify(stepValue(index)), Date.now())
      }
    },
    pragmas: () =>
      toPragmas(
        sqlite.prepare('PRAGMA journal_mode').get()!.journal_mode,
        sqlite.prepare('PRAGMA synchronous').get()!.synchronous,
      ),
    close: async () => sqlite.close(),
  }
}
