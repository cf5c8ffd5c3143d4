/** Moves what can still be read of a database that has lost its tail into a sound one. The damaged file is kept. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { schemaVersion, tableNames, tables } from './schema.ts'

export function salvage(file: string): { damagedFile: string } {
  const soundFile = `${file}.salvage`
  rmSync(soundFile, { force: true })
  const damaged = new DatabaseSync(file)
  const sound = new DatabaseSync(soundFile)
  sound.exec(`BEGIN; ${tables} PRAGMA user_version = ${schemaVersion}`)
  for (const table of tableNames) copyReadableRows(damaged, sound, table)
  // Steps may be among what was lost: a run that went on would do finished work again. A person decides.
  sound.exec(`UPDATE runs SET status = 'needs-attention',
    reason = 'the database had lost its tail; the last steps of this run may be missing' WHERE status = 'running'; COMMIT`)
  damaged.close()
  sound.close()
  const damagedFile = freeName(`${file}.damaged`)
  renameSync(file, damagedFile)
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, damagedFile + suffix)
  renameSync(soundFile, file)
  return { damagedFile }
}

function copyReadableRows(damaged: DatabaseSync, sound: DatabaseSync, table: string): void {
  const columns = sound
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name))
  const insert = sound.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  try {
    for (const row of damaged.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).iterate()) {
      insert.run(...columns.map((column) => row[column] ?? null))
    }
  } catch {
    // The missing pages begin here. What was read before them is kept.
  }
}

function freeName(wanted: string): string {
  let name = wanted
  for (let number = 2; existsSync(name); number++) name = `${wanted}-${number}`
  return name
}
