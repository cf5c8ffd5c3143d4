/** Routes for questions to a person. Browser-safe. */
import { z } from 'zod'
import type { Routes } from './route.ts'
import { question } from './shared.ts'

export const questionRoutes = {
  'GET /api/questions': {
    name: 'listQuestions',
    role: 'viewer',
    summary: 'List the questions that wait for a person.',
    response: z.object({ questions: z.array(question) }),
  },
  'POST /api/questions/:question/answer': {
    name: 'answerQuestion',
    role: 'member',
    recorded: true,
    summary: 'Answer a question with one of its choices or with text. Its run continues.',
    body: z.strictObject({ choice: z.string().optional(), text: z.string().optional() }),
    status: 202,
    response: question,
    errors: [409],
  },
} as const satisfies Routes
