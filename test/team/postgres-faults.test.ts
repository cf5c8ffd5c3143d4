/** Faults of the server while something is written: what can be repeated is, and nothing waits for ever. */
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Run } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase, type PostgresOptions, projectLock } from '../../src/kernel/stores/postgres-database.ts'
import { startProxy } from './postgres-proxy.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

const inTwoSteps = {
  name: 'in two steps',
  version: 1,
  async run(run: Run) {
    await run.step('one', () => 1)
    return run.step('two', () => 2)
  },
}

describe('a statement that the server ends', () => {
  it('[TR10] by a cancel of its administrator is repeated, and fails no step', async () => {
    const { engine, database } = await open()
    const holder = await holdProject(database)
    const admin = await connect(server.url)
    const handle = engine.start(inTwoSteps, null)
    await expect
      .poll(async () => (await admin.query(`SELECT 1 FROM pg_stat_activity WHERE ${waiting}`)).rowCount)
      .toBe(1)
    const cancelled = await admin.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${waiting}`)
    expect(cancelled.rowCount).toBe(1)
    await holder.query('ROLLBACK')
    expect(await (await handle).result()).toBe(2)
  })

  it('[TR10] because a lock could not be had in time is repeated, and fails no step', async () => {
    const url = new URL(await server.createDatabase())
    const admin = await connect(url.href)
    await admin.query(`ALTER DATABASE ${url.pathname.slice(1)} SET lock_timeout = '100ms'`)
    const { engine, database } = await open({ url: url.href })
    const holder = await holdProject(database, url.href)
    const handle = engine.start(inTwoSteps, null)
    // The next attempt began: the first was refused.
    const attempts = new Set<string>()
    await expect
      .poll(async () => {
        const { rows } = await admin.query(`SELECT query_start::text AS at FROM pg_stat_activity WHERE ${waiting}`)
        for (const { at } of rows) attempts.add(at)
        return attempts.size
      })
      .toBeGreaterThan(1)
    await holder.query('ROLLBACK')
    expect(await (await handle).result()).toBe(2)
  })
})

describe('a server that does not answer', () => {
  it('[TR10] is given up after a time, not waited for without end', async () => {
    const { store, database } = await open({ answerMs: 200, patienceMs: 500 })
    await holdProject(database)
    const failed = store.append([{ type: 'thing.noted', version: 1, stream: 's', data: {} }])
    await expect(failed).rejects.toMatchObject({ code: 'database_unreachable' })
  })
})

describe('a commit whose answer is lost', () => {
  it('[TR10] is not repeated, and its events are reported where the log has them', async () => {
    const cutter = await cutAtCommit()
    const url = new URL(server.url)
    url.port = String(cutter.port)
    const { store, database } = await open({ url: `${url.href}?sslmode=disable` })
    const told: [number, string][] = []
    store.subscribe(({ seq, ts }) => told.push([seq, ts]))
    const fact = { type: 'thing.noted', version: 1, stream: 's', data: {} }
    await store.append([fact])
    cutter.arm()
    const [written] = await store.append([fact])
    expect(cutter.cuts()).toBe(1)
    const log = await store.read({})
    expect(log.map(({ seq }) => seq)).toEqual([1, 2])
    expect([written!.seq, written!.ts, written!.id]).toEqual([2, log[1]!.ts, log[1]!.id])
    expect(told).toEqual(log.map(({ seq, ts }) => [seq, ts]))
    // The lock is free, and the process may go on.
    await database.transact(nothing)
  })
})

describe('notifications', () => {
  it('are taken for lost when news came without one, and work again once a probe comes back', async () => {
    let isDeaf = false
    const weather = { random: () => (isDeaf ? 0 : 1), lost: 0.5, repeated: 0, delayMs: 0 }
    const proxy = await startProxy(server.port, weather)
    onTestFinished(() => proxy.close())
    const url = new URL(server.url)
    url.port = String(proxy.port)
    const project = randomUUID()
    const { database: listener } = await open({ url: `${url.href}?sslmode=disable`, project })
    const { store: writer } = await open({ project })
    await expect.poll(() => listener.hearsNotices).toBe(true)
    isDeaf = true
    const fact = { type: 'thing.noted', version: 1, stream: 's', data: {} }
    await expect
      .poll(async () => {
        await writer.append([fact])
        return listener.hearsNotices
      })
      .toBe(false)
    await expect.poll(async () => listener.feed.last).toBe(await writer.lastSeq())
    isDeaf = false
    await expect.poll(() => listener.hearsNotices, { timeout: 30_000 }).toBe(true)
  })
})

/** A way to the server that breaks off with the answer to the next commit. */
async function cutAtCommit(): Promise<{ port: number; arm(): void; cuts(): number }> {
  let isArmed = false
  let cuts = 0
  const sockets = new Set<Socket>()
  const way = createServer((client) => {
    const database = connectSocket(server.port, '127.0.0.1')
    client.on('error', () => {}).on('close', () => database.destroy())
    database.on('error', () => {}).on('close', () => client.destroy())
    sockets.add(client).add(database)
    client.pipe(database)
    database.on('data', (chunk) => {
      if (isArmed && chunk.includes('COMMIT\0')) {
        isArmed = false
        cuts++
        client.destroy()
      } else client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    way.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: (way.address() as AddressInfo).port,
    arm() {
      isArmed = true
    },
    cuts: () => cuts,
  }
}

function* nothing() {}

const waiting = `datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%pg_advisory_xact_lock%'`

async function open(options: Partial<PostgresOptions> = {}) {
  const database = await PostgresDatabase.open({ url: server.url, project: randomUUID(), ...options })
  const store = new PostgresStore(database)
  const engine = new PostgresEngine({ database, store })
  engine.register(inTwoSteps)
  onTestFinished(async () => {
    await engine.close()
    await store.close()
  })
  return { database, store, engine }
}

/** Holds the lock that every write of the project needs. */
async function holdProject(database: PostgresDatabase, url = server.url): Promise<pg.Client> {
  const client = await connect(url)
  await client.query('BEGIN')
  await client.query(`SELECT pg_advisory_xact_lock(${projectLock(database.schema, database.project)})`)
  return client
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
