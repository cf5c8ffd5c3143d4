/** Puts open questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Question } from '../../kernel/runs/question-events.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'

/** False where the person ended the input: the questions stay open. */
export async function answerHere(client: Client, questions: readonly Question[], output: Output): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    for (const question of questions) {
      const { detail } = question.context
      output.note('')
      output.note(output.style('bold', printable(question.text)))
      if (typeof detail === 'string' && detail !== '')
        output.note(output.style('dim', printable(detail.slice(0, 2000))))
      const choices = (question.choices ?? []).join(', ')
      const said = await Promise.race([
        reader.question(`${choices ? `${choices}, or your own words` : 'answer'}: `),
        closed,
      ])
      if (said === null) return false
      if (said.trim() === '') return answerHere(client, questions.slice(questions.indexOf(question)), output)
      await client.post(`/api/questions/${encodeURIComponent(question.id)}/answer`, { text: said })
    }
    return true
  } finally {
    reader.close()
  }
}
