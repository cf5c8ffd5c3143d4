/** Facts about questions to a person. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../events.ts'
import type { Fold } from '../fold.ts'
import { runFinished } from '../run-events.ts'

export interface Question {
  id: string
  run: string
  text: string
  choices?: string[]
  /** Free text does not answer it. */
  only_choices?: boolean
  /** An answer that is not a choice must name at least one of these. */
  numbers?: number[]
  context: Record<string, unknown>
}

export interface Answer {
  choice?: string
  text?: string
}

export const questionAsked = defineEvent(
  'question.asked',
  1,
  z.object({
    id: z.string(),
    run: z.string(),
    text: z.string(),
    choices: z.array(z.string()).optional(),
    only_choices: z.boolean().optional(),
    numbers: z.array(z.number()).optional(),
    context: z.record(z.string(), z.unknown()),
  }),
)

export const questionAnswered = defineEvent(
  'question.answered',
  1,
  z.object({ id: z.string(), choice: z.string().optional(), text: z.string().optional() }),
)

export const openQuestions: Fold<Map<string, Question>> = {
  initial: () => new Map(),
  evolve(open, event) {
    if (questionAsked.is(event)) open.set(event.data.id, event.data)
    if (questionAnswered.is(event)) open.delete(event.data.id)
    // The run no longer waits for an answer.
    if (runFinished.is(event)) for (const [id, { run }] of open) if (run === event.run) open.delete(id)
    return open
  },
}
