/** Processes of two releases that share the runs. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Run } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

describe('workers of two releases', () => {
  it('[TM3] continue the runs of their own, and leave those of the other alone', async () => {
    const project = randomUUID()
    const front = await open(project, 1)
    const [older, newer] = [await open(project, 1), await open(project, 2)]
    await front.engine.start(front.work, null, { id: 'of the older' })
    await newer.engine.recover()
    await older.engine.recover()
    // It leaves its run to the others, of which the newer one cannot continue it.
    await front.close()
    await newer.engine.start(newer.work, null, { id: 'of the newer' })
    await expect.poll(() => older.executing()).toEqual(['of the older'])
    expect(newer.executing()).toEqual(['of the newer'])
    for (const id of ['of the older', 'of the newer']) await newer.engine.send(id, 'go')
    expect(await newer.engine.result('of the older')).toBe(1)
    expect(await older.engine.result('of the newer')).toBe(2)
  })

  it('[TM3] park a run that none of them can continue', async () => {
    const project = randomUUID()
    const older = await open(project, 1)
    await older.engine.start(older.work, null, { id: 'left' })
    await older.close()
    const newer = await open(project, 2)
    await newer.engine.recover()
    await expect
      .poll(() => newer.engine.get('left'))
      .toMatchObject({ status: 'needs-attention', reason: expect.stringContaining('version 1') })
  })
})

async function open(project: string, version: number) {
  const database = await PostgresDatabase.open({ url: server.url, project })
  const store = new PostgresStore(database)
  const engine = new PostgresEngine({ database, store })
  const work = {
    name: 'work',
    version,
    async run(run: Run) {
      await run.receive('go')
      return version
    },
  }
  engine.register(work)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await engine.close()
    await store.close()
  }
  onTestFinished(close)
  return { engine, work, close, executing: () => engine.underWay() }
}
