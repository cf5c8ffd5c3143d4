/** `convene greenlight`, `run`, `status` and `unblock`: the issues of a feature. */
import { randomUUID } from 'node:crypto'
import { ConveneError } from '../../kernel/errors.ts'
import type { Question } from '../../kernel/runs/question-events.ts'
import type { FeatureReport } from '../../ship/feature/features.ts'
import { featureName } from '../../ship/feature-name.ts'

import { issueLines, trackerLines } from '../display/issue-lines.ts'
import type { Output } from '../display/output.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { withClient } from './with-client.ts'

export async function greenlightCommand(
  context: CommandContext,
  name: string,
  options: { issues?: string; fromGithub?: string },
): Promise<number> {
  const feature = featureName(name)
  const issues =
    options.issues === undefined ? [] : (await import('./read-issues.ts')).readIssues(options.issues, feature)
  return withClient(context, { brief: true }, async (client, output) => {
    return say(
      await client.call('POST /api/features/:feature/greenlight', {
        params: { feature },
        body: { issues, ...(options.fromGithub === undefined ? {} : { from_github: options.fromGithub }) },
      }),
      output,
    )
  })
}

export async function statusCommand(
  context: CommandContext,
  name: string | undefined,
  options: { reviewed?: string } = {},
): Promise<number> {
  const feature = name === undefined ? undefined : featureName(name)
  const reviewed = options.reviewed === undefined ? undefined : whichOnes(options.reviewed)
  if (reviewed && feature === undefined)
    throw new ConveneError('invalid_input', '--reviewed needs a feature: convene status <feature> --reviewed all', {
      path: 'feature',
    })
  return withClient(context, { brief: true }, async (client, output) => {
    if (feature !== undefined) {
      const params = { feature }
      if (reviewed) await client.call('POST /api/features/:feature/reviewed', { params, body: reviewed })
      return say(await client.call('GET /api/features/:feature/status', { params }), output)
    }
    const [{ features }, { questions }, { runs: unrecorded }] = await Promise.all([
      client.call('GET /api/features'),
      client.call('GET /api/questions'),
      client.call('GET /api/runs', { query: { unrecorded: 'true' } }),
    ])
    output.data({ features, questions: questions.length, ...(unrecorded.length > 0 && { unrecorded }) })
    for (const { id, reason } of unrecorded)
      output.print(output.style('red', `run ${id} has stopped because nothing can be recorded: ${reason}`))
    for (const line of waitingLines(questions)) output.print(output.style('yellow', line))
    if (features.length === 0 && questions.length === 0 && unrecorded.length === 0)
      output.print('No features yet. `convene greenlight <feature> --issues issues.json` starts one.')
    for (const { feature: one, issues, done, blocked } of features)
      output.print(`${one}  ${done} of ${issues} done${blocked > 0 ? output.style('red', `, ${blocked} blocked`) : ''}`)
    return 0
  })
}

/** One line for each plan or run that waits for an answer. */
function waitingLines(questions: readonly Question[]): string[] {
  const waiting = new Map<string, number>()
  for (const { run, context } of questions) {
    const name = typeof context.plan === 'string' ? `plan ${context.plan}` : `run ${run.split('/')[0]}`
    waiting.set(name, (waiting.get(name) ?? 0) + 1)
  }
  return [...waiting].map(([name, count]) => {
    return `${name} waits for your answer to ${count === 1 ? '1 question' : `${count} questions`}: convene questions`
  })
}

/** `all`, or numbers separated by commas. */
function whichOnes(given: string): { all: true } | { issues: number[] } {
  if (given.trim() === 'all') return { all: true }
  const issues = given.split(',').map((one) => wholeNumber(one.trim().replace(/^#/, ''), '--reviewed', { min: 1 })!)
  return { issues }
}

export async function unblockCommand(
  context: CommandContext,
  name: string,
  options: { issue: string },
): Promise<number> {
  const feature = featureName(name)
  const issue = wholeNumber(options.issue, '--issue', { min: 1 })!
  return withClient(context, { brief: true }, async (client, output) => {
    return say(
      await client.call('POST /api/features/:feature/unblock', { params: { feature }, body: { issue } }),
      output,
    )
  })
}

export async function runCommand(
  context: CommandContext,
  name: string,
  options: {
    issue?: string
    smart?: boolean
    merge?: boolean
    pullRequest?: boolean
    answers?: string
    yes?: boolean
  },
): Promise<number> {
  const feature = featureName(name)
  const issue = wholeNumber(options.issue, '--issue', { min: 1 })
  const answers = options.answers === undefined ? [] : (await import('./plan.ts')).readAnswers(options.answers)
  const { followFeature } = await import('../follow/follow-feature.ts')
  return withClient(context, {}, (client, output) =>
    untilInterrupted(async (interrupted) => {
      const {
        id,
        warnings = [],
        continues,
      } = await client.call('POST /api/features/:feature/runs', {
        params: { feature },
        body: {
          id: `run-${randomUUID()}`,
          smart: Boolean(options.smart),
          merge: Boolean(options.merge),
          ...(options.pullRequest === undefined ? {} : { pull_request: options.pullRequest }),
          ...(issue === undefined ? {} : { issue }),
          ...(answers.length > 0 ? { answers } : {}),
          ...(options.yes ? { yes: true } : {}),
        },
      })
      for (const warning of warnings) output.note(warning)
      if (continues !== undefined) output.note(`continuing ${id}, which was under way; only what is new is counted`)
      return followFeature(client, id, output, interrupted, undefined, continues)
    }),
  )
}

export function say(report: FeatureReport, output: Output): number {
  output.data(report)
  if (report.forge_off !== undefined) output.note(`${report.forge_off}.`)
  for (const warning of report.warnings ?? []) output.note(warning)
  if (report.synced > 0)
    output.print(output.style('dim', `${report.synced} ${report.synced === 1 ? 'issue' : 'issues'} synced from git`))
  for (const line of issueLines(report, output)) output.print(line)
  if (report.reason !== undefined) output.print(output.style('yellow', report.reason))
  for (const line of trackerLines(report)) output.note(line)
  return 0
}
