/** `convene why` and `replay`: where a change came from, and whether the rules would decide the same today. */
import { chainOf } from '../../runs/origin-view.ts'
import { connect } from '../client/client.ts'
import { printable } from '../display/printable.ts'
import type { CommandContext } from './command.ts'

export async function whyCommand(context: CommandContext, what: string): Promise<number> {
  const client = await connect(context)
  const { output } = context
  try {
    const origin = await client.call('GET /api/why', { query: { what } })
    output.data(origin)
    for (const { title, lines, more } of chainOf(what, origin)) {
      output.print(output.style('bold', title))
      if (more) output.print(output.style('dim', `  ${more} earlier`))
      for (const { seq, actor, text } of lines) {
        const number = seq === undefined ? '' : output.style('dim', `${String(seq).padStart(6)} `)
        output.print(`  ${number}${actor ? `${actor}: ` : ''}${printable(text)}`)
      }
    }
    const { run, cost } = origin
    if (run === null) output.print('Convene did not make this change: its commit names no run.')
    else if (cost) output.print(`It cost ${cost.calls} calls, ${cost.tokens} tokens${inDollars(cost.usd)}.`)
    return 0
  } finally {
    await client.close()
  }
}

const inDollars = (usd: number | null) => (usd ? `, $${usd.toFixed(2)}` : '')

export async function replayCommand(context: CommandContext, run: string): Promise<number> {
  const client = await connect(context)
  const { output } = context
  try {
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
