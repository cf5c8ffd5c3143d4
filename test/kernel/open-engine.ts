/** The local engine on a folder, as the composition root puts it together. */
import { join } from 'node:path'
import { SqliteEngine, type SqliteEngineOptions } from '../../src/kernel/engines/sqlite.ts'
import { Database, type DatabaseOptions } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'

export interface LocalEngine {
  database: Database
  store: SqliteStore
  engine: SqliteEngine
  close(): Promise<void>
}

export function databaseFile(folder: string): string {
  return join(folder, 'convene.db')
}

export function openLocalEngine(
  folder: string,
  options: Pick<SqliteEngineOptions, 'clock' | 'redact' | 'observe'> & DatabaseOptions = {},
): LocalEngine {
  const { clock, redact } = options
  const database = new Database(databaseFile(folder), options)
  const store = new SqliteStore(database, {
    payloadFolder: join(folder, 'payloads'),
    redact,
    now: clock && (() => clock.now()),
  })
  const engine = new SqliteEngine({ ...options, database, store })
  return {
    database,
    store,
    engine,
    async close() {
      await engine.close()
      await store.close()
    },
  }
}
