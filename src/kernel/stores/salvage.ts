/** Recovers the readable part of a truncated database into a new one. Keeps the damaged file. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { runParked, runStream } from '../run-events.ts'
import { schemaVersion, tableNames, tables } from './schema.ts'

export interface Salvaged {
  /** Where the damaged file is. */
  damagedFile: string
  /** The last `seq` that was recovered; later events are lost. */
  lastSeq: number
  parkedRuns: number
}

/** The size according to the file's header. */
export interface Truncation {
  pageSize: number
  pages: number
}

/**
 * Recovers a `file` that is shorter than its header says. Returns null if its write-ahead log holds the rest, so that
 * nothing is lost. Throws SQLite's own error if not even the list of tables can be read: nothing can be recovered then.
 */
export function salvage(file: string, truncation: Truncation): Salvaged | null {
  const newFile = `${file}.salvaged`
  const copy = `${file}.salvaging`
  try {
    if (!makeReadableCopy(file, copy, truncation)) return null
    const found = recoverRows(copy, newFile)
    return { damagedFile: replace(file, newFile), ...found }
  } finally {
    remove(copy)
    remove(newFile)
  }
}

/**
 * SQLite refuses to read a file that is too short. Padded with zeros, it reads up to the missing part. Returns false if
 * the write-ahead log filled every gap.
 */
function makeReadableCopy(file: string, copy: string, { pageSize, pages }: Truncation): boolean {
  remove(copy)
  copyFileSync(file, copy)
  const whole = Math.floor(statSync(copy).size / pageSize)
  // SQLite would read half a page as a page with empty rows.
  truncateSync(copy, whole * pageSize)
  truncateSync(copy, pages * pageSize)
  if (!existsSync(`${file}-wal`)) return true
  copyFileSync(`${file}-wal`, `${copy}-wal`)
  const merging = new DatabaseSync(copy)
  try {
    merging.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  } finally {
    merging.close()
  }
  return hasEmptyPage(copy, whole, pages, pageSize)
}

function hasEmptyPage(file: string, from: number, to: number, pageSize: number): boolean {
  const empty = Buffer.alloc(pageSize)
  const page = Buffer.alloc(pageSize)
  const descriptor = openSync(file, 'r')
  try {
    for (let number = from; number < to; number++) {
      readSync(descriptor, page, 0, pageSize, number * pageSize)
      if (page.equals(empty)) return true
    }
    return false
  } finally {
    closeSync(descriptor)
  }
}

function recoverRows(copy: string, newFile: string): Omit<Salvaged, 'damagedFile'> {
  remove(newFile)
  const damaged = new DatabaseSync(copy)
  const recovered = new DatabaseSync(newFile)
  try {
    damaged.prepare('SELECT count(*) FROM sqlite_schema').get()
    recovered.exec(`BEGIN; ${tables} PRAGMA user_version = ${schemaVersion}`)
    for (const table of tableNames) copyReadableRows(damaged, recovered, table)
    dropOrphans(recovered)
    const lastSeq = Number(recovered.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.seq)
    const parkedRuns = parkRunningRuns(recovered)
    recovered.exec('COMMIT')
    return { lastSeq, parkedRuns }
  } finally {
    damaged.close()
    recovered.close()
  }
}

function copyReadableRows(damaged: DatabaseSync, recovered: DatabaseSync, table: string): void {
  const columns = recovered
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name))
  const insert = recovered.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of readableRows(damaged, `SELECT ${columns.join(', ')} FROM ${table}`)) {
    if (!Object.entries(row).every(([column, value]) => isWhole(column, value))) return
    try {
      insert.run(...columns.map((column) => row[column] ?? null))
    } catch (error) {
      if (isConstraintFailure(error)) return
      throw error
    }
  }
}

/** Such a row was never written: it is assembled from the remains of others. */
function isConstraintFailure(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 19
}

const jsonColumns = ['data', 'input', 'output', 'value']

/** The end of a long row may be on a lost overflow page and reads as zeros. */
function isWhole(column: string, value: unknown): boolean {
  if (typeof value !== 'string') return true
  if (value.includes('\0')) return false
  try {
    if (jsonColumns.includes(column)) JSON.parse(value)
    return true
  } catch {
    return false
  }
}

function* readableRows(damaged: DatabaseSync, sql: string) {
  try {
    yield* damaged.prepare(sql).iterate()
  } catch {
    // The missing pages begin here. Keep the rows read so far.
  }
}

/**
 * A run's row can be lost while its steps are not. The next run would reuse the lost one's number and its steps.
 * A recovered run that waits for a lost child would wait forever: rewind it to before it started that child.
 */
function dropOrphans(recovered: DatabaseSync): void {
  const orphans = recovered.prepare('DELETE FROM runs WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM runs)')
  while (Number(orphans.run().changes) > 0);
  recovered.exec(`
    DELETE FROM steps WHERE run NOT IN (SELECT number FROM runs);
    DELETE FROM signals WHERE run NOT IN (SELECT id FROM runs);
    DELETE FROM claims WHERE holder NOT IN (SELECT id FROM runs);
  `)
  const rewinds = recovered
    .prepare(
      `SELECT steps.run AS run, min(steps.position) AS position FROM steps JOIN runs ON runs.number = steps.run
       WHERE runs.status IN ('running', 'needs-attention') AND steps.kind = 'child' AND steps.state = 'done'
         AND json_extract(steps.value, '$') NOT IN (SELECT id FROM runs)
       GROUP BY steps.run`,
    )
    .all()
  const rewind = recovered.prepare('DELETE FROM steps WHERE run = ? AND position >= ?')
  for (const { run, position } of rewinds) rewind.run(run!, position!)
}

const parkedReason = 'database truncated: the last steps of this run may be missing'

/** Parks recovered runs: lost steps would make them repeat finished work, so a person decides. */
function parkRunningRuns(recovered: DatabaseSync): number {
  const runs = recovered.prepare(`SELECT id FROM runs WHERE status = 'running' ORDER BY number`).all()
  recovered.prepare(`UPDATE runs SET status = 'needs-attention', reason = ? WHERE status = 'running'`).run(parkedReason)
  const insert = recovered.prepare(
    'INSERT INTO events (id, ts, type, version, stream, run, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  for (const { id } of runs) {
    const run = String(id)
    const { type, version, stream, data } = runParked.create({ stream: runStream(run), run }, { reason: parkedReason })
    insert.run(randomUUID(), new Date().toISOString(), type, version, stream, run, JSON.stringify(data))
  }
  return runs.length
}

/** A crash at any point leaves a database under the file's own name. */
function replace(file: string, newFile: string): string {
  const damagedFile = freeName(`${file}.damaged`)
  moveTo(damagedFile, file)
  // SQLite would apply a leftover write-ahead log to the new file.
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, damagedFile + suffix)
  renameSync(newFile, file)
  return damagedFile
}

function moveTo(name: string, file: string): void {
  try {
    linkSync(file, name)
  } catch {
    // Not every file system supports hard links.
    renameSync(file, name)
  }
}

function freeName(wanted: string): string {
  let name = wanted
  for (let number = 2; existsSync(name); number++) name = `${wanted}-${number}`
  return name
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
