/** The engine on Postgres passes the engine's contract suite, and outlives a restart of the server. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Run } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import type { NewEvent } from '../../src/kernel/events.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { engineContract } from '../contract/engine.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

engineContract('Postgres', async ({ folder, ...options }) => {
  const database = await PostgresDatabase.open({ url: server.url, project: folder })
  const store = new PostgresStore(database, { redact: options.redact, now: () => options.clock.now() })
  const engine = new PostgresEngine({ ...options, database, store })
  return {
    engine,
    store,
    async close() {
      await engine.close()
      await store.close()
    },
  }
})

describe('a server that goes away', () => {
  it('repeats what was in flight, once', async () => {
    const own = await startPostgres()
    onTestFinished(() => own.stop())
    const database = await PostgresDatabase.open({ url: own.url, project: 'p' })
    const store = new PostgresStore(database)
    onTestFinished(() => store.close())
    const writes = (async () => {
      for (let round = 0; round < 200; round++) await store.append([fact(round)])
    })()
    await expect.poll(() => store.lastSeq()).toBeGreaterThan(5)
    await own.restart()
    await writes
    expect((await store.read({})).map(({ data }) => data)).toEqual(Array.from({ length: 200 }, (_, round) => round))
  })

  it('[TM1] for ten seconds costs nobody a run: each goes on where it was, and ends', async () => {
    const own = await startPostgres()
    onTestFinished(() => own.stop())
    const executed = new Map<string, number>()
    const work = {
      name: 'work',
      version: 1,
      async run(run: Run, name: string) {
        for (let step = 0; step < 30; step++)
          await run.step(`step ${step}`, () => {
            const key = `${name} ${step}`
            executed.set(key, (executed.get(key) ?? 0) + 1)
          })
        return name
      },
    }
    const engines = await Promise.all(
      [1, 2].map(async () => {
        const database = await PostgresDatabase.open({ url: own.url, project: 'p' })
        const store = new PostgresStore(database)
        const engine = new PostgresEngine({ database, store })
        engine.register(work)
        await engine.recover()
        onTestFinished(async () => {
          await engine.close()
          await store.close()
        })
        return engine
      }),
    )
    const names = Array.from({ length: 40 }, (_, index) => `run-${index}`)
    const started = names.map((name, index) => engines[index % 2]!.start(work, name, { id: name }))
    await expect.poll(() => executed.size).toBeGreaterThan(100)
    await own.restart(10_000)
    const ends = (await Promise.all(started)).map((handle) => handle.result())
    expect(await Promise.all(ends)).toEqual(names)
    expect(executed.size).toBe(40 * 30)
    expect([...executed.values()].filter((times) => times > 1)).toEqual([])
  })
})

function fact(data: unknown): NewEvent {
  return { type: 'thing.noted', version: 1, stream: 's', data }
}
