/** Handlers for questions to a person. */
import type { App } from '../../app.ts'
import type { questionRoutes } from '../api/questions.ts'
import type { Handlers } from '../api/route.ts'

export function questionHandlers({ questions }: App): Handlers<typeof questionRoutes> {
  return {
    'GET /api/questions': async () => ({ questions: await questions.open() }),
    'POST /api/questions/:question/answer': ({ params, body }) => questions.answer(params.question, body),
  }
}
