/**
 * One SQLite file, opened for good: WAL, every commit on disk before anyone hears of it, and group commit, so that a
 * thousand runs share one fsync.
 */
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ConveneError } from './errors.ts'
import { salvage } from './salvage.ts'
import { schemaVersion, tables } from './schema.ts'

interface Pending {
  work: () => unknown
  committed: ((value: never) => void) | undefined
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

export class Database {
  readonly file: string
  /** Set where the file had lost its tail and what could be read was moved to a sound one. */
  readonly salvaged: { damagedFile: string } | null
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #queue: Pending[] = []
  #flushing: NodeJS.Immediate | null = null
  #closed = false

  constructor(file: string) {
    this.file = file
    this.salvaged = prepareFile(file)
    this.#sqlite = open(file)
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

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.prepare(sql).get(...values) as Row | undefined)
  }

  /**
   * Runs `work` inside the next transaction and resolves once that is on disk. Work of the same turn of the event loop
   * shares one transaction; where one piece of it throws, the others are done without it. `committed` is called first,
   * in the order of the work: what must be told in order is told there.
   */
  transact<Value>(work: () => Value, committed?: (value: Value) => void): Promise<Value> {
    if (this.#closed) return Promise.reject(new ConveneError('closed', `${this.file} is closed`, { status: 503 }))
    return new Promise<Value>((resolve, reject) => {
      this.#queue.push({ work, committed, resolve, reject } as Pending)
      this.#flushing ??= setImmediate(() => this.#flush())
    })
  }

  /** Commits what is waiting, then lets go of the file. */
  close(): void {
    if (this.#closed) return
    if (this.#flushing) {
      clearImmediate(this.#flushing)
      this.#flush()
    }
    this.#closed = true
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
      pending.committed?.(values[index] as never)
      pending.resolve(values[index] as never)
    }
  }

  #commit(batch: Pending[]): { ok: true; values: unknown[] } | { ok: false; error: unknown } {
    try {
      this.prepare('BEGIN IMMEDIATE').run()
      const values = batch.map((pending) => pending.work())
      this.prepare('COMMIT').run()
      return { ok: true, values }
    } catch (error) {
      // SQLite has already rolled back after some errors (a full disk among them); a second rollback then complains.
      if (this.#sqlite.isTransaction) this.prepare('ROLLBACK').run()
      return { ok: false, error }
    }
  }

  #guard<Value>(read: () => Value): Value {
    try {
      return read()
    } catch (error) {
      throw asConveneError(error, this.file)
    }
  }
}

function prepareFile(file: string): { damagedFile: string } | null {
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw notWritable(dirname(file), error)
  }
  return hasLostItsTail(file) ? salvage(file) : null
}

function open(file: string): DatabaseSync {
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(file, { timeout: 5000 })
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF')
    migrate(sqlite, file)
    return sqlite
  } catch (error) {
    sqlite?.close()
    throw asConveneError(error, file)
  }
}

function migrate(sqlite: DatabaseSync, file: string): void {
  const { user_version: version } = sqlite.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > schemaVersion) {
    throw new ConveneError(
      'database_too_new',
      `${file} was written by a newer Convene (format ${version}; this one knows ${schemaVersion}). Update Convene.`,
    )
  }
  if (version === schemaVersion) {
    // Says at once, not at the first write, that the folder cannot be written to.
    sqlite.exec('BEGIN IMMEDIATE; ROLLBACK')
    return
  }
  sqlite.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${schemaVersion}; COMMIT`)
}

/** Whether the file is shorter than its own header says. The write-ahead log may hold the rest, so this is confirmed. */
function hasLostItsTail(file: string): boolean {
  if (!existsSync(file)) return false
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, header, 0, 100, 0)
  closeSync(descriptor)
  if (length < 100 || header.toString('latin1', 0, 15) !== 'SQLite format 3') return false
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  if (statSync(file).size >= header.readUInt32BE(28) * pageSize) return false
  const sqlite = new DatabaseSync(file)
  try {
    const rows = sqlite.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
    return rows[0]?.quick_check !== 'ok'
  } catch {
    return true
  } finally {
    sqlite.close()
  }
}

const fatalCodes = { readonly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

function primaryCode(error: unknown): number {
  const code = (error as { errcode?: number }).errcode
  return typeof code === 'number' ? code & 0xff : 0
}

function isFatal(error: unknown): boolean {
  return Object.values(fatalCodes).includes(primaryCode(error))
}

function asConveneError(error: unknown, file: string): unknown {
  const details = { cause: error, status: 500 }
  switch (primaryCode(error)) {
    case fatalCodes.full:
      return new ConveneError(
        'disk_full',
        `the disk is full: nothing more can be written to ${file}. Free some space, then start again; what was finished is kept.`,
        details,
      )
    case fatalCodes.ioError:
      return new ConveneError(
        'disk_error',
        `writing to ${file} failed (${(error as Error).message}). Check the disk and its free space, then start again; what was finished is kept.`,
        details,
      )
    case fatalCodes.readonly:
    case fatalCodes.cannotOpen:
      return notWritable(file, error)
    case fatalCodes.corrupt:
    case fatalCodes.notADatabase:
      return new ConveneError(
        'database_corrupt',
        `${file} is damaged (${(error as Error).message}). Move it away and start again: finished work is read back from git. Keep the damaged file if you want to have it examined.`,
        details,
      )
    default:
      return error
  }
}

function notWritable(path: string, cause: unknown): ConveneError {
  return new ConveneError(
    'not_writable',
    `cannot write to ${path}. Give this user write permission there, or work in another folder.`,
    { cause, status: 500 },
  )
}
