/** Schemas that several groups of routes share. Browser-safe. */
import { z } from 'zod'
import type { Question } from '../../kernel/runs/question-events.ts'
import type { InputError } from '../../rules/schema/rule.ts'
import { schemaOf } from './route.ts'

export const errorResponse = schemaOf<{ error: InputError }>({
  error: schemaOf<InputError>({
    code: z.string(),
    message: z.string(),
    path: z.string().describe('Dotted path to the value at fault').optional(),
    expected: z.string().optional(),
  }),
})

export const question = schemaOf<Question>({
  id: z.string(),
  run: z.string(),
  text: z.string(),
  choices: z.array(z.string()).optional(),
  only_choices: z.boolean().describe('Free text is refused').optional(),
  numbers: z.array(z.number()).describe('An answer that is not a choice must name one of these').optional(),
  context: z.record(z.string(), z.unknown()),
})

export const workStatus = z.enum(['running', 'waiting', 'stopped', 'done', 'failed'])

export const cost = z.object({
  asks: z.int(),
  calls: z.int().describe('Requests to a model'),
  tokens: z.number(),
  usd: z.number().nullable().describe('null when a price is unknown'),
})

export const startedResponse = z.object({ id: z.string() })

/** An id the client picks, so that sending the same request twice starts the work once. */
export const chosenId = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}-[0-9a-f-]{36}$`))
    .describe(`\`${prefix}-<uuid>\`; sending the same id again starts nothing new`)
    .optional()

export const seq = z.int().describe('The last event in the view; follow `/api/events?after=<seq>` from here')
