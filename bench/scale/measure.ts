/**
 * Measures what rounds and builds cost a worker and its Postgres, and writes constants.json: `npm run bench:scale`, on a
 * machine that does nothing else.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type App, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { roomCreated, roomsStream } from '../../src/room/events.ts'
import { startPostgres } from '../../test/team/start-postgres.ts'
import { layProject } from '../build-project.ts'
import { describeMachine } from '../machine.ts'
import type { Constants, Cost } from './model.ts'

/** `--try` goes through everything once and keeps nothing. */
const isTry = process.argv.includes('--try')
const levels = [1, 4, 16]
const roundsPerLevel = isTry ? 16 : 160
/** Other work on the machine only slows down: the best of several passes is closest to the truth. */
const passes = isTry ? 1 : 4
const nodes = 4
const manyRooms = isTry ? 1000 : 20_000

// The disk counts: the tests' own Postgres does not sync.
const postgres = await startPostgres(['fsync=on'])
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()
const folder = mkdtempSync(join(tmpdir(), 'convene-scale-'))
const env = { CONVENE_DATABASE_URL: postgres.url, CONVENE_TRUST: '1', PATH: process.env.PATH, HOME: process.env.HOME }
let app: App | undefined
let idleReadsPerSecond = 0
const settleMs = 1500
try {
  app = await createApp(loadConfig({ folder: talkProject(), env }), env)
  const idle = await idleLoad()
  const read_ms = await readLatency()
  const seen: Cost[] = []
  for (let pass = 0; pass < passes; pass++)
    for (const atOnce of levels) seen.push(await costOf(atOnce, roundsPerLevel, round(app)))
  const rounds = levels.map((level) =>
    seen
      .filter(({ at_once }) => at_once === level)
      .reduce((best, one) => (one.per_second > best.per_second ? one : best)),
  )
  const connections = await connectionsOfApp()
  await app.close()
  const opening = await costOfOpening(join(folder, 'talk'))
  const project = join(folder, 'build/project')
  mkdirSync(project, { recursive: true })
  const shape = { children: [nodes - 1, 0] as [number, number], agentMilliseconds: 0, testMilliseconds: 0, files: 100 }
  const spec = layProject(project, shape)
  app = await createApp(loadConfig({ folder: project, env }), env)
  const build = await costOf(1, 1, async () => {
    const { id } = await app!.builds.start({ spec, strategy: 'graph' })
    const result = await app!.engine.result<{ status: string }>(id)
    if (result.status !== 'done') throw new Error(`the build did not end: ${JSON.stringify(result)}`)
  })
  const constants: Constants = {
    machine: describeMachine(),
    measured: new Date().toISOString().slice(0, 10),
    idle,
    connections,
    read_ms,
    rounds,
    build: perNode(build),
    opening,
  }
  if (!isTry) writeFileSync(new URL('constants.json', import.meta.url), `${JSON.stringify(constants, null, 2)}\n`)
  console.log(JSON.stringify(constants, null, 2))
} finally {
  await app?.close().catch(() => {})
  await client.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function talkProject(): string {
  const script = [
    { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'all', confidence: 0.9, covers: ['all'] } },
    { when: { ask: 'answer' }, repeat: true, text: 'An answer of about the length that people get. '.repeat(20) },
  ]
  const agents = Object.fromEntries(
    ['gpt', 'claude'].map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }]),
  )
  const room = { calls_per_minute: 100_000 }
  mkdirSync(join(folder, 'talk'))
  writeFileSync(join(folder, 'talk/convene.yaml'), JSON.stringify({ agents, room, project: 'talk' }))
  writeFileSync(join(folder, 'talk/script.yaml'), JSON.stringify(script))
  return join(folder, 'talk')
}

/** A coordinated round: two proposals, a decision, the answers. Every round has a room of its own, so that windows stay short. */
function round({ rooms, engine }: App): () => Promise<void> {
  return async () => {
    const { id } = await rooms.create({})
    const { run } = await rooms.post(id, { text: 'Which queue should the orders go through?' })
    await engine.result(run)
  }
}

