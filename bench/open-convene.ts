/** Convene's log and engine in one folder, opened as the product opens them. */
import { join } from 'node:path'
import { SqliteEngine } from '../src/kernel/engines/sqlite.ts'
import { Database } from '../src/kernel/stores/database.ts'
import { SqliteStore } from '../src/kernel/stores/sqlite.ts'

export function openConvene(folder: string, database = new Database(join(folder, 'convene.db'))) {
  const store = new SqliteStore(database, { payloadFolder: join(folder, 'payloads') })
  const engine = new SqliteEngine({ database, store })
  const close = async () => {
    await engine.close()
    await store.close()
  }
  return { database, store, engine, close }
}
