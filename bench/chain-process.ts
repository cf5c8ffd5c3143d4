/** A contender in a separate process: runs a chain on request and replies how long each step took. */
import type { OpenChain, Pragmas } from './chain.ts'

export type Order = { run: number } | { end: true }
export type Answer = { ready: true } | { milliseconds: number[] } | { pragmas: Pragmas } | { failed: string }

// No telemetry of a peer may affect a measurement.
Object.assign(process.env, { MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' })
const [module, name, folder] = process.argv.slice(2) as [string, string, string]
const answer = (message: Answer) => process.send!(message)

try {
  const open = ((await import(module)) as Record<string, OpenChain>)[name]!
  const chain = await open(folder)
  process.on('message', async (order: Order) => {
    try {
      if ('run' in order) {
        answer({ milliseconds: await timedSteps((tick) => chain.run(order.run, tick), order.run) })
        return
      }
      answer({ pragmas: await chain.pragmas() })
      await chain.close()
      process.disconnect!()
    } catch (error) {
      answer({ failed: String(error) })
    }
  })
  answer({ ready: true })
} catch (error) {
  answer({ failed: String(error) })
  process.disconnect!()
}

/** From the start of each step to the start of the next: work, record, and everything in between. */
async function timedSteps(run: (tick: () => void) => Promise<void>, steps: number): Promise<number[]> {
  const begun: number[] = []
  await run(() => begun.push(performance.now()))
  if (begun.length !== steps) throw new Error(`${begun.length} steps were taken instead of ${steps}`)
  return begun.slice(1).map((time, index) => time - begun[index]!)
}
