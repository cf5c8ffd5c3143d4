/** Moves what can still be read of a database that has lost its tail into a sound one. The damaged file is kept. */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { runParked, runStream } from './run-events.ts'
import { schemaVersion, tableNames, tables } from './schema.ts'

export interface Salvaged {
  /** Where the damaged file is kept. */
  damagedFile: string
  /** The last `seq` that could still be read; what came after it is lost. */
  lastSeq: number
  parkedRuns: number
}

const parkedReason = 'the database had lost its tail; the last steps of this run may be missing'

/** Throws SQLite's own error where not even the list of tables can be read: then there is nothing to save. */
export function salvage(file: string): Salvaged {
  const soundFile = `${file}.salvage`
  for (const suffix of ['', '-journal']) rmSync(soundFile + suffix, { force: true })
  const damaged = new DatabaseSync(file)
  const sound = new DatabaseSync(soundFile)
  try {
    damaged.prepare('SELECT count(*) FROM sqlite_schema').get()
    sound.exec(`BEGIN; ${tables} PRAGMA user_version = ${schemaVersion}`)
    for (const table of tableNames) copyReadableRows(damaged, sound, table)
    const lastSeq = Number(sound.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.seq)
    const parkedRuns = parkRunningRuns(sound)
    sound.exec('COMMIT')
    damaged.close()
    sound.close()
    return { damagedFile: replace(file, soundFile), lastSeq, parkedRuns }
  } finally {
    if (damaged.isOpen) damaged.close()
    if (sound.isOpen) sound.close()
    rmSync(soundFile, { force: true })
  }
}

function copyReadableRows(damaged: DatabaseSync, sound: DatabaseSync, table: string): void {
  const columns = sound
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name))
  const insert = sound.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of readableRows(damaged, `SELECT ${columns.join(', ')} FROM ${table}`)) {
    insert.run(...columns.map((column) => row[column] ?? null))
  }
}

function* readableRows(damaged: DatabaseSync, sql: string) {
  try {
    yield* damaged.prepare(sql).iterate()
  } catch {
    // The missing pages begin here. What was read before them is kept.
  }
}

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
