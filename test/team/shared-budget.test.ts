/** One budget for a tree of runs, whoever executes its parts. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askFinished, askStarted } from '../../src/kernel/ask/ask-events.ts'
import { Budgets } from '../../src/kernel/budget/budget.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Run, Workflow } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

const limits = { calls: 3 }
const usage = { inputTokens: 1, outputTokens: 0, usd: null }

describe('the budget of a run that several processes share', () => {
  it('[BU1] is what the process that was taken over left of it, not a new one', async () => {
    const project = randomUUID()
    const first = await open(project)
    // Open before the run is started: its account must still be read from the log.
    const second = await open(project)
    await first.engine.start(first.asking, { calls: 2, wait: true }, { id: 'root' })
    const finished = async () => (await first.store.read({ run: 'root', types: [askFinished.type] })).length
    await expect.poll(finished).toBe(2)
    await first.close()
    await second.engine.recover()
    await second.engine.send('root', 'go')
    await second.engine.result('root')
    expect(second.granted).toEqual([true, false])
  })

  it('[BU1] is one for its parts in other processes', async () => {
    const project = randomUUID()
    const parent = await open(project)
    const part = await open(project)
    await part.engine.recover()
    await parent.engine.start(parent.family, null, { id: 'root' })
    await parent.engine.result('root')
    expect([parent.granted, part.granted]).toEqual([
      [true, false],
      [true, true],
    ])
  })
})

async function open(project: string) {
  const database = await PostgresDatabase.open({ url: server.url, project })
  const store = new PostgresStore(database)
  const engine = new PostgresEngine({ database, store })
  const budgets = new Budgets({ store, engine, clock: systemClock, limits })
  const granted: boolean[] = []
  const ask = (run: Run) =>
    run.step('ask', async (step) => {
      const port = await budgets.of(run, step.key)
      const got = port.reserve(usage)
      granted.push(got.ok)
      if (!got.ok) return
      const about = { ask: step.key, kind: 'phase', agent: 'a', rehearsal: false, attempt: 1 } as const
      const header = { stream: 's', run: run.runId }
      await step.append(askStarted.create(header, { ...about, reserved: { tokens: 1, usd: null } }))
      port.settle(got.id, usage)
      step.emit(askFinished.create(header, { ...about, usage, tries: 1, milliseconds: 1 }))
    })
  const asking: Workflow<{ calls: number; wait?: boolean }, void> = {
    name: 'asking',
    version: 1,
    async run(run, { calls, wait }) {
      for (let call = 0; call < calls; call++) await ask(run)
      if (!wait) return
      await run.receive('go')
      await ask(run)
      await ask(run)
    },
  }
  const family: Workflow<null, void> = {
    name: 'family',
    version: 1,
    async run(run) {
      await ask(run)
      const part = await run.start(asking, { calls: 2 }, { apart: true })
      await part.result()
      await ask(run)
    },
  }
  engine.register(asking)
  engine.register(family)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await engine.close()
    await store.close()
  }
  onTestFinished(close)
  return { engine, store, asking, family, granted, close }
}
