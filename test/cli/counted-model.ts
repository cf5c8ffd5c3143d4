/** An OpenAI-compatible model that counts the requests for each question, and answers when it is told to. */
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen } from '../agents/emulator.ts'
import { temporaryFolder } from '../support/convene.ts'

export interface CountedModel {
  /** A project whose one agent, `gpt`, is this model. */
  folder: string
  env: Record<string, string>
  /** How often each question, such as `question 7`, was sent. */
  requests: Map<string, number>
  /** Questions whose answer was sent completely. */
  answered: Set<string>
  /** Answers what waits, and everything later at once. */
  release(): void
  answerOne(question: string): void
}

export async function countedModel({ held = false } = {}): Promise<CountedModel> {
  const requests = new Map<string, number>()
  const answered = new Set<string>()
  const waiting: { question: string; response: ServerResponse }[] = []
  let holds = held
  const answer = (question: string, response: ServerResponse) => {
    response.on('finish', () => answered.add(question))
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${chunk({ role: 'assistant', content: `Answer to ${question}.` }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`,
    )
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const question = /question \d+/.exec(body)?.[0] ?? 'something else'
    requests.set(question, (requests.get(question) ?? 0) + 1)
    if (holds) waiting.push({ question, response })
    else answer(question, response)
  })
  const address = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = temporaryFolder({
    'convene.yaml': `agents:\n  gpt: { provider: openai-compatible, model: m, base_url: "${address}/v1", api_key_env: CROWD_KEY }\n`,
  })
  return {
    folder,
    env: { CROWD_KEY: 'sk-crowd', CONVENE_TRUST: '1' },
    requests,
    answered,
    release() {
      holds = false
      for (const { question, response } of waiting.splice(0)) answer(question, response)
    },
    answerOne(wanted) {
      const index = waiting.findIndex(({ question, response }) => question === wanted && !response.destroyed)
      const [found] = waiting.splice(index, 1)
      answer(found!.question, found!.response)
    },
  }
}
