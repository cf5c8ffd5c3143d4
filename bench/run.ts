/** Runs the named benches, or all of them, one after another, and writes RESULTS.md. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from './agents.ts'
import type { Bench } from './bench.ts'
import { build } from './build.ts'
import { fold } from './fold.ts'
import { inspector } from './inspector.ts'
import { describeMachine } from './machine.ts'
import { plan } from './plan.ts'
import { prompts } from './prompts.ts'
import { type Measured, section, writeResults } from './results.ts'
import { room } from './room.ts'
import { sandbox } from './sandbox.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { step } from './step.ts'
import { suiteRuns } from './suite.ts'
import { team } from './team.ts'
import { throughput } from './throughput.ts'
import { trust } from './trust.ts'
import { waiting } from './waiting.ts'

const benches: Record<string, Bench> = {
  step,
  throughput,
  start,
  fold,
  waiting,
  room,
  build,
  sandbox,
  plan,
  status,
  inspector,
  prompts,
  suite: suiteRuns,
  trust,
  agents,
  team,
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`there is no bench '${unknown.join("', '")}'. There are: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

const names = wanted.length > 0 ? Object.keys(benches).filter((name) => wanted.includes(name)) : Object.keys(benches)
const command = ['npm run bench', ...(wanted.length > 0 ? ['--', ...names] : [])].join(' ')
const circumstances = { command, date: new Date().toISOString().slice(0, 10), machine: describeMachine() }
const measured: Measured[] = []
for (const name of names) {
  console.error(`measuring ${name} …`)
  measured.push({ name, result: await inOwnFolder(benches[name]!), circumstances })
  console.log(`${section(measured.at(-1)!)}\n`)
  // After each, so that a bench that fails loses nothing of the others.
  writeResults(join(import.meta.dirname, 'RESULTS.md'), Object.keys(benches), measured)
}

for (const { name, result } of measured)
  for (const { measure, goal, found, met } of result.goals)
    console.log(`${met ? '✓' : '✗'} ${name}: ${measure}: ${found} (goal ${goal})`)

async function inOwnFolder(bench: Bench) {
  const folder = mkdtempSync(join(tmpdir(), 'convene-bench-'))
  try {
    return await bench(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
