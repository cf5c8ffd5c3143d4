/** `convene_answer`: answers a question, and lets its run continue. */
import { z } from 'zod'
import { defineTool, resultOf } from '../calls/tool.ts'

export const answerTool = defineTool({
  name: 'convene_answer',
  title: 'Answer a question',
  description:
    'Answer a question of a run with one of its choices or with text. Pass on what the person said; do not decide for them. The run continues; follow it with convene_status.',
  input: z.strictObject({ id: z.string().min(1), answer: z.string().min(1) }),
  output: resultOf({ answered: z.string(), run: z.string(), status: z.string() }),
  startsWork: true,
  async run({ id, answer }, call) {
    const owner = await call.owner()
    const { events } = await owner.call('GET /api/events', { query: { last: 1 } })
    const { run } = await owner.call('POST /api/questions/:question/answer', {
      params: { question: id },
      body: { text: answer },
    })
    // A child's id begins with its parent's: the whole tree continues.
    const [root = run] = run.split('/')
    const { status } = await owner.call('POST /api/runs/:run/resume', { params: { run: root } })
    call.track(root, events[0]?.seq ?? 0)
    return { answered: id, run: root, status }
  },
})
