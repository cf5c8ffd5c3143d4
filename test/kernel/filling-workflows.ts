/** A run that writes a lot, and a parent that waits for it. */
import type { Run, Workflow } from '../../src/kernel/engine.ts'

export const fillingSteps = 120

export function filling(effect: (step: number) => void): Workflow<undefined, number> {
  return {
    name: 'filling',
    version: 1,
    async run(run: Run) {
      let length = 0
      for (let step = 0; step < fillingSteps; step++) {
        const value = await run.step(`fill-${step}`, ({ emit }) => {
          effect(step)
          emit({ type: 'step.filled', version: 1, stream: 'filled', data: { step, text: 'y'.repeat(10_000) } })
          return 'x'.repeat(20_000)
        })
        length += value.length
      }
      return length
    },
  }
}

export function root(child: Workflow<undefined, number>): Workflow<undefined, number> {
  return {
    name: 'root',
    version: 1,
    run: async (run: Run) => (await run.start(child, undefined, { id: 'filling' })).result(),
  }
}
