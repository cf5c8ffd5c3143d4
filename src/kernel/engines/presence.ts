/** Reports that this process is alive, and declares processes dead that were silent for too long. */
import { isTakenForDead, silenceMs } from '../../rules/team/silent-worker.ts'
import type { PostgresDatabase } from '../stores/postgres-database.ts'
import type { PostgresTransaction } from '../stores/postgres-transaction.ts'
import type { Task } from '../stores/task.ts'

export interface PresenceOptions {
  /** How many runs this process is at work on. */
  busy(): number
  /** Called in the transaction in which processes are declared dead. */
  buried(workers: number[]): Task<void>
  /** Called after every look at the others. */
  looked(): Promise<void>
}

const pulseMs = 500

export class Presence {
  readonly #database: PostgresDatabase
  readonly #options: PresenceOptions
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #looking: Promise<void> | undefined
  #closed = false
  /** Since when every pulse was answered. */
  #unbrokenSince = performance.now()
  /** When the last pulse that was answered began: until some time after it nobody can have taken over. */
  #confirmedAt = performance.now()
  #waiting: (() => void)[] = []

  constructor(database: PostgresDatabase, options: PresenceOptions) {
    this.#database = database
    this.#options = options
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#beating
    await this.#looking
  }

  /** Undefined while this process cannot have been declared dead; else resolves with its next sign of life, if there is one. */
  permission(): Promise<void> | undefined {
    if (performance.now() - this.#confirmedAt < silenceMs) return undefined
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #schedule(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat().then(() => this.#schedule())
    }, pulseMs)
  }

  async #beat(): Promise<void> {
    const began = performance.now()
    // A process that stood still has no say about who else was silent.
    if (began - this.#confirmedAt > pulseMs * 4) this.#unbrokenSince = began
    try {
      const alive = `UPDATE ${this.#database.table('workers')} SET seen = clock_timestamp(), busy = $2
        WHERE number = $1 AND NOT dead`
      if ((await this.#database.change(alive, [this.#database.worker, this.#options.busy()])) === 0) {
        this.#database.fence()
        this.#closed = true
        return
      }
      this.#confirmedAt = began
      for (const resolve of this.#waiting.splice(0)) resolve()
      await this.#buryTheSilent()
      // Not awaited: however long it takes, the next sign of life must not be late.
      this.#looking ??= this.#options
        .looked()
        .catch(() => {})
        .finally(() => {
          this.#looking = undefined
        })
    } catch {
      this.#unbrokenSince = performance.now()
    }
  }

  async #buryTheSilent(): Promise<void> {
    const sql = `SELECT number, extract(epoch FROM clock_timestamp() - seen) * 1000 AS silent
      FROM ${this.#database.table('workers')} WHERE project = $1 AND NOT dead AND number <> $2`
    const others = await this.#database.query<{ number: number; silent: string }>(sql, [
      this.#database.project,
      this.#database.worker,
    ])
    const watched = performance.now() - this.#unbrokenSince
    const silent = others.filter(({ silent }) => isTakenForDead({ silentMs: Number(silent), watchedMs: watched }))
    if (silent.length === 0) return
    await this.#database.transact(() => this.#bury(silent.map(({ number }) => number)))
  }

  /** Asks again under the lock: a late sign of life counts. */
  *#bury(numbers: number[]): Task<void> {
    const workers = this.#database.table('workers')
    const sql = `UPDATE ${workers} SET dead = true
      WHERE number = ANY($1::bigint[]) AND NOT dead AND seen < clock_timestamp() - make_interval(secs => $2)
      RETURNING number`
    const buried: { number: number }[] = yield (transaction: PostgresTransaction) =>
      transaction.query(sql, [numbers, silenceMs / 1000])
    if (buried.length > 0) yield* this.#options.buried(buried.map(({ number }) => number))
  }
}
