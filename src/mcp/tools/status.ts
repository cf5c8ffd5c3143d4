/** `convene_status`: what the project is working on, one feature, or one run with its report. */
import { z } from 'zod'
import type { ApiClient } from '../../serve/call.ts'
import { defineTool, resultOf } from '../calls/tool.ts'

/** The newest runs are enough to see what is going on. */
const mostRuns = 50

export const statusTool = defineTool({
  name: 'convene_status',
  title: 'Show features and runs',
  description:
    'Without arguments: all features and the newest runs. With `feature`: its issues, in sync with git. With `run`: that run and, for a plan, build or ship, its report.',
  input: z.strictObject({ feature: z.string().min(1).optional(), run: z.string().min(1).optional() }),
  output: resultOf({}),
  readOnly: true,
  async run({ feature, run }, call) {
    const owner = await call.owner()
    if (feature !== undefined) return owner.call('GET /api/features/:feature/status', { params: { feature } })
    if (run !== undefined) {
      const { journal: _journal, ...listing } = await owner.call('GET /api/runs/:run', { params: { run } })
      const report = await reportOf(owner, listing)
      return { runs: [listing], ...(report ? { report } : {}) }
    }
    const { features } = await owner.call('GET /api/features')
    const { runs } = await owner.call('GET /api/runs')
    return { features, runs: runs.slice(0, mostRuns) }
  },
})

async function reportOf(owner: ApiClient, { id, kind }: { id: string; kind: string }): Promise<object | null> {
  if (kind === 'build') return owner.call('GET /api/builds/:build/report', { params: { build: id } })
  if (kind === 'plan') return owner.call('GET /api/plans/:plan/report', { params: { plan: id } })
  if (kind === 'ship') return owner.call('GET /api/ships/:ship/report', { params: { ship: id } })
  return null
}
