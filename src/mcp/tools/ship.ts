/** `convene_ship`: plans, builds and merges a goal. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '../../calls/caller.ts'
import { defineTool, resultOf } from '../calls/tool.ts'
import { goalInput, planFiles, workOutput } from './plan.ts'

export const shipTool = defineTool({
  name: 'convene_ship',
  title: 'Ship a goal',
  description:
    'Plan a goal, build its issues in parallel, verify and merge them into a branch of their own. Takes long: prefer `wait: false` and convene_status. With `merge`, the result goes into the branch that is checked out.',
  input: z.strictObject({ ...goalInput, merge: z.boolean().optional() }),
  output: resultOf(workOutput),
  startsWork: true,
  async run({ wait: waits = true, ...goal }, call) {
    const owner = await call.owner()
    const id = `ship-${randomUUID()}`
    await owner.call('POST /api/ships', { body: { ...goal, id } })
    call.track(id)
    return { id, run: id, ...(waits ? await outcome(call, id) : { status: 'running' }) }
  },
})

async function outcome(call: Caller, id: string): Promise<object> {
  const { followWork } = await import('../../calls/follow-run.ts')
  const report = await followWork(call, id, (owner) =>
    owner.call('GET /api/ships/:ship/report', { params: { ship: id } }),
  )
  const { code: _code, run: _run, ...rest } = report
  const files = report.plan === '' ? {} : await planFiles(await call.owner(), report.plan).catch(() => ({}))
  return { ...files, ...rest }
}
