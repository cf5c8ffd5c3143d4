/** The runners and package managers of the zoo, installed once into the user's cache. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const wanted = join(import.meta.dirname, 'runners.json')

/** Where they are installed, or why they are not. */
export function installRunners(): { modules: string } | { missing: string } {
  const hash = createHash('sha256').update(readFileSync(wanted)).digest('hex').slice(0, 16)
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'convene-tests', `zoo-${hash}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(modules)) return { modules }
  try {
    mkdirSync(dirname(folder), { recursive: true })
    const draft = mkdtempSync(`${folder}-`)
    cpSync(wanted, join(draft, 'package.json'))
    const quiet = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...quiet], { cwd: draft, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
    try {
      renameSync(draft, folder)
    } catch {
      // Another process was quicker.
      rmSync(draft, { recursive: true, force: true })
    }
    return { modules }
  } catch (error) {
    return { missing: `the registry could not be asked for them: ${(error as Error).message.split('\n')[0]}` }
  }
}
