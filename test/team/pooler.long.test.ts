/** A pooler that gives each transaction another session, as hosted databases have it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { engineContract } from '../contract/engine.ts'
import { start } from '../support/convene.ts'
import { serve } from './serve.ts'
import { noPooler, type RunningPooler, startPooler } from './start-pooler.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'
import { team } from './team-project.ts'

if (noPooler) console.warn(`skipped: a pooler: ${noPooler}`)

describe.skipIf(noPooler !== undefined)(noPooler ? `pooler (${noPooler})` : 'pooler', () => {
  let server: RunningPostgres
  let pooler: RunningPooler
  let url: string

  beforeAll(async () => {
    server = await startPostgres()
    pooler = await startPooler(server)
    url = pooler.url(server.url)
  })
  afterAll(async () => {
    await pooler?.stop()
    await server?.stop()
  })

  engineContract('Postgres behind a pooler', async ({ folder, ...options }) => {
    const database = await PostgresDatabase.open({ url, project: folder })
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

  it('carries no notifications: each process finds that out, and polls for changes', async () => {
    const project = randomUUID()
    const [writer, listener] = [await open(project), await open(project)]
    // They share the pooler's few sessions, so that some hear what is on its way to another.
    let isOpening = true
    const noise = (async () => {
      for (let n = 0; isOpening; n++)
        await writer.store.append([{ type: 'noise.made', version: 1, stream: 'n', data: n }])
    })()
    const others = await Promise.all(Array.from({ length: 20 }, () => open(project)))
    isOpening = false
    await noise
    const told: StoredEvent[] = []
    listener.store.subscribe((event) => {
      if (event.stream === 's') told.push(event)
    })
    for (let n = 0; n < 20; n++) await writer.store.append([{ type: 'thing.noted', version: 1, stream: 's', data: n }])
    await expect.poll(() => told.map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    const hear = () => [writer, listener, ...others].map(({ database }) => database.hearsNotices)
    expect(new Set(hear())).toEqual(new Set([false]))
    // Nor do the probes that follow come back.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(new Set(hear())).toEqual(new Set([false]))
  })

  it('is enough for the commands of two machines', async () => {
    const { folders } = team(server, 2)
    const [here, there] = folders as [string, string]
    const env = { CONVENE_DATABASE_URL: pooler.url(await server.createDatabase()) }
    const front = await serve(here, env, '--no-work')
    start(['worker', '--json'], { cwd: there, env })
    const { id } = await front.call<{ id: string }>('POST', '/api/rooms', { name: 'pooled' })
    await front.call('POST', `/api/rooms/${id}/messages`, { text: 'Who answers?', target: 'gpt' })
    await expect
      .poll(async () => (await front.call<{ items: { text: string }[] }>('GET', `/api/rooms/${id}/transcript`)).items)
      .toMatchObject([{ text: 'Who answers?' }, {}, { text: 'it is shared' }])
  })

  async function open(project: string) {
    const database = await PostgresDatabase.open({ url, project })
    const store = new PostgresStore(database)
    onTestFinished(() => store.close())
    return { database, store }
  }
})
