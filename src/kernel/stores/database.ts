/**
 * One SQLite file, opened for good: WAL, every commit on disk before anyone hears of it, and group commit, so that a
 * thousand runs share one fsync.
 */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ConveneError } from '../errors.ts'
import { asConveneError, closedError, corrupt, isFatal, notWritable } from './database-errors.ts'
import { type Cut, type Salvaged, salvage } from './salvage.ts'
import { schemaVersion, tables } from './schema.ts'

interface Pending {
  work: () => unknown
  committed: ((value: never) => void) | undefined
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

export interface DatabaseOptions {
  /** How long a write waits while another process writes to the same file. The event loop stands still meanwhile. */
  busyTimeoutMs?: number
}

export class Database {
  readonly file: string
  /** Set where the file had lost its tail and what could be read was moved to a sound one. */
  readonly salvaged: Salvaged | null
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #queue: Pending[] = []
  #flushing: NodeJS.Immediate | null = null
  #state: 'open' | 'closing' | 'closed' = 'open'

  constructor(file: string, options: DatabaseOptions = {}) {
    this.file = file
    this.salvaged = prepareFile(file)
    this.#sqlite = open(file, options.busyTimeoutMs ?? 5000)
  }

  /** A statement, prepared once. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#sqlite.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.prepare(sql).all(...values) as Row[])
  }

  /** Rows as lists of their columns: reading a long log this way takes half the time that objects take. */
  rows<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => {
      const key = `rows ${sql}`
      let statement = this.#statements.get(key)
      if (!statement) {
        statement = this.#sqlite.prepare(sql)
        statement.setReturnArrays(true)
        this.#statements.set(key, statement)
      }
      return statement.all(...values) as unknown as Row[]
    })
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.prepare(sql).get(...values) as Row | undefined)
  }

  /**
   * Runs `work` inside the next transaction and resolves once that is on disk. Work of the same turn of the event loop
   * shares one transaction; where one piece of it throws, the others are done without it. `committed` is called first,
   * in the order of the work: what must be told in order is told there.
   */
  transact<Value>(work: () => Value, committed?: (value: Value) => void): Promise<Value> {
    if (this.#state !== 'open') return Promise.reject(closedError(this.file))
    return new Promise<Value>((resolve, reject) => {
      this.#queue.push({ work, committed, resolve, reject } as Pending)
      this.#flushing ??= setImmediate(() => this.#flush())
    })
  }

  /** Commits what is waiting, then lets go of the file. */
  close(): void {
    if (this.#state !== 'open') return
    // What a listener asks for while it is told of the last commit can no longer be kept.
    this.#state = 'closing'
    if (this.#flushing) {
      clearImmediate(this.#flushing)
      this.#flush()
    }
    this.#state = 'closed'
    this.#statements.clear()
    this.#sqlite.close()
  }

  #flush(): void {
    const batch = this.#queue
    this.#queue = []
    this.#flushing = null
    const outcome = this.#commit(batch)
    if (outcome.ok) {
      this.#tell(batch, outcome.values)
      return
    }
    if (batch.length === 1 || isFatal(outcome.error)) {
      const error = asConveneError(outcome.error, this.file)
      for (const pending of batch) pending.reject(error)
      return
    }
    for (const pending of batch) {
      const alone = this.#commit([pending])
      if (alone.ok) this.#tell([pending], alone.values)
      else pending.reject(asConveneError(alone.error, this.file))
    }
  }

  #tell(batch: Pending[], values: unknown[]): void {
    for (let index = 0; index < batch.length; index++) {
      const pending = batch[index]!
      try {
        pending.committed?.(values[index] as never)
        pending.resolve(values[index] as never)
      } catch (error) {
        pending.reject(error)
      }
    }
  }

  #commit(batch: Pending[]): { ok: true; values: unknown[] } | { ok: false; error: unknown } {
    try {
      this.prepare('BEGIN IMMEDIATE').run()
      const values = batch.map((pending) => pending.work())
      this.prepare('COMMIT').run()
      return { ok: true, values }
    } catch (error) {
      this.#rollBack()
      return { ok: false, error }
    }
  }

  #rollBack(): void {
    try {
      // SQLite has already rolled back after some errors (a full disk among them); a second rollback then complains.
      if (this.#sqlite.isTransaction) this.prepare('ROLLBACK').run()
    } catch {
      // The error that led here is the one to tell of.
    }
  }

  #guard<Value>(read: () => Value): Value {
    if (this.#state === 'closed') throw closedError(this.file)
    try {
      return read()
    } catch (error) {
      throw asConveneError(error, this.file)
    }
  }
}

function prepareFile(file: string): Salvaged | null {
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw notWritable(dirname(file), error)
  }
  try {
    const cut = lookForCut(file)
    return cut && salvage(file, cut)
  } catch (error) {
    throw asConveneError(error, file)
  }
}

function open(file: string, busyTimeoutMs: number): DatabaseSync {
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs })
    // The write-ahead log is moved over at SQLite's usual 1,000 pages: while it grows, each commit takes twice as long.
    sqlite.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA foreign_keys = OFF',
    )
    migrate(sqlite, file)
    return sqlite
  } catch (error) {
    sqlite?.close()
    throw asConveneError(error, file)
  }
}

function migrate(sqlite: DatabaseSync, file: string): void {
  sqlite.exec('BEGIN IMMEDIATE')
  const { user_version: version } = sqlite.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > schemaVersion) throw tooNew(file, version)
  // Written even where it is the same, and then taken back: SQLite opens a file that cannot be written to without a
  // word, and would tell us at the first step of a run.
  sqlite.exec(`PRAGMA user_version = ${schemaVersion}`)
  sqlite.exec(version === schemaVersion ? 'ROLLBACK' : `${tables} COMMIT`)
}

/** What the header says where the file is shorter than that, else null. */
function lookForCut(file: string): Cut | null {
  if (!existsSync(file)) return null
  const { header, size } = readHeader(file)
  if (size === 0) {
    // SQLite would delete the log without a word: all that it holds would be lost.
    if (sizeOf(`${file}-wal`) > 0) throw corrupt(file, 'it is empty, but its write-ahead log is not')
    return null
  }
  // SQLite takes a file of a few bytes for an empty database and writes over it.
  if (header.length < 100 || header.toString('latin1', 0, 15) !== 'SQLite format 3')
    throw corrupt(file, 'it is not a database')
  if (header.readUInt32BE(60) > schemaVersion) throw tooNew(file, header.readUInt32BE(60))
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  return size < pages * pageSize ? { pageSize, pages } : null
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function tooNew(file: string, version: number): ConveneError {
  return new ConveneError(
    'database_too_new',
    `${file} was written by a newer Convene (format ${version}; this one knows ${schemaVersion}). Update Convene.`,
  )
}

function readHeader(file: string): { header: Buffer; size: number } {
  const buffer = Buffer.alloc(100)
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    throw notWritable(file, error)
  }
  try {
    const { size } = fstatSync(descriptor)
    return { header: buffer.subarray(0, readSync(descriptor, buffer, 0, 100, 0)), size }
  } catch (error) {
    throw corrupt(file, (error as Error).message, error)
  } finally {
    closeSync(descriptor)
  }
}
