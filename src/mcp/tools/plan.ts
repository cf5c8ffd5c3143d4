/** `convene_plan`: turns a goal into a reviewed design and issues. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '../../calls/caller.ts'
import { askedModes } from '../../rules/plan/mode.ts'
import type { ApiClient } from '../../serve/call.ts'
import { planFileUri } from '../calls/resource-uris.ts'
import { defineTool, resultOf, wait } from '../calls/tool.ts'

/** What plans and ships have in common. */
export const goalInput = {
  goal: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  mode: z.enum(askedModes).describe('How thoroughly to plan; auto sizes the plan by its goal').optional(),
  preset: z.string().min(1).optional(),
  answers: z
    .array(z.strictObject({ match: z.string().min(1), answer: z.string().min(1) }))
    .describe('Answers prepared in advance: the first whose `match` occurs in a question answers it')
    .optional(),
  yes: z.boolean().describe('Ask nothing: make assumptions, and list them in the plan').optional(),
  wait,
}

export const workOutput = {
  id: z.string(),
  run: z.string(),
  status: z.string(),
  plan: z.string().describe('The folder of the plan, as in `convene://plans/{plan}/{file}`').optional(),
  questions: z.array(z.looseObject({ id: z.string(), text: z.string() })).optional(),
  artefacts: z.array(z.object({ file: z.string(), uri: z.string() })).optional(),
  issues: z.array(z.looseObject({ number: z.number(), title: z.string() })).optional(),
}

export const planTool = defineTool({
  name: 'convene_plan',
  title: 'Plan a goal',
  description:
    'Plan a goal with several agents: research, questions, design, review, tests and issues. Waits until the plan is done or has a question for a person.',
  input: z.strictObject(goalInput),
  output: resultOf(workOutput),
  startsWork: true,
  async run({ wait: waits = true, ...goal }, call) {
    const owner = await call.owner()
    const id = `plan-${randomUUID()}`
    const { plan } = await owner.call('POST /api/plans', { body: { ...goal, id } })
    call.track(id)
    return { id, run: id, plan, ...(waits ? await outcome(call, id) : { status: 'running' }) }
  },
})

async function outcome(call: Caller, id: string): Promise<object> {
  const { followWork } = await import('../../calls/follow-run.ts')
  const report = await followWork(call, id, (owner) =>
    owner.call('GET /api/plans/:plan/report', { params: { plan: id } }),
  )
  const { code: _code, run: _run, issues: _issues, ...rest } = report
  return { ...rest, ...(await planFiles(await call.owner(), report.plan)) }
}

/** The files of a plan as resources, and its issues once they are written. */
export async function planFiles(owner: ApiClient, plan: string): Promise<object> {
  const { files } = await owner.call('GET /api/plans/:plan/files', { params: { plan } })
  const shown = files.filter((file) => !file.startsWith('.'))
  const artefacts = shown.map((file) => ({ file, uri: planFileUri(plan, file) }))
  if (!shown.includes('issues.json')) return { artefacts }
  const { text } = await owner.call('GET /api/plans/:plan/files/:file', { params: { plan, file: 'issues.json' } })
  const { issues } = JSON.parse(text) as { issues: { number: number; title: string }[] }
  return { artefacts, issues: issues.map(({ number, title }) => ({ number, title })) }
}
