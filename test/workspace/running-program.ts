/** Runs one command until somebody kills this program. */
import { Commands } from '../../src/workspace/command.ts'

const [sandbox, folder, command] = process.argv.slice(2) as ['off' | 'required', string, string]
const commands = new Commands({ sandbox, env: process.env, allowEnv: [] })
await commands.run({ command, folder, timeoutMs: 600_000 })
