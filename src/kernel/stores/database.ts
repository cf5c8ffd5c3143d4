/**
 * One SQLite file: WAL, every commit on disk before it is reported, and group commit, so that a thousand runs share one
 * fsync.
 */

import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ConveneError } from '../errors.ts'
import { keepPrivate, privateFolder } from '../private-files.ts'
import { asConveneError, closedError, corrupt, isFatal, notWritable } from './database-errors.ts'
import { type Salvaged, salvage, type Truncation } from './salvage.ts'
import { schemaVersion, tables } from './schema.ts'

interface QueuedWork {
  work: () => unknown
  committed: ((value: never) => void) | undefined
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

export interface DatabaseOptions {
  /** How long a write waits for another process that writes to the same file. Blocks the event loop. */
  busyTimeoutMs?: number
}

export class Database {
  readonly file: string
  /** Set if the file was truncated and its readable part was moved to a new file. */
  readonly salvaged: Salvaged | null
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #queue: QueuedWork[] = []
  #flushing: NodeJS.Immediate | null = null
  #state: 'open' | 'closing' | 'closed' = 'open'

  constructor(file: string, options: DatabaseOptions = {}) {
    this.file = file
    this.salvaged = prepareFile(file)
    this.#sqlite = open(file, options.busyTimeoutMs ?? 5000)
  }

  /** Returns a prepared statement from the cache. */
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

  /** Returns rows as arrays: reading a long log this way takes half the time of objects. */
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
   * Runs `work` inside the next transaction and resolves once that is on disk. Work queued in the same tick shares one
   * transaction; if one piece throws, the others still commit. `committed` runs before the promise resolves, in the
   * order of the work: publish there what must be published in order.
   */
  transact<Value>(work: () => Value, committed?: (value: Value) => void): Promise<Value> {
    if (this.#state !== 'open') return Promise.reject(closedError(this.file))
    return new Promise<Value>((resolve, reject) => {
      this.#queue.push({ work, committed, resolve, reject } as QueuedWork)
      this.#flushing ??= setImmediate(() => this.#flush())
    })
  }

  /** Commits queued work, then closes the file. */
  close(): void {
    if (this.#state !== 'open') return
    // Work that a listener queues during the last commit is rejected.
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
      this.#resolveAll(batch, outcome.values)
      return
    }
    if (batch.length === 1 || isFatal(outcome.error)) {
      const error = asConveneError(outcome.error, this.file)
      for (const queued of batch) queued.reject(error)
      return
    }
    for (const queued of batch) {
      const alone = this.#commit([queued])
      if (alone.ok) this.#resolveAll([queued], alone.values)
      else queued.reject(asConveneError(alone.error, this.file))
    }
  }

  #resolveAll(batch: QueuedWork[], values: unknown[]): void {
    for (let index = 0; index < batch.length; index++) {
      const queued = batch[index]!
      try {
        queued.committed?.(values[index] as never)
        queued.resolve(values[index] as never)
      } catch (error) {
        queued.reject(error)
      }
    }
  }

  #commit(batch: QueuedWork[]): { ok: true; values: unknown[] } | { ok: false; error: unknown } {
    try {
      this.prepare('BEGIN IMMEDIATE').run()
      const values = batch.map((queued) => queued.work())
      this.prepare('COMMIT').run()
      return { ok: true, values }
    } catch (error) {
      this.#rollBack()
      return { ok: false, error }
    }
  }

  #rollBack(): void {
    try {
      // SQLite has already rolled back after some errors, such as a full disk; a second rollback would then throw.
      if (this.#sqlite.isTransaction) this.prepare('ROLLBACK').run()
    } catch {
      // Report the original error.
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
    mkdirSync(dirname(file), privateFolder)
  } catch (error) {
    throw notWritable(dirname(file), error)
  }
  try {
    const truncation = findTruncation(file)
    return truncation && salvage(file, truncation)
  } catch (error) {
    throw asConveneError(error, file)
  }
}

function open(file: string, busyTimeoutMs: number): DatabaseSync {
  let sqlite: DatabaseSync | undefined
  try {
    keepPrivate(file)
    sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs })
    // Checkpoint at SQLite's default of 1,000 pages: a longer write-ahead log makes each commit twice as slow.
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
  // Write and roll back even if nothing changes: SQLite opens a read-only file without an error, which would surface
  // only at the first step of a run.
  sqlite.exec(`PRAGMA user_version = ${schemaVersion}`)
  sqlite.exec(version === schemaVersion ? 'ROLLBACK' : `${tables} COMMIT`)
}

/** The size in the header if the file is shorter than that, else null. */
function findTruncation(file: string): Truncation | null {
  if (!existsSync(file)) return null
  const { header, size } = readHeader(file)
  if (size === 0) {
    // SQLite would silently delete the write-ahead log and lose everything in it.
    if (sizeOf(`${file}-wal`) > 0) throw corrupt(file, 'it is empty, but its write-ahead log is not')
    return null
  }
  // SQLite would treat a file of a few bytes as an empty database and overwrite it.
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
    `${file} was written by a newer Convene (format ${version}; this version supports ${schemaVersion}). Update Convene.`,
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
