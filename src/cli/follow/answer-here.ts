/** Asks the person at the terminal the open questions. */
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { ConveneError } from '../../kernel/errors.ts'
import type { Question } from '../../kernel/runs/question-events.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { questionText } from '../display/question-lines.ts'

/** False if the person closed the input: the questions stay open. */
export async function answerHere(client: Client, questions: readonly Question[], output: Output): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    for (const question of questions) {
      output.note('')
      for (const line of questionText(question, output, questions)) output.note(line)
      const over = new AbortController()
      // While the person's own answer is on its way, the poll must not report it as somebody else's.
      const posting = { now: false }
      const elsewhere = answeredElsewhere(client, question.id, { over: over.signal, posting, output })
      for (;;) {
        const typed = reader.question(`${answersTo(question)}: `, { signal: over.signal })
        // Aborted when the question is answered, here or elsewhere.
        typed.catch(() => {})
        const said = await Promise.race([typed, closed, elsewhere])
        if (said === null) {
          over.abort()
          return false
        }
        if (said === answered) break
        posting.now = true
        const isDone = await isAccepted(client, question.id, said, output)
        if (isDone) break
        posting.now = false
      }
      over.abort()
    }
    return true
  } finally {
    reader.close()
  }
}

interface Looking {
  over: AbortSignal
  /** Whether the person's own answer is on its way. */
  posting: { readonly now: boolean }
  output: Output
}

/** Resolves when somebody else has answered the question, on the page or in another terminal. */
async function answeredElsewhere(
  client: Client,
  id: string,
  { over, posting, output }: Looking,
): Promise<typeof answered> {
  for (;;) {
    await pause(lookEveryMs, undefined, { signal: over }).catch(() => {})
    if (over.aborted) return answered
    const open = await client.call('GET /api/questions').catch(() => null)
    if (over.aborted) return answered
    if (posting.now || !open || open.questions.some((question) => question.id === id)) continue
    output.note('\n(answered elsewhere)')
    return answered
  }
}

const answered = Symbol('answered')
const lookEveryMs = 500

/** False if the question needs another answer. */
async function isAccepted(client: Client, id: string, said: string, output: Output): Promise<boolean> {
  if (said.trim() === '') return false
  try {
    await client.call('POST /api/questions/:question/answer', { params: { question: id }, body: { text: said } })
    return true
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    if (error.code !== 'invalid_input' && error.code !== 'already_answered') throw error
    output.note(error.message)
    return error.code === 'already_answered'
  }
}

/** What a question accepts as its answer. */
function answersTo({ choices, only_choices, numbers }: Pick<Question, 'choices' | 'only_choices' | 'numbers'>): string {
  if (!choices) return 'answer'
  if (numbers) return `${choices.join(', ')}, or issue numbers such as ${numbers.join(',')}`
  const number = choices.length > 1 ? `1 to ${choices.length}` : '1'
  return only_choices ? number : `${number}, or your own words`
}
