/** Runs many short commands, then one until somebody kills this program. */
import { Commands } from '../../src/workspace/commands/command.ts'

const [sandbox, before, folder, command] = process.argv.slice(2) as ['off' | 'required', string, string, string]
const commands = new Commands({ sandbox, env: process.env, allowEnv: [] })
for (let number = 0; number < Number(before); number++) {
  const { output } = await commands.run({ command: 'sleep 0.02', folder, timeoutMs: 600_000 })
  await output.remove()
}
await commands.run({ command, folder, timeoutMs: 600_000 })
