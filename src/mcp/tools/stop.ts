/** `convene_stop`: stops a run. */
import { z } from 'zod'
import { defineTool, resultOf } from '../calls/tool.ts'

export const stopTool = defineTool({
  name: 'convene_stop',
  title: 'Stop a run',
  description: 'Stop a run. A plan, build or ship is parked and can be resumed; nothing is lost.',
  input: z.strictObject({ run: z.string().min(1) }),
  output: resultOf({ id: z.string(), status: z.string() }),
  run: async ({ run }, call) => (await call.owner()).call('POST /api/runs/:run/stop', { params: { run } }),
})
