/** The engine on the local SQLite database; journal and log share its transactions. */
import type { StoredEvent } from '../events.ts'
import type { Database } from '../stores/database.ts'
import type { SqliteStore } from '../stores/sqlite.ts'
import { given, runAtOnce, type Task } from '../stores/task.ts'
import { DurableEngine, type DurableEngineOptions } from './durable.ts'
import type { JournalBase, Log } from './journal.ts'
import { SqliteJournal } from './sqlite-journal.ts'

export interface SqliteEngineOptions extends DurableEngineOptions {
  database: Database
  store: SqliteStore
}

export class SqliteEngine extends DurableEngine {
  constructor(options: SqliteEngineOptions) {
    super(sqliteBase(options), options)
  }
}

function sqliteBase({ database, store }: SqliteEngineOptions): JournalBase {
  return {
    journal: new SqliteJournal(database),
    async read<Value>(task: Task<Value>): Promise<Value> {
      return runAtOnce(task)
    },
    write<Value>(work: (log: Log) => Task<Value>, committed?: (value: Value) => void): Promise<Value> {
      let written: StoredEvent[] = []
      const log: Log = (events) => given(store.insert(events, written))
      return database.transact(
        () => {
          written = []
          return runAtOnce(work(log))
        },
        (value) => {
          store.publish(written)
          committed?.(value)
        },
      )
    },
  }
}
