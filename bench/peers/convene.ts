/** Convene itself: one run with this many steps, with or without a fact written to the log with each. */
import type { Run, StepContext } from '../../src/kernel/engine.ts'
import { type Chain, stepValue, toPragmas } from '../chain.ts'
import { openConvene } from '../open-convene.ts'

export const openConveneSteps = (folder: string) => open(folder, false)
export const openConveneStepsAndEvents = (folder: string) => open(folder, true)

function open(folder: string, withEvents: boolean): Chain {
  const { database, engine, close } = openConvene(folder)
  let tick = () => {}
  const workflow = {
    name: 'chain',
    version: 1,
    async run(run: Run, steps: number) {
      for (let index = 0; index < steps; index++)
        await run.step('step', (context: StepContext) => {
          tick()
          if (withEvents) context.emit(stepTaken(run.runId, index))
          return stepValue(index)
        })
    },
  }
  return {
    async run(steps, onStep) {
      tick = onStep
      await (await engine.start(workflow, steps)).result()
    },
    pragmas: () =>
      toPragmas(
        database.get<{ journal_mode: string }>('PRAGMA journal_mode')!.journal_mode,
        database.get<{ synchronous: number }>('PRAGMA synchronous')!.synchronous,
      ),
    close,
  }
}

const stepTaken = (run: string, index: number) => ({
  type: 'step.taken',
  version: 1,
  stream: `run:${run}`,
  run,
  data: stepValue(index),
})
