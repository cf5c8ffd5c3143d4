/** `convene why` and `replay`: where a thing came from, and whether it would be decided the same today. */
import type { Replayed } from '../replay.ts'
import type { Origin } from '../ship/why.ts'
import { connect } from './client.ts'
import { printable } from './printable.ts'
import type { CommandContext } from './program.ts'

export async function whyCommand(context: CommandContext, what: string): Promise<number> {
  const client = await connect(context)
  const { output } = context
  try {
    const origin = await client.get<Origin>(`/api/why?${new URLSearchParams({ what })}`)
    output.data(origin)
    const { commit, subject, issue, node, criteria, run, events, cost } = origin
    if (commit) output.print(`${output.style('bold', commit.slice(0, 10))} ${printable(subject ?? '')}`)
    if (issue) output.print(`issue #${issue.number} of ${issue.feature}`)
    if (node) output.print(`node ${node}${criteria.length > 0 ? `, for ${criteria.join(', ')}` : ''}`)
    if (run) output.print(`run ${run}${cost ? `: ${cost.calls} calls, ${cost.tokens} tokens` : ''}`)
    else output.print('Convene did not make it: its commit names no run.')
    for (const { seq, ts, type, actor, summary } of events)
      output.print(
        `${output.style('dim', `${String(seq).padStart(5)} ${ts}`)} ${type}${actor ? ` (${actor})` : ''} ${printable(summary)}`,
      )
    return 0
  } finally {
    await client.close()
  }
}

export async function replayCommand(context: CommandContext, run: string): Promise<number> {
  const client = await connect(context)
  const { output } = context
  try {
    const replayed = await client.post<Replayed>(`/api/runs/${encodeURIComponent(run)}/replay`)
    output.data(replayed)
    const { decisions, differences } = replayed
    output.print(
      `${decisions} decisions taken again, ${differences.length === 0 ? 'all the same' : `${differences.length} different`}`,
    )
    for (const { seq, type, was, is } of differences)
      output.print(`  ${seq} ${type}: was ${JSON.stringify(was)}, would be ${JSON.stringify(is)}`)
    return differences.length === 0 ? 0 : 1
  } finally {
    await client.close()
  }
}
