/** Measures both convergence scores on labelled rounds: `npm run eval:convergence -- rounds.jsonl [more.jsonl] [--json]`. */
import { join } from 'node:path'
import { z } from 'zod'
import { areaUnderCurve } from '../src/rules/convergence/auc.ts'
import { knownRounds } from '../src/rules/convergence/convergence.fixture.ts'
import { rule } from '../src/rules/convergence/convergence.ts'
import { applyRule } from '../src/rules/schema/rule.ts'
import { oneLine } from '../src/rules/text/one-line.ts'
import { EvaluationError, rowsOf } from './evaluation.ts'
import { type HeldOut, judgeHeldOut } from './held-out.ts'
import { withoutUnlearned, wordsOfTheRule } from './unlearned-words.ts'

const usage = `usage: npm run eval:convergence -- <file> [<file> …] [--json]

Each line of a file is one round: {"outputs": ["…", "…"], "agree": true}. A "kind" or "topic" gives a table, and a
cross-validation: each group is judged by a threshold that was chosen on the other groups. With kinds it is judged once
more without the words of the rule that no other kind uses, in these files and in the project's own rounds.`

const roundSchema = z.object({
  outputs: z.array(z.string()),
  agree: z.boolean(),
  kind: z.string().optional(),
  topic: z.string().optional(),
})

interface MeasuredRound {
  agree: boolean
  group: { by: 'kind' | 'topic'; name: string } | undefined
  lexical: number
  positions: number
  /** Of a round with a kind: read without the words that the rule could only know from that kind. */
  unlearned: number | undefined
}

interface Figures {
  rounds: number
  agree: number
  lexical: number | undefined
  positions: number | undefined
}

interface Report extends Figures {
  file: string
  /** Rounds with fewer than two non-empty outputs: there is nothing to measure. */
  skipped: number
  groups: (Figures & { by: string; name: string })[]
  /** Null where there are no groups to hold out. */
  held_out: (HeldOut & { mean_auc: number | null; unlearned: number | null }) | null
}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof EvaluationError)) throw error
  console.error(`eval:convergence: ${error.message}`)
  process.exitCode = 2
}

function main(args: string[]): void {
  const options = args.filter((arg) => arg.startsWith('-'))
  const files = args.filter((arg) => !arg.startsWith('-'))
  const unknown = options.find((option) => !['--json', '--help', '-h'].includes(option))
  if (unknown) throw new EvaluationError(`unknown option ${unknown}\n${usage}`)
  if (options.includes('--help') || options.includes('-h')) {
    console.log(usage)
    return
  }
  if (files.length === 0) throw new EvaluationError(`no file given\n${usage}`)

  const rows = files.map((file) => ({ file, rows: rowsOf(file, roundSchema) }))
  const hidden = hiddenOutputs(rows.flatMap(({ rows }) => rows.map(({ row }) => row)))
  const measured = rows.map((one) => ({ file: one.file, ...measureFile(one.file, one.rows, hidden) }))
  const reports = measured.map(({ file, rounds, skipped }) => report(file, rounds, skipped))
  const everything = measured.flatMap(({ rounds }) => rounds)
  const pooled = files.length > 1 ? report('all files', everything, 0) : null
  if (options.includes('--json')) console.log(JSON.stringify({ files: reports, pooled }, null, 2))
  else console.log([...reports, ...(pooled ? [pooled] : [])].map(show).join('\n\n'))
}

type Row = z.infer<typeof roundSchema>

/** The outputs of each round that has a kind, without what could only be learned from that kind. */
function hiddenOutputs(rows: readonly Row[]): ReadonlyMap<Row, string[]> {
  const kinds = rows.filter(({ kind }) => kind !== undefined)
  const more = rowsOf(join(import.meta.dirname, '../examples/convergence.jsonl'), roundSchema).map(({ row }) => row)
  const spoken = [...kinds, ...more, ...knownRounds].map(({ outputs, kind = '' }) => ({ outputs, kind }))
  const hidden = withoutUnlearned(spoken, wordsOfTheRule())
  return new Map(kinds.map((row, index) => [row, hidden[index]!]))
}

function measureFile(
  file: string,
  rows: readonly { row: Row; where: string }[],
  hidden: ReadonlyMap<Row, string[]>,
): { rounds: MeasuredRound[]; skipped: number } {
  const all = rows.map(({ row, where }) => measure(row, where, hidden.get(row)))
  const rounds = all.filter((round) => round !== undefined)
  const agreeing = rounds.filter(({ agree }) => agree).length
  if (rounds.length === 0) throw new EvaluationError(`${file}: no rounds`)
  if (agreeing === 0 || agreeing === rounds.length) {
    throw new EvaluationError(`${file}: every round has "agree": ${agreeing > 0}; an AUC needs both kinds`)
  }
  return { rounds, skipped: all.length - rounds.length }
}

