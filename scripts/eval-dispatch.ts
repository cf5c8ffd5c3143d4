/** Measures the dispatch rule on messages whose senders' wishes are known: `npm run eval:dispatch -- [messages.jsonl …] [--rule seed] [--json]`. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { rule } from '../src/rules/room/dispatch.ts'
import { type DispatchMeasures, measureDispatch, type Wanted } from '../src/rules/room/dispatch-measures.ts'
import { applyRule } from '../src/rules/schema/rule.ts'
import { oneLine } from '../src/rules/text/one-line.ts'
import { EvaluationError, rowsOf } from './evaluation.ts'

const example = join(import.meta.dirname, '..', 'examples', 'dispatch.jsonl')

const usage = `usage: npm run eval:dispatch -- [<file> …] [--rule measured|seed] [--misses] [--json]

Each line of a file is one message: {"message", "history", "proposals", "wanted", "acceptable", "good_alone"}, the last
three with one entry for each judge. Without a file, examples/dispatch.jsonl is measured.`

const mode = z.enum(['solo', 'parallel', 'synthesis'])
const rowSchema = z.object({
  message: z.string(),
  history: z.array(z.object({ sender: z.string(), text: z.string() })).default([]),
  agents: z.array(z.string()).optional(),
  proposals: z.record(z.string(), z.unknown()),
  wanted: z.array(mode).min(1),
  acceptable: z.array(z.array(mode)).min(1),
  good_alone: z.array(z.array(z.string())).min(1),
})

try {
  main()
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(error instanceof EvaluationError) && !isUsage) throw error
  console.error(`eval:dispatch: ${(error as Error).message}${isUsage ? `\n${usage}` : ''}`)
  process.exitCode = 2
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rule: { type: 'string' },
      misses: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log(usage)
    return
  }
  const files = positionals.length > 0 ? positionals : [example]
  const reports = files.map((file) => {
    const decided = rowsOf(file, rowSchema).map(({ row, where }) => decideRow(row, where, values.rule))
    if (decided.length === 0) throw new EvaluationError(`${file}: no messages`)
    return { file, decided, ...measureDispatch(decided) }
  })
  if (values.json) {
    console.log(JSON.stringify({ files: reports.map(({ decided: _, ...report }) => report) }, null, 2))
    return
  }
  for (const report of reports) {
    console.log(show(report))
    if (values.misses) console.log(misses(report.decided))
  }
}

type Decided = Wanted & { message: string }

function decideRow(row: z.infer<typeof rowSchema>, where: string, ruleName: string | undefined): Decided {
  const { wanted, acceptable, good_alone, ...input } = row
  const ruling = applyRule(rule, {
    ...input,
    agents: row.agents ?? Object.keys(row.proposals),
    ...(ruleName === undefined ? {} : { limits: { rule: ruleName } }),
  })
  if (!ruling.ok) throw new EvaluationError(`${where}: ${ruling.error.message}`)
  return { decision: ruling.output, wanted, acceptable, good_alone, message: row.message }
}

function show({ file, ...measures }: DispatchMeasures & { file: string }): string {
  const { messages, agreement, recall, noise, right, answers, calls_saved } = measures
  const share = ({ of, share }: { of: number; share: number | null }) =>
    `${(share === null ? '–' : share.toFixed(3)).padStart(6)}  of ${of}`
  return [
    `${oneLine(file, 200)} (${messages} messages)`,
    `  agreement ${share(agreement)} on which the judges agree: decided as wanted`,
    `  recall    ${share(recall)} that one answer would not satisfy: several answer`,
    `  noise     ${share(noise)} for which one answer is wanted: several answer`,
    `  right     ${share(right)} decided as solo: one that would do alone answers`,
    `  answers   ${answers.toFixed(3).padStart(6)}  per message`,
    `  wording   ${share(calls_saved)} decided without proposals`,
  ].join('\n')
}

function misses(decided: readonly Decided[]): string {
  return decided
    .filter(({ wanted, decision }) => wanted.some((mode) => mode !== decision.mode))
    .map(
      ({ wanted, decision, message }) =>
        `  ${wanted.join('/')} → ${decision.mode} (${decision.rule}): ${oneLine(message, 90)}`,
    )
    .join('\n')
}
