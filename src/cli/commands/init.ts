/** `convene init`: writes a first configuration and says what to do next. */
import { relative } from 'node:path'
import { readerState } from '../../build/reader-state.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { init } from '../doctor/init.ts'
import type { CommandContext } from './command.ts'

export async function initCommand(context: CommandContext, options: { force?: boolean }): Promise<number> {
  const { output, folder, env } = context
  const result = await init({ folder, env, force: options.force })
  const { file, agents, rehearsal } = result
  if (output.terminal) output.print('Running the tests once, on a clean checkout of the last commit …')
  const tests = await readerState(loadConfig({ folder, env }), env)
  output.data({ ...result, ...(tests ? { tests } : {}) })
  output.print(`Wrote ${relative(process.cwd(), file) || file}`)
  if (tests) output.print(`Tests: ${tests.detail}${tests.fix ? `\n  → ${tests.fix}` : ''}`)
  if (rehearsal) {
    output.print(
      'No model key is set: two built-in rehearsal agents play a script. `convene doctor` shows what to set.',
    )
    output.print('Next: convene ask "Hello"')
  } else {
    output.print(`Agents: ${agents.map(({ name }) => name).join(', ')}`)
    output.print(`Next: convene ask "Hello" --to ${agents[0]!.name}`)
  }
  return 0
}
