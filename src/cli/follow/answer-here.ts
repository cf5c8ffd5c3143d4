/** Asks the person at the terminal the open questions. */
import { createInterface } from 'node:readline/promises'
import { ConveneError } from '../../kernel/errors.ts'
import type { Question } from '../../kernel/runs/question-events.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { questionText } from '../display/question-lines.ts'

/** False if the person closed the input: the questions stay open. */
export async function answerHere(
  client: Client,
  questions: readonly Question[],
  output: Output,
  all: readonly Question[] = questions,
): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    for (const question of questions) {
      output.note('')
      for (const line of questionText(question, output, all)) output.note(line)
      const said = await Promise.race([reader.question(`${answersTo(question)}: `), closed])
      if (said === null) return false
      const again = () => answerHere(client, questions.slice(questions.indexOf(question)), output, all)
      if (said.trim() === '') return again()
      try {
        await client.call('POST /api/questions/:question/answer', {
          params: { question: question.id },
          body: { text: said },
        })
      } catch (error) {
        if (!(error instanceof ConveneError && error.code === 'invalid_input')) throw error
        output.note(error.message)
        return again()
      }
    }
    return true
  } finally {
    reader.close()
  }
}

/** What a question accepts as its answer. */
function answersTo({ choices, only_choices, numbers }: Pick<Question, 'choices' | 'only_choices' | 'numbers'>): string {
  if (!choices) return 'answer'
  if (numbers) return `${choices.join(', ')}, or issue numbers such as ${numbers.join(',')}`
  const number = choices.length > 1 ? `1 to ${choices.length}` : '1'
  return only_choices ? number : `${number}, or your own words`
}
