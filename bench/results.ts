/**
 * RESULTS.md: one table of goals, then a section for each bench. Running some benches keeps the sections of the
 * others.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { BenchResult } from './bench.ts'

export interface Measured {
  name: string
  result: BenchResult
  /** The command, the date and the machine. */
  circumstances: { command: string; date: string; machine: string }
}

const introduction = `# Measured

What Convene promises about speed and size, measured beside others in the same run. The machine is shared and noisy, so
contenders take turns in small rounds and the ratios are what to read; a figure in microseconds holds for this machine and
this hour only. \`npm run bench\` measures everything again and rewrites this file; \`npm run bench -- step fold\` measures
some of it.
`
const goalColumns = '| bench | measure | goal | found | met |\n| --- | --- | --- | --- | --- |'

export function writeResults(file: string, order: string[], measured: Measured[]): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const goals = order.flatMap((name) => {
    const found = measured.find((each) => each.name === name)
    return found ? goalRows(found) : earlierGoalRows(before, name)
  })
  const sections = order.flatMap((name) => {
    const found = measured.find((each) => each.name === name)
    return found ? [section(found)] : (earlierSection(before, name) ?? [])
  })
  writeFileSync(file, `${introduction}\n${goalColumns}\n${goals.join('\n')}\n\n${sections.join('\n\n')}\n`)
}

export function section({ name, result, circumstances }: Measured): string {
  const { command, date, machine } = circumstances
  return [
    `## ${name}`,
    `Measured on ${date} by \`${command}\`: ${machine}.`,
    list(result.settings),
    table(result.table),
    ...(result.notes.length > 0 ? [list(result.notes)] : []),
  ].join('\n\n')
}

function goalRows({ name, result }: Measured): string[] {
  return result.goals.map(({ measure, goal, found, met }) => row([name, measure, goal, found, met ? 'yes' : '**no**']))
}

/** Only the table at the top holds goals: a section's own table may have a row that begins with the same name. */
function earlierGoalRows(text: string, name: string): string[] {
  const [top = ''] = text.split(/^## /m)
  return top.split('\n').filter((line) => line.startsWith(`| ${name} |`))
}

function earlierSection(text: string, name: string): string | undefined {
  return text
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## ${name}\n`))
    ?.trimEnd()
}

const table = ({ columns, rows }: BenchResult['table']) =>
  [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n')
const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n')
