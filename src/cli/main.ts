/** Starts the command. What scripts call most often must not wait for the rest to load. */
import { version } from '../kernel/version.ts'
import { tolerateClosedReader } from './display/closed-reader.ts'
import { runPolledCommand } from './polled-commands.ts'

tolerateClosedReader()
const words = process.argv.slice(2)

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) console.log(version())
else process.exitCode = (await runPolledCommand(words)) ?? (await (await import('./program.ts')).runCommandLine(words))
