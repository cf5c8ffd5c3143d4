/** Creates the sample project: a small git repository with some history, two rehearsal agents, and a room. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'

const examples = join(import.meta.dirname, '../examples')
const from = (...path: string[]) => join(examples, 'first-ship', ...path)

/** The files of each commit of its history. */
const history: [message: string, ...paths: string[]][] = [
  ['Orders and what they come to', 'package.json', '.gitignore', 'src/orders.js', 'test/orders.test.js'],
  ['Say what it is, and how we work here', 'README.md', 'AGENTS.md'],
  ['Convene, with two rehearsal agents', 'convene.yaml', 'script.yaml'],
]

/** `pace` scales its agents' delays. */
export async function makeSample(folder: string, { pace = 1 }: { pace?: number } = {}): Promise<void> {
  // Created aside and then moved: an interrupted start leaves no partial sample.
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  cpSync(from('project'), making, { recursive: true })
  const config = readFileSync(from('convene.yaml'), 'utf8')
  writeFileSync(
    join(making, 'convene.yaml'),
    config.replace('test: node --test', `test: ${JSON.stringify(testCommand())}`),
  )
  writeFileSync(join(making, '.gitignore'), '.convene/\nnode_modules/\n')
  const scripts = [from('script.yaml'), join(examples, 'first-room/rehearsal.yaml')]
  const script = scripts.map((file) => readFileSync(file, 'utf8')).join('\n')
  writeFileSync(join(making, 'script.yaml'), pace === 1 ? script : paced(script, pace))
  commitHistory(making)
  const app = await createApp(loadConfig({ folder: making, env: {} }), {})
  await app.rooms.create({ name: 'Orders' })
  await app.close()
  renameSync(making, folder)
}

/**
 * Runs all tests in one process, which is several times faster and half of the first minute. An older Node, which a
 * shell may find later if `npm start` installed a newer one, lacks the option; the command then names this Node.
 */
function testCommand(): string {
  const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== dirname(process.execPath))
  const { stdout } = spawnSync('node', ['--version'], { env: { PATH: others.join(delimiter) }, encoding: 'utf8' })
  const [major = 0, minor = 0] = (stdout ?? '').replace('v', '').split('.').map(Number)
  const knowsHow = major > 22 || (major === 22 && minor >= 8)
  const own = /^[\w./-]+$/.test(process.execPath) ? process.execPath : JSON.stringify(process.execPath)
  return `${knowsHow ? 'node' : own} --test --test-isolation=none`
}

function paced(script: string, pace: number): string {
  return script.replaceAll(/\b(after_ms|stream_ms): (\d+)/g, (_, key, ms) => `${key}: ${Math.round(Number(ms) * pace)}`)
}

function commitHistory(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', [...unconfigured, ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  for (const [message, ...paths] of history) {
    git('add', ...paths)
    git('commit', '--quiet', '--no-verify', `--message=${message}`)
  }
  git('tag', 'start')
}

/** Overrides the machine's git settings. */
const unconfigured = [
  ['user.name', 'Sample'],
  ['user.email', 'sample@convene.invalid'],
  ['commit.gpgsign', 'false'],
  ['tag.gpgsign', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.autocrlf', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])
