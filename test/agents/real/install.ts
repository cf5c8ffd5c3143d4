/** The real coding agents, installed once into the user's cache: they are too large to be dependencies. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const wanted = join(import.meta.dirname, 'agents.json')

/** The folder of their programs, or why they are not there. */
export function installAgents(): { bin: string } | { missing: string } {
  const hash = createHash('sha256').update(readFileSync(wanted)).digest('hex').slice(0, 16)
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'convene-tests', `agents-${hash}`)
  const bin = join(folder, 'node_modules/.bin')
  let why = ''
  // A registry that stumbles over a gigabyte may manage the second time.
  for (let attempt = 0; attempt < 2 && !existsSync(bin); attempt++) {
    try {
      install(folder)
    } catch (error) {
      why = (error as Error).message.split('\n').slice(0, 3).join(' ')
    }
  }
  return existsSync(bin) ? { bin } : { missing: `the registry could not be asked for them: ${why}` }
}

function install(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    cpSync(wanted, join(draft, 'package.json'))
    const quiet = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...quiet], { cwd: draft, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
    renameSync(draft, folder)
  } finally {
    // Left over if it failed, or if another process was quicker.
    rmSync(draft, { recursive: true, force: true })
  }
}
