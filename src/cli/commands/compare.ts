/** `convene compare`: builds a spec, or plans a goal, by one agent alone and by Convene, and shows both side by side. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Spec } from '../../rules/build/spec.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import type { ComparisonReport, GoalRequest } from '../../ship/compare/comparisons.ts'
import { type Client, connect } from '../client/client.ts'
import { describeBuildEvent } from '../display/build-display.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { describePlanEvent } from '../follow/follow-plan.ts'
import { exitCodeOf, followWork, questionLines, stoppedLine } from '../follow/follow-work.ts'
import { lineDisplay } from '../follow/line-display.ts'
import { readSpec } from './build.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { modeOf } from './plan.ts'

interface CompareOptions {
  build?: boolean
  mode?: string
  yes?: boolean
}

export async function compareCommand(context: CommandContext, what: string, options: CompareOptions): Promise<number> {
  const request = requestFor(what, options)
  const client = await connect(context)
  try {
    return await untilInterrupted(async (interrupted) => {
      const id = `compare-${randomUUID()}`
      await client.call('POST /api/comparisons', { body: { ...request, id } })
      return followComparison(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
  }
}

/** What exists, or is named like a file of data, is a spec; anything else is a goal. */
function requestFor(what: string, options: CompareOptions): { spec: Spec } | GoalRequest {
  if (existsSync(what) || /^\S+\.(?:json|ya?ml)$/i.test(what)) return { spec: readSpec(what) }
  const mode = modeOf(options.mode)
  return {
    goal: what,
    yes: Boolean(options.yes),
    ...(options.build ? { build: true } : {}),
    ...(mode === undefined ? {} : { mode }),
  }
}

export async function followComparison(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
  resumedAt?: number,
): Promise<number> {
  const report = await followWork(
    client,
    {
      id,
      report: () => client.call('GET /api/comparisons/:comparison/report', { params: { comparison: id } }),
      resumedAt,
    },
    output,
    interrupted,
    lineDisplay(
      output,
      (event) => describeBuildEvent(event) ?? describePlanEvent(event, output),
      () => 'working',
    ),
  )
  const { code: _code, ...shown } = report
  output.data(shown)
  for (const line of inWords(report, output)) output.print(line)
  return report.status === 'done' && report.sides.some(({ status }) => status === 'failed') ? 1 : exitCodeOf(report)
}

function inWords({ run, status, reason, sides, questions = [] }: ComparisonReport, output: Output): string[] {
  if (status === 'waiting') return questionLines(run, questions, output)
  if (status === 'stopped') return [stoppedLine(run, output)]
  if (status !== 'done') return [`${output.style('red', 'failed')}  ${reason ?? 'no reason given'}`]
  const rows = [
    ['', ...sides.map(({ strategy }) => strategy)],
    ...figures
      .map(([name, figure]) => [name, ...sides.map((side) => figure(side) ?? '')])
      .filter((row) => row.slice(1).some(Boolean)),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  const why = sides.flatMap(({ strategy, reason: failure }) =>
    failure ? [`${strategy}: ${failure.split('\n')[0]}`] : [],
  )
  return [...table, ...why, ...results(sides, output)]
}

/** Where to look at both: the branches, or the issues of each plan. */
function results(sides: readonly Side[], output: Output): string[] {
  const [one, other] = sides.map(({ branch }) => branch)
  if (one !== undefined && other !== undefined) return [output.style('dim', `see both: git diff ${one} ${other}`)]
  return sides.flatMap(({ strategy, planned }) =>
    planned
      ? [
          '',
          output.style('bold', planned.folder ? `${strategy}  ${planned.folder}` : strategy),
          ...planned.issues.flatMap(({ number, title, criteria }) => [
            `  #${number}  ${printable(title)}  (${plural(criteria.length, 'criterion', 'criteria')})`,
            ...criteria.map((text) => output.style('dim', `      - ${printable(oneLine(text, 160))}`)),
          ]),
        ]
      : [],
  )
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

type Side = ComparisonReport['sides'][number]

/** A row that neither side has a figure for is left out. */
const figures: [string, (side: Side) => string | undefined][] = [
  ['result', ({ status }) => status],
  ['cost', ({ cost: { usd } }) => (usd === null ? 'unknown' : `$${usd.toFixed(2)}`)],
  ['tokens', ({ cost }) => String(cost.tokens)],
  ['asks', ({ cost }) => String(cost.asks)],
  ['requests', ({ cost }) => String(cost.calls)],
  ['time', ({ seconds }) => `${seconds} s`],
  ['issues', ({ planned }) => planned && String(planned.issues.length)],
  ['criteria', ({ planned }) => planned && String(planned.issues.flatMap(({ criteria }) => criteria).length)],
  ['tests', built(({ tests }) => (tests ? `${tests.passed} passed, ${tests.failed} failed` : 'none ran'))],
  ['verified by', built(({ evidence }) => plural(evidence.commands, 'command'))],
  ['sent back', built(({ evidence }) => plural(evidence.refusals, 'reply', 'replies'))],
  ['diff', built(({ diff }) => `${plural(diff.files, 'file')}, +${diff.added} -${diff.removed}`)],
  ['branch', ({ branch }) => branch],
]

/** A figure that only a side with a branch has. */
function built(figure: (side: Side) => string): (side: Side) => string | undefined {
  return (side) => (side.branch === undefined ? undefined : figure(side))
}
