/** Convene's engine on Postgres: a worker, and a process that starts runs and leaves them to workers. */
import type { Run } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import type { ChainInput, OpenTeamFront, OpenTeamWorker, Step } from '../team-chain.ts'

const chainOf = (step: Step) => ({
  name: 'chain',
  version: 1,
  async run(run: Run, { steps, stepMs }: ChainInput) {
    let began = 0
    for (let index = 0; index < steps; index++) {
      const value = await run.step('step', () => step(index, stepMs))
      if (index === 0) began = value.began
    }
    return began
  },
})

export const openConveneWorker: OpenTeamWorker = async (url, capacity, step) => {
  const database = await PostgresDatabase.open({ url, project: 'bench', worker: { capacity } })
  const engine = new PostgresEngine({ database, store: new PostgresStore(database), capacity })
  engine.register(chainOf(step))
  await engine.recover()
}

export const openConveneFront: OpenTeamFront = async (url) => {
  const database = await PostgresDatabase.open({ url, project: 'bench', worker: { capacity: 0 } })
  const store = new PostgresStore(database)
  const engine = new PostgresEngine({ database, store, executes: false })
  const chain = chainOf(() => Promise.reject(new Error('only workers execute')))
  return {
    async enqueue(id, input) {
      await engine.start(chain, input, { id })
    },
    began: (id) => engine.result<number>(id),
    done: `SELECT count(*)::int AS count FROM convene.runs WHERE status = 'done'`,
    async close() {
      await engine.close()
      await store.close()
    },
  }
}
