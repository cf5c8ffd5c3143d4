/** Follows a build until it ends or needs a person, and prints its state. */
import type { BuildReport } from '../../build/graph/builds.ts'
import { buildView } from '../../build/view.ts'
import type { Client } from '../client/client.ts'
import { buildDisplay, describeBuildEvent } from '../display/build-display.ts'
import type { Output } from '../display/output.ts'
import { afterFailure, exitCodeOf, followWork, questionLines, stoppedLine } from './follow-work.ts'

export async function followBuild(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
  resumedAt?: number,
): Promise<number> {
  const fold = buildView(id)
  const display = buildDisplay(output)
  let view = fold.initial()
  const work = { id, report: () => client.call('GET /api/builds/:build/report', { params: { build: id } }), resumedAt }
  const report = await followWork(client, work, output, interrupted, {
    show(event) {
      view = fold.evolve(view, event)
      display.show(view, event)
    },
    skip(event) {
      view = fold.evolve(view, event)
      display.view = view
      return describeBuildEvent(event)
    },
    over: display.over,
  })
  const { code: _code, ...shown } = report
  output.data(shown)
  output.print(inWords(report, output))
  if (report.status === 'failed') for (const line of await next(client, report)) output.print(line)
  return exitCodeOf(report)
}

function next(client: Client, { run, error, reason }: BuildReport): Promise<string[]> {
  const again = 'correct the spec or the project, then start again: convene build <spec>'
  return afterFailure(client, run, again, error?.message ?? reason)
}

function inWords(report: BuildReport, output: Output): string {
  const { run, status, branch, commit, error, questions = [], merged } = report
  const reason = error?.message ?? report.reason
  const short = commit?.slice(0, 10) ?? ''
  switch (status) {
    case 'done': {
      const where = merged ? 'and merged' : `merge it with: git merge ${branch}`
      return `${output.style('green', 'done')}  ${branch} at ${short}, ${where}`
    }
    case 'waiting':
      return questionLines(run, questions, output).join('\n')
    case 'stopped':
      return stoppedLine(run, output)
    default: {
      const kept = commit ? `; the work so far is on ${branch} at ${short}` : ''
      return `${output.style('red', 'failed')}  ${reason ?? 'no reason given'}${kept}`
    }
  }
}
