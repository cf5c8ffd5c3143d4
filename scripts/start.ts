/** `npm start`: serves Convene on a sample project, made on the first start. `PORT` chooses the port. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { runCommandLine } from '../src/cli/program.ts'

const sample = '.sample'
if (!existsSync(sample)) {
  mkdirSync(sample)
  cpSync('examples/first-room', sample, { recursive: true })
}
process.exitCode = await runCommandLine([
  'serve',
  '-C',
  sample,
  '--port',
  process.env.PORT || '4747',
  ...process.argv.slice(2),
])
