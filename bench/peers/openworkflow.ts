/** openworkflow with its SQLite backend and one worker, with its defaults, which are FULL already. */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { OpenWorkflow } from 'openworkflow'
import { BackendSqlite } from 'openworkflow/sqlite'
import { type Chain, stepValue, toPragmas } from '../chain.ts'

export async function openOpenWorkflow(folder: string): Promise<Chain> {
  const backend = BackendSqlite.connect(join(folder, 'openworkflow.db'))
  const client = new OpenWorkflow({ backend })
  let tick = () => {}
  let stepsDone = () => {}
  const chain = client.defineWorkflow<{ steps: number }, number>({ name: 'chain' }, async ({ input, step }) => {
    for (let index = 0; index < input.steps; index++)
      await step.run({ name: `step-${index}` }, async () => {
        tick()
        return stepValue(index)
      })
    stepsDone()
    return input.steps
  })
  return {
    async run(steps, onStep) {
      tick = onStep
      // Its own wait for a result polls once a second; the last step is on disk by then.
      const done = new Promise<void>((resolve) => {
        stepsDone = resolve
      })
      await chain.run({ steps })
      // Started when there is work: an idle worker polls only once a second, and would disturb the others.
      const worker = client.newWorker()
      await worker.start()
      await done
      await worker.stop()
    },
    pragmas() {
      const sqlite = (backend as unknown as { db: DatabaseSync }).db
      return toPragmas(
        sqlite.prepare('PRAGMA journal_mode').get()!.journal_mode,
        sqlite.prepare('PRAGMA synchronous').get()!.synchronous,
      )
    },
    close: () => backend.stop(),
  }
}