/** Nothing if the rule skips the round. */
function measure(
  { outputs, agree, kind, topic }: Row,
  where: string,
  hidden: string[] | undefined,
): MeasuredRound | undefined {
  const full = convergenceOf(outputs, where)
  if (full.verdict === null) return undefined
  const unlearned = hidden && (convergenceOf(hidden, where).positions.score ?? 0.5)
  return { agree, group: groupOf(kind, topic), lexical: full.score, positions: full.positions.score, unlearned }
}

function convergenceOf(outputs: readonly string[], where: string) {
  const ruling = applyRule(rule, { outputs: [...outputs] })
  if (!ruling.ok) throw new EvaluationError(`${where}: ${ruling.error.message}`)
  return ruling.output
}

function groupOf(kind: string | undefined, topic: string | undefined): MeasuredRound['group'] {
  if (kind !== undefined) return { by: 'kind', name: kind }
  return topic === undefined ? undefined : { by: 'topic', name: topic }
}

function report(file: string, rounds: readonly MeasuredRound[], skipped: number): Report {
  const groups = Map.groupBy(
    rounds.filter(({ group }) => group !== undefined),
    ({ group }) => `${group!.by} ${group!.name}`,
  )
  // A topic that is different in every round is a title, not a group.
  const worthShowing = groups.size > 1 && groups.size <= Math.max(2, rounds.length / 3)
  const shownGroups = worthShowing
    ? [...groups.values()].map((members) => ({ ...members[0]!.group!, ...figures(members) }))
    : []
  return { file, ...figures(rounds), skipped, groups: shownGroups, held_out: heldOut(rounds, shownGroups) }
}

/** The threshold between agreement and disagreement is chosen on other groups; so are, once more, the words that are read. */
function heldOut(rounds: readonly MeasuredRound[], groups: Report['groups']): Report['held_out'] {
  if (groups.length === 0) return null
  const scored = rounds.flatMap(({ group, agree, positions }) =>
    group === undefined ? [] : [{ score: positions, agree, group: group.name }],
  )
  const judged = judgeHeldOut(scored)
  const strangers = rounds.flatMap(({ group, agree, unlearned }) =>
    group === undefined || unlearned === undefined ? [] : [{ score: unlearned, agree, group: group.name }],
  )
  const unlearned = judgeHeldOut(strangers)?.accuracy ?? null
  const areas = groups.flatMap(({ positions }) => (positions === undefined ? [] : [positions]))
  const mean_auc = areas.length === 0 ? null : areas.reduce((sum, area) => sum + area, 0) / areas.length
  return judged ? { ...judged, mean_auc, unlearned } : null
}

function figures(rounds: readonly MeasuredRound[]): Figures {
  return {
    rounds: rounds.length,
    agree: rounds.filter(({ agree }) => agree).length,
    lexical: areaUnderCurve(rounds.map(({ agree, lexical }) => ({ score: lexical, positive: agree }))),
    positions: areaUnderCurve(rounds.map(({ agree, positions }) => ({ score: positions, positive: agree }))),
  }
}

function show({ file, rounds, agree, skipped, lexical, positions, groups, held_out }: Report): string {
  const count = `(${rounds} rounds, ${agree} agree${skipped > 0 ? `, ${skipped} skipped` : ''})`
  const width = Math.max(8, ...groups.map(({ name }) => oneLine(name, 32).length))
  const table = groups.map((group) => {
    const numbers = [
      String(group.rounds).padStart(6),
      shown(group.lexical).padStart(7),
      shown(group.positions).padStart(9),
      ...heldOutColumn(held_out, group.name),
    ]
    return `  ${oneLine(group.name, 32).padEnd(width)}  ${numbers.join('  ')}`
  })
  return [
    oneLine(file, 200),
    `  lexical   AUC ${shown(lexical)}  ${count}`,
    `  positions AUC ${shown(positions)}  ${count}`,
    ...(table.length > 0
      ? [
          '',
          `  ${`by ${groups[0]!.by}`.padEnd(width)}  rounds  lexical  positions${held_out ? '  held out' : ''}`,
          ...table,
        ]
      : []),
    ...(held_out
      ? [
          '',
          `  held out  ${shown(held_out.accuracy)}  judged rightly by a threshold of the other ${groups[0]!.by}s; mean AUC of the ${groups[0]!.by}s ${shown(held_out.mean_auc ?? undefined)}`,
          ...(held_out.unlearned === null
            ? []
            : [
                `  unlearned ${shown(held_out.unlearned)}  the same without the words of the rule that no other kind uses`,
              ]),
        ]
      : []),
  ].join('\n')
}

function heldOutColumn(held_out: Report['held_out'], name: string): string[] {
  const group = held_out?.groups.find((one) => one.name === name)
  return group ? [`${group.right}/${group.of}`.padStart(8)] : []
}

function shown(area: number | undefined): string {
  return area === undefined ? '–' : area.toFixed(3)
}
