/** `convene why` and `replay`: where a change came from, and whether the rules would decide the same today. */
import { requestWords } from '../../kernel/ask/cost.ts'
import type { Origin } from '../../runs/origin.ts'
import { connect } from '../client/client.ts'
import { findRun } from '../client/run-named.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import type { CommandContext } from './command.ts'

export async function whyCommand(context: CommandContext, what: string): Promise<number> {
  const client = await connect(context, { brief: true })
  const { output } = context
  try {
    const origin = await client.call('GET /api/why', { query: { what } })
    output.data(origin)
    for (const line of inWords(what, origin, output)) output.print(printable(line))
    return 0
  } finally {
    await client.close()
  }
}

/** For a person: ids and event types are in `--json`. */
function inWords(what: string, origin: Origin, output: Output): string[] {
  const { commit, subject, author, issue, words, run, cost, events } = origin
  const line = /^(.+?):(\d+)(?::\d+)?$/.exec(what)
  const asked = line ? `Line ${line[2]} of ${line[1]}` : commit && !/^\d+$/.test(what) ? 'This commit' : 'This event'
  const from = line ? 'comes from' : 'is'
  const happened = commit || run === null ? '' : `: ${events.at(-1)?.summary || events.at(-1)?.type || ''}`
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [output.style('bold', title), ...lines.map((one) => `  ${one}`)] : []
  const whatFor = issue
    ? [`For issue #${issue.number} of ${issue.feature}${words.title ? `: ${words.title}` : ''}`]
    : words.title
      ? [`For: ${words.title}`]
      : []
  if (run === null)
    return [
      ...(commit ? [`${asked} ${from} ${commit.slice(0, 10)}, "${subject}"${author ? ` by ${author}` : ''}.`] : []),
      'Convene did not make this change: its commit names no run.',
    ]
  return [
    commit
      ? `${asked} ${from} ${commit.slice(0, 10)}${subject ? `, "${subject}"` : ''}${author ? ` by ${author}` : ''}.`
      : `${asked}${happened}`,
    ...whatFor,
    ...list(
      words.criteria.length === 1 ? 'Criterion' : 'Criteria',
      words.criteria.map(({ text }) => text),
    ),
    ...list(
      'Decided',
      words.decisions.map(({ decision, by, grounds }) => `${decision} (${by}${grounds ? `; ${grounds}` : ''})`),
    ),
    ...list('Checked', words.checks),
    ...(cost ? [`It cost ${requestWords(cost)}, ${cost.tokens} tokens${inDollars(cost.usd)}.`] : []),
  ]
}

const inDollars = (usd: number | null) => (usd ? `, $${usd.toFixed(2)}` : '')

export async function replayCommand(context: CommandContext, named: string): Promise<number> {
  const client = await connect(context, { brief: true })
  const { output } = context
  try {
    const run = await findRun(client, named)
    const replayed = await client.call('POST /api/runs/:run/replay', { params: { run } })
    output.data(replayed)
    const { decisions, differences } = replayed
    output.print(
      `${decisions} decisions repeated, ${differences.length === 0 ? 'all the same' : `${differences.length} different`}`,
    )
    for (const { seq, type, was, is } of differences)
      output.print(`  ${seq} ${type}: was ${JSON.stringify(was)}, would be ${JSON.stringify(is)}`)
    return differences.length === 0 ? 0 : 1
  } finally {
    await client.close()
  }
}
