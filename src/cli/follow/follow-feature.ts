/** Follows the issue loop of a feature, and prints the state of its issues at the end. */
import { buildStarted, nodeStarted } from '../../build/events.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { refusalLine } from '../../rules/evidence/refusal-line.ts'
import {
  failureAnalysed,
  issueDone,
  issueMoved,
  issueStarted,
  retryStarted,
  verificationFailed,
} from '../../ship/events.ts'
import type { FeatureRunReport } from '../../ship/feature/features.ts'
import type { Client } from '../client/client.ts'
import { describeBuildEvent } from '../display/build-display.ts'
import { issueLines, needsPerson, trackerLines } from '../display/issue-lines.ts'
import type { Output } from '../display/output.ts'
import { afterFailure, exitCodeOf, followWork, questionLines, stoppedLine } from './follow-work.ts'
import { lineDisplay } from './line-display.ts'

export async function followFeature(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
  resumedAt?: number,
  countsAfter?: number,
): Promise<number> {
  const work = {
    id,
    report: () => client.call('GET /api/feature-runs/:run/report', { params: { run: id } }),
    resumedAt,
    countsAfter,
  }
  const report = await followWork(
    client,
    work,
    output,
    interrupted,
    lineDisplay(output, describeFeatureEvent, () => 'building'),
  )
  const { code: _code, ...shown } = report
  output.data(shown)
  for (const line of issueLines(report, output)) output.print(line)
  for (const line of inWords(report, output)) output.print(line)
  await sayNextStep(client, id, report, output)
  for (const line of trackerLines(report)) output.note(line)
  return exitCodeOf(report)
}

/** After a failure that no blocked issue explains. */
export async function sayNextStep(
  client: Client,
  id: string,
  {
    status,
    issues,
    feature,
    error,
    reason,
  }: Pick<FeatureRunReport, 'status' | 'issues' | 'feature' | 'error' | 'reason'>,
  output: Output,
): Promise<void> {
  if (status !== 'failed' || issues.some(needsPerson)) return
  const lines = await afterFailure(client, id, `convene run ${feature}`, error?.message ?? reason)
  for (const line of lines) output.print(line)
}

function inWords(
  { run, status, branch, reason, error, questions = [], merged, pull_request }: FeatureRunReport,
  output: Output,
): string[] {
  switch (status) {
    case 'done':
      return [
        `${output.style('green', 'done')}  ${branch}${merged ? ', merged' : ''}`,
        ...(pull_request ? [`pull request ${pull_request.url}`] : []),
      ]
    case 'waiting':
      return questionLines(run, questions, output)
    case 'stopped':
      return [stoppedLine(run, output)]
    default:
      return [`${output.style('red', 'failed')}  ${(error?.message ?? reason ?? 'no reason given').split('\n')[0]}`]
  }
}

export function describeFeatureEvent(event: StoredEvent): string | null {
  if (issueStarted.is(event)) return `#${event.data.issue} started`
  if (verificationFailed.is(event))
    return `#${event.data.issue} attempt ${event.data.attempt} failed: ${refusalLine(event.data.detail)}`
  if (failureAnalysed.is(event) && event.data.by === 'coordinator')
    return `#${event.data.issue} ${event.data.diagnosis} → ${event.data.recommendation}: ${event.data.reason}`
  if (retryStarted.is(event)) return `#${event.data.issue} attempt ${event.data.attempt}`
  if (issueDone.is(event)) return `#${event.data.issue} done as ${event.data.commit.slice(0, 10)}`
  if (issueMoved.is(event) && ['BLOCKED', 'SKIPPED', 'MANUAL_REQUIRED', 'SPLIT'].includes(event.data.to))
    return `#${event.data.issue} ${event.data.to}: ${(event.data.reason ?? '').split('\n')[0]}`
  // The steps of the issue's build. `started` was shown for the issue as a whole.
  return buildStarted.is(event) || nodeStarted.is(event) ? null : describeBuildEvent(event)
}
