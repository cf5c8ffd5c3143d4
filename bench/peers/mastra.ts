/**
 * Mastra with its libSQL store, in both styles: a chain of distinct steps, and one step in a loop. With its defaults,
 * and with every snapshot on disk before the next step begins.
 */
import { join } from 'node:path'
import { Mastra } from '@mastra/core'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { LibSQLStore } from '@mastra/libsql'
import { z } from 'zod'
import { type Chain, stepValue, toPragmas } from '../chain.ts'

export const openMastraChain = (folder: string) => open(folder, 'chain', 'as it comes')
export const openMastraChainFull = (folder: string) => open(folder, 'chain', 'full')
export const openMastraLoop = (folder: string) => open(folder, 'loop', 'as it comes')
export const openMastraLoopFull = (folder: string) => open(folder, 'loop', 'full')

const schema = z.object({ index: z.number(), text: z.string() })

async function open(folder: string, way: 'chain' | 'loop', durability: 'as it comes' | 'full'): Promise<Chain> {
  const storage = new LibSQLStore({ id: 'bench', url: `file:${join(folder, 'mastra.db')}` })
  await storage.init()
  const client = clientOf(storage)
  if (durability === 'full') await client.execute('PRAGMA synchronous = FULL')
  const mastra = new Mastra({ storage, logger: false })
  let tick = () => {}
  const workflows = new Map<number, ReturnType<typeof chain>>()
  const workflowOf = (steps: number) => {
    const known = workflows.get(steps)
    if (known) return known
    const workflow = (way === 'chain' ? chain : loop)(steps, () => tick())
    mastra.addWorkflow(workflow)
    workflows.set(steps, workflow)
    return workflow
  }
  return {
    async run(steps, onStep) {
      tick = onStep
      const run = await workflowOf(steps).createRun()
      const result = await run.start({ inputData: stepValue(0) })
      if (result.status !== 'success') throw new Error(`the run ended as ${result.status}`)
    },
    async pragmas() {
      const ask = async (name: string) => (await client.execute(`PRAGMA ${name}`)).rows[0]![name]
      return toPragmas(await ask('journal_mode'), await ask('synchronous'))
    },
    close: () => storage.close(),
  }
}

function chain(steps: number, tick: () => void) {
  const begin = createWorkflow({ id: `chain-${steps}` as string, inputSchema: schema, outputSchema: schema })
  let workflow = begin.then(oneStep('step-0', tick))
  for (let index = 1; index < steps; index++) workflow = workflow.then(oneStep(`step-${index}`, tick))
  return workflow.commit()
}

function loop(steps: number, tick: () => void): ReturnType<typeof chain> {
  const begin = createWorkflow({ id: `loop-${steps}` as string, inputSchema: schema, outputSchema: schema })
  return begin.dountil(oneStep('step', tick), async ({ inputData }) => inputData.index >= steps).commit()
}

function oneStep<Id extends string>(id: Id, tick: () => void) {
  return createStep({
    id,
    inputSchema: schema,
    outputSchema: schema,
    execute: async ({ inputData }) => {
      tick()
      return stepValue(inputData.index + 1)
    },
  })
}

/** Its connection, to read and change settings that have no option. */
function clientOf(storage: LibSQLStore) {
  return (storage as unknown as { client: { execute(sql: string): Promise<{ rows: Record<string, unknown>[] }> } })
    .client
}
