/** Moves what can still be read of a database that has lost its tail into a sound one. The damaged file is kept. */
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
  /** Where the damaged file is kept. */
  damagedFile: string
  /** The last `seq` that could still be read; what came after it is lost. */
  lastSeq: number
  parkedRuns: number
}

/** What the file's header says it should have. */
export interface Cut {
  pageSize: number
  pages: number
}

/**
 * `file` is shorter than it should be. Null where its write-ahead log holds the rest, so that nothing is lost. Throws
 * SQLite's own error where not even the list of tables can be read: then there is nothing to save.
 */
export function salvage(file: string, cut: Cut): Salvaged | null {
  const soundFile = `${file}.salvaged`
  const copy = `${file}.salvaging`
  try {
    if (!makeReadableCopy(file, copy, cut)) return null
    const found = moveReadable(copy, soundFile)
    return { damagedFile: replace(file, soundFile), ...found }
  } finally {
    remove(copy)
    remove(soundFile)
  }
}

/**
 * SQLite reads nothing at all from a file that is too short; filled up with zeros, it only stops at what is missing.
 * False where the write-ahead log has filled every gap.
 */
function makeReadableCopy(file: string, copy: string, { pageSize, pages }: Cut): boolean {
  remove(copy)
  copyFileSync(file, copy)
  const whole = Math.floor(statSync(copy).size / pageSize)
  // Half a page would be read as a page with empty rows.
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

function moveReadable(copy: string, soundFile: string): Omit<Salvaged, 'damagedFile'> {
  remove(soundFile)
  const damaged = new DatabaseSync(copy)
  const sound = new DatabaseSync(soundFile)
  try {
    damaged.prepare('SELECT count(*) FROM sqlite_schema').get()
    sound.exec(`BEGIN; ${tables} PRAGMA user_version = ${schemaVersion}`)
    for (const table of tableNames) copyReadableRows(damaged, sound, table)
    dropWhatHangsOnLostRuns(sound)
    const lastSeq = Number(sound.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.seq)
    const parkedRuns = parkRunningRuns(sound)
    sound.exec('COMMIT')
    return { lastSeq, parkedRuns }
  } finally {
    damaged.close()
    sound.close()
  }
}

function copyReadableRows(damaged: DatabaseSync, sound: DatabaseSync, table: string): void {
  const columns = sound
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name))
  const insert = sound.prepare(
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

/** No such row was ever written: it is made of what was left of others. */
function isConstraintFailure(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 19
}

const jsonColumns = ['data', 'input', 'output', 'value']

/** The end of a long row can lie in a lost page of its own: it is then read as zeros. */
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
    // The missing pages begin here. What was read before them is kept.
  }
}

/**
 * A run's row can be lost while its steps are not. The next run gets the lost one's number, and would take those steps for
 * its own. A kept run that waits for a lost child would wait for ever: it goes back to before it started that child.
 */
function dropWhatHangsOnLostRuns(sound: DatabaseSync): void {
  const orphans = sound.prepare('DELETE FROM runs WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM runs)')
  while (Number(orphans.run().changes) > 0);
  sound.exec(`
    DELETE FROM steps WHERE run NOT IN (SELECT number FROM runs);
    DELETE FROM signals WHERE run NOT IN (SELECT id FROM runs);
    DELETE FROM claims WHERE holder NOT IN (SELECT id FROM runs);
  `)
  const cuts = sound
    .prepare(
      `SELECT steps.run AS run, min(steps.position) AS position FROM steps JOIN runs ON runs.number = steps.run
       WHERE runs.status IN ('running', 'needs-attention') AND steps.kind = 'child' AND steps.state = 'done'
         AND json_extract(steps.value, '$') NOT IN (SELECT id FROM runs)
       GROUP BY steps.run`,
    )
    .all()
  const cut = sound.prepare('DELETE FROM steps WHERE run = ? AND position >= ?')
  for (const { run, position } of cuts) cut.run(run!, position!)
}

const parkedReason = 'the database had lost its tail; the last steps of this run may be missing'

/** Steps may be among what was lost: a run that went on would do finished work again. A person decides. */
function parkRunningRuns(sound: DatabaseSync): number {
  const runs = sound.prepare(`SELECT id FROM runs WHERE status = 'running' ORDER BY number`).all()
  sound.prepare(`UPDATE runs SET status = 'needs-attention', reason = ? WHERE status = 'running'`).run(parkedReason)
  const insert = sound.prepare(
    'INSERT INTO events (id, ts, type, version, stream, run, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  for (const { id } of runs) {
    const run = String(id)
    const { type, version, stream, data } = runParked.create({ stream: runStream(run), run }, { reason: parkedReason })
    insert.run(randomUUID(), new Date().toISOString(), type, version, stream, run, JSON.stringify(data))
  }
  return runs.length
}

/** Killed at any moment in here, there is a database under the file's own name. */
function replace(file: string, soundFile: string): string {
  const damagedFile = freeName(`${file}.damaged`)
  keepAs(damagedFile, file)
  // A write-ahead log left beside the sound file would be taken for its own.
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, damagedFile + suffix)
  renameSync(soundFile, file)
  return damagedFile
}

function keepAs(name: string, file: string): void {
  try {
    linkSync(file, name)
  } catch {
    // Not every file system has links.
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
