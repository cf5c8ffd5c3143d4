/** `convene init`: a first configuration, and what to do next. */
import { relative } from 'node:path'
import { init } from '../doctor/init.ts'
import type { CommandContext } from './command.ts'

export async function initCommand(context: CommandContext, options: { force?: boolean }): Promise<number> {
  const { output, folder, env } = context
  const result = await init({ folder, env, force: options.force })
  const { file, written, kept, agents, rehearsal, excluded } = result
  output.data({ file, written, kept, agents, rehearsal, excluded })
  const names = agents.map((agent) => agent.name).join(', ')
  for (const path of written) output.print(`wrote ${relative(process.cwd(), path) || path}`)
  for (const path of kept) output.print(`kept  ${relative(process.cwd(), path) || path}`)
  output.print(
    rehearsal
      ? `No keys or agents were found: ${names} rehearse a script. \`convene doctor\` says how to get real ones.`
      : `Agents: ${names}`,
  )
  output.print(`Next: convene ask "Hello" --to ${agents[0]!.name}`)
  return 0
}
