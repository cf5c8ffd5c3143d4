/** `convene_questions`: the questions that wait for a person. */
import { z } from 'zod'
import { defineTool, resultOf } from '../calls/tool.ts'

export const questionsTool = defineTool({
  name: 'convene_questions',
  title: 'List open questions',
  description: 'List the questions that runs have for a person, with their choices.',
  input: z.strictObject({}),
  output: resultOf({ questions: z.array(z.looseObject({ id: z.string(), run: z.string(), text: z.string() })) }),
  readOnly: true,
  run: async (_input, call) => (await call.owner()).call('GET /api/questions'),
})
