/**
 * Runs commands one after another in one process, as `bin/convene` runs one. Its parent sends the words, the folder, the
 * environment and a mark; the host writes the mark to both streams once the command has ended, then sends the exit code.
 */
import { enableCompileCache } from 'node:module'
import type { HostRequest } from './resident-command.ts'

enableCompileCache()
const { runCommandLine } = await import('../../src/cli/program.ts')

process.on('disconnect', () => process.exit())
process.on('message', async ({ words, folder, env, mark }: HostRequest) => {
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  const code = await runCommandLine(words)
  // The test may remove its folder now.
  process.chdir('/')
  process.stdout.write(mark)
  process.stderr.write(mark)
  process.send!(code)
})
