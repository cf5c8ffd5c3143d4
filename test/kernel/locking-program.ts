/** Holds the database's write lock for a time: `<file> <milliseconds>`. Says `locked` once it has it. */
import { DatabaseSync } from 'node:sqlite'

const [file, milliseconds] = process.argv.slice(2) as [string, string]
const database = new DatabaseSync(file, { timeout: 5000 })
database.exec('BEGIN IMMEDIATE')
console.log('locked')
setTimeout(() => {
  database.exec('ROLLBACK')
  database.close()
}, Number(milliseconds))
