/** A worker in a process of its own: executes chains whose steps write to a file when they begin and end. */
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { chainOf } from './chain.ts'

const [url, project, file, capacity] = process.argv.slice(2) as [string, string, string, string]

const database = await PostgresDatabase.open({ url, project, worker: { capacity: Number(capacity) } })
const store = new PostgresStore(database)
const engine = new PostgresEngine({ database, store, capacity: Number(capacity) })
database.onFenced(() => process.exit(1))
engine.register(
  chainOf(async (run, step, stepMs) => {
    const execution = { worker: database.worker, at: performance.timeOrigin + performance.now() }
    const line = (event: 'begin' | 'end') => `${JSON.stringify({ event, run, step, ...execution })}\n`
    appendFileSync(file, line('begin'))
    await pause(stepMs)
    appendFileSync(file, line('end'))
    return execution
  }),
)
await engine.recover()
process.send!({ worker: database.worker })
