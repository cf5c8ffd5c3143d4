/** `convene_build`: builds a spec into a verified branch. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { buildStrategies, specSchema } from '../../rules/build/spec.ts'
import { defineTool, resultOf, wait } from '../calls/tool.ts'

export const buildTool = defineTool({
  name: 'convene_build',
  title: 'Build a spec',
  description:
    'Build one spec: tests first, in worktrees, verified by Convene, merged into the branch convene/<id>/main. Never edits the checkout unless `merge` is true.',
  input: z.strictObject({
    spec: specSchema,
    strategy: z.enum(buildStrategies).optional(),
    merge: z.boolean().optional(),
    wait,
  }),
  output: resultOf({ run: z.string(), status: z.string() }),
  startsWork: true,
  async run({ wait: waits = true, ...request }, call) {
    const owner = await call.owner()
    const id = `build-${randomUUID()}`
    await owner.call('POST /api/builds', { body: { ...request, id } })
    call.track(id)
    if (!waits) return { id, run: id, status: 'running' }
    const { followWork } = await import('../../calls/follow-run.ts')
    const report = await followWork(call, id, (at) =>
      at.call('GET /api/builds/:build/report', { params: { build: id } }),
    )
    const { code: _code, ...shown } = report
    return shown
  },
})
