/** `convene ship`: plans, builds and merges a goal. */
import { randomUUID } from 'node:crypto'
import { costLine } from '../../kernel/ask/cost-line.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { shipIssues } from '../../ship/events.ts'
import { plannedIssueWords } from '../../ship/ship/planned-issue-words.ts'
import type { ShipReport } from '../../ship/ship/ships.ts'
import { type Client, connect } from '../client/client.ts'
import { issueLines } from '../display/issue-lines.ts'
import type { Output } from '../display/output.ts'
import { describeFeatureEvent, sayNextStep } from '../follow/follow-feature.ts'
import { describePlanEvent } from '../follow/follow-plan.ts'
import { afterFailure, canAnswer, exitCodeOf, followWork, questionLines, stoppedLine } from '../follow/follow-work.ts'
import { lineDisplay } from '../follow/line-display.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { advise, modeOf, readAnswers } from './plan.ts'

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
    throw new ConveneError('invalid_input', 'goal: the goal is empty', {
      path: 'goal',
      expected: 'the goal in a sentence',
    })
  const mode = modeOf(options.mode)
  const answers = options.answers === undefined ? [] : readAnswers(options.answers)
  const client = await connect(context)
  try {
    const preset = options.preset === undefined ? {} : { preset: options.preset }
    const advice = await client.call('POST /api/plans/advice', { body: { goal, ...preset } })
    if (!context.output.json) advise(advice, mode ?? advice.mode, context.output)
    return await untilInterrupted(async (interrupted) => {
      const id = `ship-${randomUUID()}`
      await client.call('POST /api/ships', {
        body: {
          goal,
          id,
          answers,
          yes: Boolean(options.yes),
          look: canAnswer(context.output),
          merge: Boolean(options.merge),
          smart: Boolean(options.smart),
          ...(mode === undefined ? {} : { mode }),
          ...preset,
        },
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
  resumedAt?: number,
): Promise<number> {
  const describe = (event: StoredEvent) =>
    issuesToBuild(event) ?? describePlanEvent(event, output) ?? describeFeatureEvent(event)
  const work = {
    id,
    report: () => client.call('GET /api/ships/:ship/report', { params: { ship: id } }),
    printsCost: true,
    resumedAt,
  }
  const report = await followWork(
    client,
    work,
    output,
    interrupted,
    lineDisplay(output, describe, () => 'working'),
  )
  const { code: _code, ...shown } = report
  output.data(shown)
  const issues = report.issues.map((issue) => ({ ...issue, evidence: [], elsewhere: [] }))
  for (const line of issueLines({ feature: report.feature, issues }, output)) output.print(line)
  for (const line of inWords(report, output)) output.print(line)
  if (issues.length > 0) await sayNextStep(client, id, { ...report, issues }, output)
  else for (const line of await afterPlan(client, id, report)) output.print(line)
  return exitCodeOf(report)
}

/** What to do about a ship that failed before there was a feature to run. */
async function afterPlan(client: Client, id: string, { status, code, plan, error }: ShipReport): Promise<string[]> {
  if (status !== 'failed' || code === 'not_built') return []
  const look = plan === '' ? '' : `convene plan --show ${plan}, then `
  return afterFailure(client, id, `${look}start again: convene ship "<goal>"`, error?.message)
}

/** The issues, unless the person has just approved them. */
function issuesToBuild(event: StoredEvent): string | null {
  if (!shipIssues.is(event) || event.data.approved) return null
  return ['issues to build:', ...event.data.issues.map((issue) => `  ${plannedIssueWords(issue)}`)].join('\n')
}

function inWords(report: ShipReport, output: Output): string[] {
  const { run, status, branch, reason, error, questions = [], merged, cost, seconds = 0 } = report
  const spent = cost ? [output.style('dim', `spent: ${costLine(cost, seconds * 1000)}`)] : []
  switch (status) {
    case 'done': {
      const how = merged ? ', merged into the branch you are on' : `; merge it with: git merge ${branch}`
      return [`${output.style('green', 'shipped')}  ${doneWords(report)}: ${branch}${how}`, ...spent]
    }
    case 'waiting':
      return questionLines(run, questions, output)
    case 'stopped':
      return [stoppedLine(run, output)]
    default: {
      const why = (error?.message ?? reason ?? 'no reason given').split('\n')[0]
      return [`${output.style('red', 'failed')}   ${why}`, ...spent]
    }
  }
}

function doneWords({ issues }: ShipReport): string {
  const all = issues.filter(({ state }) => state !== 'SPLIT')
  return `${all.filter(({ state }) => state === 'DONE').length} of ${all.length} issues`
}
