/** Events of a comparison. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../../kernel/events.ts'

/** The same spec is built twice: by one agent alone, and by the graph. */
export const comparisonStarted = defineEvent(
  'comparison.started',
  1,
  z.object({ spec: z.string(), description: z.string() }),
)

export const comparisonFinished = defineEvent(
  'comparison.finished',
  1,
  z.object({
    sides: z.array(z.looseObject({ strategy: z.enum(['solo', 'graph']), status: z.enum(['done', 'failed']) })),
  }),
)
