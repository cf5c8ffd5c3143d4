/** `npm start`: serves Convene on a sample project, made on the first start. `PORT` chooses the port. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { createApp } from '../src/app.ts'
import { runCommandLine } from '../src/cli/program.ts'
import { loadConfig } from '../src/kernel/config.ts'
import { buildWebApp } from './web-app.ts'

if ((await buildWebApp()) !== 0) process.exit(1)
const sample = '.sample'
if (!existsSync(sample)) await makeSample()
process.exitCode = await runCommandLine([
  'serve',
  '-C',
  sample,
  '--port',
  process.env.PORT || '4747',
  ...process.argv.slice(2),
])

/** A project with two rehearsal agents and one room; `git clean` or `rm -r .sample` makes it anew. */
async function makeSample(): Promise<void> {
  mkdirSync(sample)
  cpSync('examples/first-room', sample, { recursive: true })
  const app = await createApp(loadConfig({ folder: sample, env: {} }), {})
  await app.rooms.create({ name: 'Sample room' })
  await app.close()
}
