/** The store on Postgres passes the store's contract suite, and is one log for several processes. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { NewEvent, StoredEvent } from '../../src/kernel/events.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { storeContract } from '../contract/store.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres
let client: pg.Client

beforeAll(async () => {
  server = await startPostgres()
  client = new pg.Client({ connectionString: server.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await server?.stop()
})

storeContract('Postgres', async ({ folder, clock, redact }) => {
  const database = await PostgresDatabase.open({ url: server.url, project: folder })
  const { project } = database
  return {
    store: new PostgresStore(database, { redact, now: () => clock.now() }),
    async damagePayload(ref, content) {
      const upload = '(SELECT upload FROM convene.payloads WHERE project = $1 AND ref = $2)'
      if (content === null)
        await client.query('DELETE FROM convene.payloads WHERE project = $1 AND ref = $2', [project, ref])
      else
        await client.query(`UPDATE convene.payload_parts SET bytes = $3 WHERE upload = ${upload}`, [
          project,
          ref,
          Buffer.from(content),
        ])
    },
    async countPayloads() {
      const { rows } = await client.query('SELECT count(*) AS count FROM convene.payloads WHERE project = $1', [
        project,
      ])
      return Number(rows[0].count)
    },
  }
})

describe('a store on Postgres that several processes share', () => {
  it("stamps events by the database's clock, however wrong a machine's own is", async () => {
    const project = randomUUID()
    const [right, wrong] = [await openStore(project), await openStore(project)]
    const now = Date.now
    onTestFinished(() => {
      Date.now = now
    })
    await right.append([fact('one')])
    Date.now = () => now() - 86_400_000
    await wrong.append([fact('two')])
    await right.append([fact('three')])
    const times = (await right.read({})).map(({ ts }) => ts)
    expect(times).toEqual([...times].sort())
    expect(Date.parse(times[2]!) - Date.parse(times[0]!)).toBeLessThan(43_200_000)
  })

  it('gives all writers one order without gaps, and tells every listener all of it', async () => {
    const project = randomUUID()
    const stores = await Promise.all([1, 2, 3].map(() => openStore(project)))
    const told = stores.map((store) => {
      const seqs: number[] = []
      store.subscribe(({ seq }) => seqs.push(seq))
      return seqs
    })
    const write = async (store: PostgresStore, writer: number) => {
      for (let round = 0; round < 40; round++) await store.append([fact(`w${writer}`), fact('shared')])
    }
    await Promise.all(stores.map(write))
    const all = Array.from({ length: 240 }, (_, index) => index + 1)
    for (const seqs of told) await expect.poll(() => seqs).toEqual(all)
    expect((await stores[0]!.read({})).map(({ seq }) => seq)).toEqual(all)
  })

  it('gives events times that never go back, although one process began to write before another ended', async () => {
    const project = randomUUID()
    const slow = await PostgresDatabase.open({ url: server.url, project })
    onTestFinished(() => slow.close())
    const slowStore = new PostgresStore(slow)
    const quick = await openStore(project)
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    let hasAdded = false
    const written: StoredEvent[] = []
    const write = slow.transact(
      function* () {
        yield* slowStore.insert([fact('slow')], written)
        hasAdded = true
        yield () => isOver
      },
      undefined,
      { lane: 'of its own', exclusive: false },
    )
    await expect.poll(() => hasAdded).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await quick.append([fact('quick')])
    end()
    await write
    const events = await quick.read({})
    expect(events.map(({ stream }) => stream)).toEqual(['quick', 'slow'])
    expect(events[1]!.ts >= events[0]!.ts).toBe(true)
    expect(written).toEqual([events[1]])
  })

  it('takes an event once, although two processes write it under one key at the same moment', async () => {
    const project = randomUUID()
    const stores = await Promise.all([1, 2, 3].map(() => openStore(project)))
    for (let n = 0; n < 20; n++) {
      const event = { ...fact('once'), key: { run: 'r', step: 's', n } }
      const written = await Promise.all(stores.map((store) => store.append([event])))
      expect(new Set(written.map(([one]) => one!.id)).size).toBe(1)
    }
    expect(await stores[0]!.lastSeq()).toBe(20)
  })

  it('keeps projects of one schema apart', async () => {
    const [one, other] = [await openStore(randomUUID()), await openStore(randomUUID())]
    await one.append([fact('s')])
    await one.claim('part', 'a')
    const ref = await one.putPayload('of one alone')
    expect(await other.read({})).toEqual([])
    expect(await other.holderOf('part')).toBeNull()
    await expect(other.readPayload(ref)).rejects.toMatchObject({ code: 'payload_missing' })
  })

  it('creates its tables once, however many processes open an empty database at once, without a superuser', async () => {
    const url = new URL(await server.createDatabase())
    await client.query(`CREATE ROLE plain LOGIN PASSWORD 'plain-for-tests' NOSUPERUSER`)
    await client.query(`GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO plain`)
    url.username = 'plain'
    url.password = 'plain-for-tests'
    const opened = await Promise.all([1, 2, 3, 4].map(() => openStore('p', { url: url.href, schema: 'team_a' })))
    await Promise.all(opened.map((store) => store.append([fact('s')])))
    expect(await opened[3]!.lastSeq()).toBe(4)
  })

  it('needs no right to create schemas where it is given one', async () => {
    const url = new URL(await server.createDatabase())
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    onTestFinished(() => admin.end())
    await admin.query(`CREATE ROLE narrow LOGIN PASSWORD 'narrow-for-tests' NOSUPERUSER`)
    await admin.query('CREATE SCHEMA given AUTHORIZATION narrow')
    url.username = 'narrow'
    url.password = 'narrow-for-tests'
    const [one, other] = await Promise.all([1, 2].map(() => openStore('p', { url: url.href, schema: 'given' })))
    await one!.append([fact('s')])
    expect(await other!.lastSeq()).toBe(1)
    await expect(openStore('p', { url: url.href, schema: 'another' })).rejects.toMatchObject({
      code: 'database_refused',
      message: expect.stringContaining('permission denied'),
    })
  })

  it('[TM1] frees the log from a process that stands still in the middle of a write, whose work is repeated when it wakes', async () => {
    const project = randomUUID()
    const database = await PostgresDatabase.open({ url: server.url, project })
    onTestFinished(() => database.close())
    let tries = 0
    let wake = () => {}
    const asleep = new Promise<void>((resolve) => {
      wake = resolve
    })
    const write = database.transact(function* () {
      tries++
      yield () => asleep
    })
    await expect.poll(() => tries).toBe(1)
    await (await openStore(project)).append([fact('s')])
    wake()
    await write
    expect(tries).toBe(2)
  })

  it('lets processes write about runs of their own side by side', async () => {
    const project = randomUUID()
    const open = async () => {
      const database = await PostgresDatabase.open({ url: server.url, project })
      onTestFinished(() => database.close())
      return database
    }
    const [one, other] = [await open(), await open()]
    const beside = { lane: 'of its own', exclusive: false }
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    let begun = 0
    const write = one.transact(
      function* () {
        begun++
        yield () => isOver
      },
      undefined,
      beside,
    )
    await expect.poll(() => begun).toBe(1)
    // It would wait for the first write if that had the project for itself.
    await other.transact(() => ended('other'), undefined, beside)
    end()
    await write
  })

  it('refuses every write of a process that was declared dead', async () => {
    const project = randomUUID()
    const database = await PostgresDatabase.open({ url: server.url, project })
    const store = new PostgresStore(database)
    onTestFinished(() => store.close())
    await store.append([fact('s')])
    await client.query('UPDATE convene.workers SET dead = true WHERE number = $1', [database.worker])
    const refused = { code: 'fenced' }
    await expect(store.append([fact('s')])).rejects.toMatchObject(refused)
    await expect(store.claim('part', 'a')).rejects.toMatchObject(refused)
    expect(await (await openStore(project)).lastSeq()).toBe(1)
  })
})

describe('a database that cannot be used', () => {
  it('is reported without its password', async () => {
    const wrong = new URL(server.url)
    wrong.password = 'not-the-password-5512'
    const cases: [string, string][] = [
      [wrong.href, 'database_refused'],
      [server.url.replace(/\/postgres$/, '/nowhere'), 'database_refused'],
      ['postgres://u:not-the-password-5512@127.0.0.1:1/x', 'database_unreachable'],
      ['mysql://u:not-the-password-5512@127.0.0.1/x', 'invalid_config'],
      ['postgres://convene:2024/not-the-password-5512@127.0.0.1/x', 'invalid_config'],
      ['postgres://u:not-the-password-5512%@127.0.0.1/x', 'invalid_config'],
      ['postgres://u:not-the-password-5512@[bad/x', 'invalid_config'],
      [`${server.url}?sslmode=require`, 'database_refused'],
      [`${server.url}?sslmode=sometimes`, 'invalid_config'],
    ]
    for (const [url, code] of cases) {
      const error = await PostgresDatabase.open({ url, project: 'p' }).catch((caught) => caught)
      expect([url, error.code]).toEqual([url, code])
      expect(error.message).not.toMatch(/not-the-password|only-for-tests/)
    }
    const refused = PostgresDatabase.open({ url: wrong.href, project: 'p' })
    await expect(refused).rejects.toThrow(/password authentication failed/)
  })
})

async function openStore(project: string, options: { url?: string; schema?: string } = {}): Promise<PostgresStore> {
  const store = new PostgresStore(await PostgresDatabase.open({ url: server.url, project, ...options }))
  onTestFinished(() => store.close())
  return store
}

function* ended(value: string) {
  yield async () => {}
  return value
}

function fact(stream: string, data: unknown = {}): NewEvent {
  return { type: 'thing.noted', version: 1, stream, data }
}
