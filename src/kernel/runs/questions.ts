/** Questions to a person: one list for the whole project. A question is asked once and answered once. */

import { withChoicesNamed } from '../../rules/text/named-choice.ts'
import type { Engine, Run } from '../engine.ts'
import { ConveneError } from '../errors.ts'
import type { EventHeader, StoredEvent } from '../events.ts'
import { foldEvents } from '../fold.ts'
import { runFinished } from '../run-events.ts'
import type { Store } from '../store.ts'
import { actingPerson } from '../users/acting-person.ts'
import { type Answer, openQuestions, type Question, questionAnswered, questionAsked } from './question-events.ts'

export type { Answer, Question } from './question-events.ts'

const types = [questionAsked.type, questionAnswered.type, runFinished.type]

export class Questions {
  readonly #store: Store
  readonly #engine: Engine

  constructor(store: Store, engine: Engine) {
    this.#store = store
    this.#engine = engine
  }

  async open(): Promise<Question[]> {
    return [...foldEvents(openQuestions, await this.#store.read({ types })).values()]
  }

  /** The run that asked a question, answered or not; undefined if there is no such question. */
  async askedBy(id: string): Promise<string | undefined> {
    const asked = await this.#store.read({ types: [questionAsked.type], text: id })
    return asked.find((event) => questionAsked.is(event) && event.data.id === id)?.run
  }

  /** Records the answer. A running run continues at once, a parked one when it is resumed. */
  async answer(id: string, given: Answer): Promise<Question> {
    const asked = (await this.#store.read({ types })) as StoredEvent[]
    const question = foldEvents(openQuestions, asked).get(id)
    if (!question) {
      const known = asked.some((event) => questionAsked.is(event) && event.data.id === id)
      const message = known ? `question '${id}' is answered already` : `there is no question '${id}'`
      throw new ConveneError(
        known ? 'already_answered' : 'unknown_question',
        `${message}. \`convene questions\` lists what is open.`,
        {
          status: known ? 409 : 404,
          path: 'question',
        },
      )
    }
    const answer = checkedAnswer(question, given)
    await this.#store.append([
      {
        ...questionAnswered.create(
          { stream: questionStream, run: question.run, actor: actingPerson().name },
          { id, ...answer },
        ),
        key: { run: question.run, step: `answer ${id}`, n: 0 },
      },
    ])
    await this.#engine.send(question.run, answerTopic(id), answer, { key: `answer ${id}` })
    return question
  }
}

export type Asked = Omit<Question, 'id' | 'run'>

/** Asks a question and waits for the answer without a time limit. */
export async function askPerson(run: Run, header: EventHeader, asked: Asked): Promise<Answer> {
  const [answer] = await askTogether(run, header, [asked])
  return answer!
}

/** Asks several questions at once, so that they can be answered together and in any order. */
export async function askTogether(
  run: Run,
  header: EventHeader,
  asked: readonly Asked[],
): Promise<(Answer & { id: string })[]> {
  const questions = asked.map((one) => ({ id: run.id(), run: run.runId, ...one }))
  await run.append(...questions.map((question) => questionAsked.create({ ...header, run: run.runId }, question)))
  const answers: (Answer & { id: string })[] = []
  for (const { id } of questions) answers.push({ id, ...(await run.receive<Answer>(answerTopic(id))) })
  return answers
}

export const questionStream = 'questions'
const answerTopic = (id: string) => `answer:${id}`

/** Text that equals a choice, or its number in the list, counts as that choice; other text is free text, with choices by their words. */
export function checkedAnswer(
  { choices = [], only_choices = false, numbers }: Pick<Question, 'choices' | 'only_choices' | 'numbers'>,
  { choice, text }: Answer,
): Answer {
  const said = (choice ?? text ?? '').trim()
  if (said === '')
    throw new ConveneError('invalid_input', 'an answer is a choice or some text', {
      path: 'choice',
      expected: choices.join(' | ') || 'text',
    })
  const meant = choices.find((one) => one.toLowerCase() === said.toLowerCase())
  if (meant !== undefined) return { choice: meant }
  const numbered = !numbers && /^\d{1,2}$/.test(said) ? choices[Number(said) - 1] : undefined
  if (numbered !== undefined) return { choice: numbered }
  if (((choice !== undefined && text === undefined) || only_choices) && choices.length > 0)
    throw new ConveneError('invalid_input', `'${said}' is not one of the choices: ${choices.join(', ')}`, {
      path: 'choice',
      expected: choices.join(' | '),
    })
  if (numbers && !numbersIn(said).some((number) => numbers.includes(number)))
    throw new ConveneError(
      'invalid_input',
      `'${said}' names none of ${numbers.join(', ')}. Answer with at least one of these numbers${choices.length > 0 ? `, or with: ${choices.join(', ')}` : ''}.`,
      { path: 'text', expected: [...choices, ...numbers].join(' | ') },
    )
  return { text: numbers ? said : withChoicesNamed(said, choices) }
}

/** The whole numbers in an answer, such as `#3, 5 and 8`. */
export const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)
