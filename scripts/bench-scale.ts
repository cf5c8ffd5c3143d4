/**
 * `npm run bench:scale`: measures the constants of the capacity model, compares the model with its simulation, and rewrites the
 * figures in docs/scale.md. `-- --tables` measures nothing; `-- --try` measures a little and keeps nothing of it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Constants } from '../bench/scale/model.ts'
import { scaleTables, withTables } from '../bench/scale/tables.ts'
import { runTool } from './command.ts'

const page = 'docs/scale.md'
const given = process.argv.slice(2)
const code = given.includes('--tables')
  ? 0
  : await runTool(process.execPath, [...process.execArgv, '--expose-gc', 'bench/scale/measure.ts', ...given])
if (code === 0) {
  const tables = scaleTables(JSON.parse(readFileSync('bench/scale/constants.json', 'utf8')) as Constants)
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables))
  for (const one of tables.disagreements) console.error(`the simulation disagrees: ${one}`)
  process.exitCode = tables.disagreements.length > 0 ? 1 : 0
} else process.exitCode = code
