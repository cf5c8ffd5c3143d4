/** `convene compare`: builds a spec by one agent alone and by the graph, and shows both side by side. */
import { randomUUID } from 'node:crypto'
import type { ComparisonReport } from '../../ship/compare/comparisons.ts'
import { type Client, connect } from '../client/client.ts'
import { describeBuildEvent } from '../display/build-display.ts'
import type { Output } from '../display/output.ts'
import { exitCodeOf, followWork, questionLines, stoppedLine } from '../follow/follow-work.ts'
import { lineDisplay } from '../follow/line-display.ts'
import { readSpec } from './build.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

export async function compareCommand(context: CommandContext, file: string): Promise<number> {
  const spec = readSpec(file)
  const client = await connect(context)
  try {
    return await untilInterrupted(async (interrupted) => {
      const id = `compare-${randomUUID()}`
      await client.call('POST /api/comparisons', { body: { spec, id } })
      return followComparison(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
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
    lineDisplay(output, describeBuildEvent, () => 'building'),
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
    ...figures.map(([name, figure]) => [name, ...sides.map(figure)]),
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
  const [one, other] = sides.map(({ branch }) => branch)
  return [...table, ...why, output.style('dim', `see both: git diff ${one} ${other}`)]
}

type Side = ComparisonReport['sides'][number]

const figures: [string, (side: Side) => string][] = [
  ['result', ({ status }) => status],
  ['cost', ({ cost: { usd } }) => (usd === null ? 'unknown' : `$${usd.toFixed(2)}`)],
  ['tokens', ({ cost }) => String(cost.tokens)],
  ['calls', ({ cost }) => String(cost.calls)],
  ['time', ({ seconds }) => `${seconds} s`],
  ['tests', ({ tests }) => (tests ? `${tests.passed} passed, ${tests.failed} failed` : 'none ran')],
  ['verified by', ({ evidence: { commands } }) => `${commands} ${commands === 1 ? 'command' : 'commands'}`],
  ['sent back', ({ evidence: { refusals } }) => `${refusals} ${refusals === 1 ? 'reply' : 'replies'}`],
  ['diff', ({ diff }) => `${diff.files} ${diff.files === 1 ? 'file' : 'files'}, +${diff.added} -${diff.removed}`],
  ['branch', ({ branch }) => branch],
]
