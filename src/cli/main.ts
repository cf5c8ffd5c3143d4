/** Where the command starts. What is asked for most often, and by scripts, must not wait for the rest to load. */
import { version } from './client/version.ts'

const words = process.argv.slice(2)

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) console.log(version())
else {
  const { runCommandLine } = await import('./program.ts')
  process.exitCode = await runCommandLine(words)
}
