/** `convene ship`: one goal in, merged code out. */
import { randomUUID } from 'node:crypto'
import { ConveneError } from '../kernel/errors.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { PlanAdvice } from '../plan/plans.ts'
import type { ShipReport } from '../ship/ships.ts'
import { type Client, connect } from './client.ts'
import { describeFeatureEvent } from './follow-feature.ts'
import { describePlanEvent } from './follow-plan.ts'
import { exitCodeOf, followWork, questionLines } from './follow-work.ts'
import { untilInterrupted } from './interrupt.ts'
import { issueLines } from './issue-lines.ts'
import { createSpinner, type Output } from './output.ts'
import { advise, modeOf, readAnswers } from './plan-command.ts'
import { printable } from './printable.ts'
import type { CommandContext } from './program.ts'

interface ShipOptions {
  mode?: string
  preset?: string
  answers?: string
  merge?: boolean
  smart?: boolean
  yes?: boolean
}

export async function shipCommand(context: CommandContext, goal: string, options: ShipOptions): Promise<number> {
  if (goal.trim() === '')
    throw new ConveneError('invalid_input', 'goal: there is nothing to ship', {
      path: 'goal',
      expected: 'what should be reached, in a sentence',
    })
  const mode = modeOf(options.mode)
  const answers = options.answers === undefined ? [] : readAnswers(options.answers)
  const client = await connect(context)
  try {
    const preset = options.preset === undefined ? {} : { preset: options.preset }
    const advice = await client.post<PlanAdvice>('/api/plans/advice', { goal, ...preset })
    if (!context.output.json) advise(advice, mode, context.output)
    return await untilInterrupted(async (interrupted) => {
      const id = `ship-${randomUUID()}`
      await client.post('/api/ships', {
        goal,
        id,
        answers,
        yes: Boolean(options.yes),
        merge: Boolean(options.merge),
        smart: Boolean(options.smart),
        ...(mode === undefined ? {} : { mode }),
        ...preset,
      })
      return followShip(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
  }
}

export async function followShip(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
): Promise<number> {
  const spinner = createSpinner()
  const work = { id, path: `/api/ships/${encodeURIComponent(id)}` }
  const report = await followWork<ShipReport>(client, work, output, interrupted, {
    show(event: StoredEvent) {
      const line = describePlanEvent(event, output) ?? describeFeatureEvent(event)
      if (!line) return
      spinner.spin(null)
      output.note(printable(line))
      if (!output.json) spinner.spin('working')
    },
    over: () => spinner.spin(null),
  })
  const { code: _code, ...shown } = report
  output.data(shown)
  const issues = report.issues.map((issue) => ({ ...issue, evidence: [], elsewhere: [] }))
  for (const line of issueLines({ feature: report.feature, issues, synced: 0 }, output)) output.print(line)
  for (const line of inWords(report, output)) output.print(line)
  return exitCodeOf(report)
}

function inWords({ run, status, branch, reason, questions = [], merged }: ShipReport, output: Output): string[] {
  switch (status) {
    case 'done':
      return [
        `${output.style('green', 'shipped')}  ${branch}${merged ? ', merged' : `; merge it with: git merge ${branch}`}`,
      ]
    case 'waiting':
      return questionLines(run, questions, output)
    case 'stopped':
      return [`${output.style('yellow', 'stopped')}  nothing is lost; go on with: convene resume ${run}`]
    default:
      return [`${output.style('red', 'failed')}  ${(reason ?? 'no reason was given').split('\n')[0]}`]
  }
}
