/** Packages too heavy for the project's own install: installed once into the user's cache, when a test needs them. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The `node_modules` folder, or why the packages could not be installed. */
export type Installed = { modules: string } | { missing: string }

/** Tries twice: registries fail now and then. `scripts` lets packages run their install scripts. */
export async function installPackages(
  name: string,
  packages: Readonly<Record<string, string>>,
  { scripts = false } = {},
): Promise<Installed> {
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const hash = createHash('sha256').update(`${manifest}${scripts}`).digest('hex').slice(0, 16)
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'convene-tests', `${name}-${hash}`)
  const modules = join(folder, 'node_modules')
  mkdirSync(dirname(folder), { recursive: true })
  if (existsSync(modules)) return { modules }
  const lock = await installLock(`${folder}.lock`)
  let problem = ''
  for (let tries = 0; tries < 2 && !existsSync(modules); tries += 1) {
    const draft = mkdtempSync(`${folder}-`)
    try {
      writeFileSync(join(draft, 'package.json'), manifest)
      const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
      await promisify(execFile)('npm', ['install', ...quiet, ...(scripts ? [] : ['--ignore-scripts'])], {
        cwd: draft,
        timeout: 600_000,
        maxBuffer: 64 * 1024 * 1024,
      })
      renameSync(draft, folder)
    } catch (error) {
      problem = (error as Error).message.split('\n')[0]!
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  lock.close()
  return existsSync(modules)
    ? { modules }
    : { missing: `npm could not install ${Object.keys(packages).join(', ')}: ${problem}` }
}

/** Several files may need the same packages: waits until no other process installs them. A lock dies with its holder. */
async function installLock(file: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE')
      return lock
    } catch {
      await pause(300)
    }
  }
}

/** The same for the dependencies of a manifest. */
export function installManifest(name: string, file: string, options: { scripts?: boolean } = {}): Promise<Installed> {
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> }
  return installPackages(name, dependencies, options)
}
