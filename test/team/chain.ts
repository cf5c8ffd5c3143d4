/** Chains of steps on workers in processes of their own, and what a fault may and may not do to them. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { Run } from '../../src/kernel/engine.ts'
import { PostgresEngine } from '../../src/kernel/engines/postgres.ts'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { temporaryFolder } from '../support/convene.ts'

interface Execution {
  worker: number
  at: number
}

interface Line extends Execution {
  event: 'begin' | 'end'
  run: string
  step: number
}

type Step = (run: string, step: number, stepMs: number) => Promise<Execution>

export const chainOf = (execute: Step) => ({
  name: 'chain',
  version: 1,
  async run(run: Run, { steps, stepMs }: { steps: number; stepMs: number }) {
    for (let step = 0; step < steps; step++) await run.step(`step ${step}`, () => execute(run.runId, step, stepMs))
  },
})

export interface ChainWorker {
  number: number
  process: ChildProcess
  ended: Promise<number | null>
}

const count = 200
const steps = 8
/** So that three workers are needed for all at once. */
const capacity = 67

/** 200 chains that workers in other processes execute. `direct` is the address for what the test itself looks up. */
export async function startChains({ url, direct = url }: { url: string; direct?: string }) {
  const project = randomUUID()
  const file = join(temporaryFolder(), 'executions')
  const database = await PostgresDatabase.open({ url, project, worker: { capacity: 0 } })
  const store = new PostgresStore(database)
  const engine = new PostgresEngine({ database, store, executes: false })
  const admin = new pg.Pool({ connectionString: direct, max: 1 })
  admin.on('error', () => {})
  const workers: ChainWorker[] = []
  const processes: ChildProcess[] = []
  let over = false
  onTestFinished(async () => {
    over = true
    for (const child of processes) child.kill('SIGKILL')
    await Promise.all(workers.map(({ ended }) => ended))
    await engine.close()
    await store.close()
    await admin.end()
  })
  const start = async (address = url): Promise<ChainWorker> => {
    const child = fork(join(import.meta.dirname, 'chain-worker.ts'), [address, project, file, String(capacity)])
    processes.push(child)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const { worker } = await new Promise<{ worker: number }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { worker: number }))
      child.once('exit', (code) => reject(new Error(`a worker did not start: ${code}`)))
    })
    const started = { number: worker, process: child, ended }
    workers.push(started)
    return started
  }
  const startAnother = async (): Promise<ChainWorker | undefined> => {
    while (!over) {
      const started = await start().catch(() => undefined)
      if (started) return started
    }
    return undefined
  }
  const ids = Array.from({ length: count }, (_, index) => `run-${index}`)
  const lines = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      : []
  const held = async (worker: ChainWorker) => {
    const sql = "SELECT count(*)::int AS count FROM convene.runs WHERE owner = $1 AND status = 'running'"
    return (await admin.query(sql, [worker.number])).rows[0].count as number
  }
  return {
    engine,
    workers,
    lines,
    /** How many unfinished chains a worker executes. */
    held,
    begin: async (stepMs: number) => {
      const chain = chainOf(() => Promise.reject(new Error('only workers execute')))
      await Promise.all(ids.map((id) => engine.start(chain, { steps, stepMs }, { id })))
    },
    startWorker: start,
    startWorkers: (size: number) => Promise.all(Array.from({ length: size }, () => start())),
    /** A worker that was so slow that it counts as dead ends; as in production, another one is started in its place. */
    replaceFenced() {
      const replace = async (worker: ChainWorker) => {
        const another = (await worker.ended) === 1 ? await startAnother() : undefined
        if (another) await replace(another)
      }
      for (const worker of workers) replace(worker)
    },
    /** All chains ended, and no step that was finished was executed again. */
    async expectAllDoneOnce() {
      await Promise.all(ids.map((id) => engine.result(id)))
      const executed = Map.groupBy(
        lines().filter(({ event }) => event === 'begin'),
        ({ run, step }) => `${run} ${step}`,
      )
      expect(executed.size).toBe(count * steps)
      const { rows } = await admin.query(
        `SELECT runs.id, steps.position, steps.value FROM convene.steps AS steps
         JOIN convene.runs AS runs ON runs.number = steps.run
         JOIN convene.projects AS projects ON projects.number = runs.project WHERE projects.name = $1`,
        [project],
      )
      expect(rows).toHaveLength(count * steps)
      for (const { id, position, value } of rows) {
        const [last, ...earlier] = executed.get(`${id} ${position}`)!.reverse()
        // Had a recorded step been executed again, the record would not be of the last execution.
        const { worker, at } = JSON.parse(value) as Execution
        expect({ id, position, worker, at }).toEqual({ id, position, worker: last!.worker, at: last!.at })
        // Each earlier execution was cut short by the loss of another worker.
        expect(new Set([last!.worker, ...earlier.map(({ worker }) => worker)]).size).toBe(earlier.length + 1)
      }
      const finished = await store.read({ types: ['run.finished'] })
      expect(finished.map(({ run }) => run).sort()).toEqual([...ids].sort())
      return { repeated: [...executed.values()].filter((times) => times.length > 1).length }
    },
  }
}
