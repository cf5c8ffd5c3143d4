/**
 * LangGraph with its SQLite checkpointer, in both styles: tasks of the functional API, and a graph whose one node
 * follows itself. With its defaults, and with every checkpoint on disk before the next step begins.
 */
import { join } from 'node:path'
import { Annotation, END, entrypoint, START, StateGraph, task } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { type Chain, stepValue, toPragmas } from '../chain.ts'

export const openLangGraphTasks = (folder: string) => open(folder, 'tasks', 'as it comes')
export const openLangGraphTasksFull = (folder: string) => open(folder, 'tasks', 'full')
export const openLangGraphNodes = (folder: string) => open(folder, 'nodes', 'as it comes')
export const openLangGraphNodesFull = (folder: string) => open(folder, 'nodes', 'full')

type Invoke = (steps: number, options: object) => Promise<unknown>

async function open(folder: string, way: 'tasks' | 'nodes', durability: 'as it comes' | 'full'): Promise<Chain> {
  const checkpointer = SqliteSaver.fromConnString(join(folder, 'langgraph.db'))
  let tick = () => {}
  const invoke = (way === 'tasks' ? tasks : nodes)(checkpointer, () => tick())
  if (durability === 'full') {
    // The first read creates its tables and its journal; only then does our setting persist.
    await checkpointer.getTuple({ configurable: { thread_id: 'none' } })
    checkpointer.db.pragma('synchronous = FULL')
  }
  let threads = 0
  return {
    async run(steps, onStep) {
      tick = onStep
      await invoke(steps, {
        configurable: { thread_id: String(threads++) },
        recursionLimit: steps + 10,
        ...(durability === 'full' ? { durability: 'sync' } : {}),
      })
    },
    pragmas: () =>
      toPragmas(
        checkpointer.db.pragma('journal_mode', { simple: true }),
        checkpointer.db.pragma('synchronous', { simple: true }),
      ),
    close: async () => {
      checkpointer.db.close()
    },
  }
}

function tasks(checkpointer: SqliteSaver, tick: () => void): Invoke {
  const oneStep = task('step', async (index: number) => {
    tick()
    return stepValue(index)
  })
  const chain = entrypoint({ name: 'chain', checkpointer }, async (steps: number) => {
    for (let index = 0; index < steps; index++) await oneStep(index)
    return steps
  })
  return (steps, options) => chain.invoke(steps, options)
}

function nodes(checkpointer: SqliteSaver, tick: () => void): Invoke {
  const State = Annotation.Root({
    steps: Annotation<number>(),
    index: Annotation<number>(),
    value: Annotation<ReturnType<typeof stepValue>>(),
  })
  const graph = new StateGraph(State)
    .addNode('step', ({ index }) => {
      tick()
      return { index: index + 1, value: stepValue(index) }
    })
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ index, steps }) => (index < steps ? 'step' : END))
    .compile({ checkpointer })
  return (steps, options) => graph.invoke({ steps, index: 0, value: stepValue(0) }, options)
}
