/** Events of a comparison. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../../kernel/events.ts'

/** One spec is built twice, or one goal planned twice: by one agent alone, and by Convene. */
export const comparisonStarted = defineEvent(
  'comparison.started',
  1,
  z.object({ spec: z.string(), description: z.string(), goal: z.string().optional() }),
)

export const comparisonFinished = defineEvent(
  'comparison.finished',
  1,
  z.object({
    sides: z.array(
      z.looseObject({ strategy: z.enum(['solo', 'graph', 'one-call', 'plan']), status: z.enum(['done', 'failed']) }),
    ),
  }),
)