async function costOf(atOnce: number, count: number, work: () => Promise<void>): Promise<Cost> {
  if (count > 1) for (let warm = 0; warm < 8; warm++) await work()
  const before = await counters()
  const cpu = process.cpuUsage()
  const start = performance.now()
  let left = count
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const ms = performance.now() - start
  const used = process.cpuUsage(cpu)
  // Postgres reports its counters up to a second late.
  await pause(settleMs)
  const after = await counters()
  const seconds = (ms + settleMs) / 1000
  const gone = (name: keyof typeof after) => after[name] - before[name]
  // Each process says twice a second that it lives, which is a write of its row and not of a round.
  const writes = gone('signs') - 2 * seconds
  // Each write is followed by a transaction that tells the other processes.
  const reads = gone('transactions') - gone('signs') - writes - idleReadsPerSecond * seconds
  const per = (total: number) => rounded(Math.max(0, total) / count)
  return {
    at_once: atOnce,
    per_second: rounded((count / ms) * 1000),
    worker_cpu_ms: rounded((used.user + used.system) / 1000 / count),
    writes: per(writes),
    reads: per(reads),
    rows_inserted: per(gone('inserted')),
    wal_kb: per(gone('wal') / 1000),
    table_kb: per(gone('size') / 1000),
  }
}

/** What one process costs that does nothing. */
async function idleLoad(): Promise<Constants['idle']> {
  await pause(1500)
  const before = await counters()
  const start = performance.now()
  await pause(8000)
  const after = await counters()
  const seconds = (performance.now() - start) / 1000
  idleReadsPerSecond = (after.transactions - before.transactions - (after.signs - before.signs)) / seconds
  return {
    transactions_per_second: rounded((after.transactions - before.transactions) / seconds),
    wal_kb_per_second: rounded((after.wal - before.wal) / 1000 / seconds),
  }
}

async function counters() {
  const { rows } = await client.query(
    `SELECT xact_commit::float AS transactions, tup_inserted::float AS inserted,
       coalesce((SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'workers'), 0)::float AS signs,
       (pg_current_wal_lsn() - '0/0'::pg_lsn)::float AS wal, pg_database_size(datname)::float AS size
     FROM pg_stat_database WHERE datname = current_database()`,
  )
  return rows[0] as Record<'transactions' | 'inserted' | 'signs' | 'wal' | 'size', number>
}

/** After the rounds: the pool has grown to what a busy process uses. */
async function connectionsOfApp(): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  )
  return (rows[0] as { count: number }).count
}

async function readLatency(): Promise<number> {
  const start = performance.now()
  for (let query = 0; query < 500; query++) await client.query('SELECT 1')
  return rounded((performance.now() - start) / 500)
}

/** A process holds the names of all rooms: the time and memory that opening takes grow with them. */
async function costOfOpening(talk: string): Promise<Constants['opening']> {
  const opened = await createApp(loadConfig({ folder: talk, env }), env)
  for (let done = 0; done < manyRooms; done += 1000)
    await opened.store.append(
      Array.from({ length: 1000 }, (_, index) => {
        const id = `room-${String(done + index).padStart(36, '0')}`
        return roomCreated.create({ stream: roomsStream }, { id, name: `Room ${id}`, agents: ['gpt', 'claude'] })
      }),
    )
  await opened.close()
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed
  const start = performance.now()
  const again = await createApp(loadConfig({ folder: talk, env }), env)
  const ms = performance.now() - start
  globalThis.gc?.()
  const heap_mb = (process.memoryUsage().heapUsed - heap) / 1_000_000
  await again.close()
  return { rooms: manyRooms, ms: Math.round(ms), heap_mb: rounded(heap_mb) }
}

function perNode(build: Cost): Cost {
  const { at_once, per_second, ...costs } = build
  const each = Object.entries(costs).map(([name, value]) => [name, rounded(value / nodes)])
  return { at_once, per_second: rounded(per_second * nodes), ...Object.fromEntries(each) } as Cost
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
