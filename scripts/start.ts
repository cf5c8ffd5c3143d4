/** `npm start`: serves Convene on a sample project, created on the first start. `PORT` sets the port. */
import { existsSync } from 'node:fs'
import { runCommandLine } from '../src/cli/program.ts'
import { makeSample } from './sample-project.ts'
import { buildWebApp } from './web-app.ts'

if ((await buildWebApp()) !== 0) process.exit(1)
const sample = '.sample'
// `rm -r .sample` recreates it.
if (!existsSync(sample)) await makeSample(sample)
process.exitCode = await runCommandLine([
  'serve',
  '-C',
  sample,
  '--port',
  process.env.PORT || '4747',
  ...process.argv.slice(2),
])
