/** `convene questions` and `answer`: the questions that wait for a person. */
import { connect } from '../client/client.ts'
import { questionNamed } from '../client/question-named.ts'
import { answerHint, questionText } from '../display/question-lines.ts'
import type { CommandContext } from './command.ts'

export async function questionsCommand(context: CommandContext): Promise<number> {
  const client = await connect(context, { brief: true })
  const { output } = context
  try {
    const { questions } = await client.call('GET /api/questions')
    output.data({ questions })
    if (questions.length === 0) output.print('No open questions.')
    for (const question of questions) {
      for (const line of questionText(question, output)) output.print(line)
      output.print(`  ${answerHint(question)}   ${output.style('dim', question.run)}`)
    }
    return 0
  } finally {
    await client.close()
  }
}

export async function answerCommand(context: CommandContext, named: string, answer: string): Promise<number> {
  const client = await connect(context, { brief: true })
  const { output } = context
  try {
    const { questions } = await client.call('GET /api/questions')
    const question = await client.call('POST /api/questions/:question/answer', {
      params: { question: questionNamed(named, questions) },
      body: { text: answer },
    })
    output.data({ answered: question.id, run: question.run })
    const [root = question.run] = question.run.split('/')
    output.print(`Answered. A running server continues the run; otherwise: convene resume ${root}`)
    return 0
  } finally {
    await client.close()
  }
}
