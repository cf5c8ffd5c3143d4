/**
 * Holds the database's write lock for a time: `<file> <milliseconds> [make]`. Prints `locked` once it has it. With
 * `make` it is the first to open the database, and is still creating its tables.
 */
import { DatabaseSync } from 'node:sqlite'
import { schemaVersion, tables } from '../../src/kernel/stores/schema.ts'

const [file, milliseconds, make] = process.argv.slice(2) as [string, string, string?]
const database = new DatabaseSync(file, { timeout: 5000 })
database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
if (make) database.exec(`${tables} PRAGMA user_version = ${schemaVersion}`)
console.log('locked')
setTimeout(() => {
  database.exec('COMMIT')
  database.close()
}, Number(milliseconds))
