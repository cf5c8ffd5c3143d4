/** Handlers for questions to a person. */
import type { App } from '../../app.ts'
import type { questionRoutes } from '../api/questions.ts'
import type { Handlers } from '../api/route.ts'

export function questionHandlers({ questions, access }: App): Handlers<typeof questionRoutes> {
  return {
    'GET /api/questions': async ({ person }) => ({
      questions: await access.only(person, 'run', await questions.open(), ({ run }) => run),
    }),
    'POST /api/questions/:question/answer': ({ params, body }) => questions.answer(params.question, body),
  }
}
