/** Packages from the registry that ship sources and tests, downloaded once into the user's cache. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export type Published = { modules: string } | { missing: string }

const wanted = join(import.meta.dirname, 'packages')
const names = ['package.json', 'package-lock.json']

/** Where they are installed, or why they are not. */
export function fetchPackages(): Published {
  const hash = createHash('sha256')
  for (const name of names) hash.update(readFileSync(join(wanted, name)))
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'convene-tests', `packages-${hash.digest('hex').slice(0, 16)}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(modules)) return { modules }
  try {
    mkdirSync(dirname(folder), { recursive: true })
    const draft = mkdtempSync(`${folder}-`)
    for (const name of names) cpSync(join(wanted, name), join(draft, name))
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['ci', ...quiet], { cwd: draft, stdio: ['ignore', 'ignore', 'pipe'], timeout: 240_000 })
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

/** The files of a package as published, without those of tools that are missing here. */
export function filesOf(modules: string, name: string): Record<string, string> {
  const folder = join(modules, name)
  const paths = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
  const kept = paths
    .map((path) => path.slice(2))
    .filter((path) => !/^(\.|node_modules\/)|\.d\.ts$|\.test-d\.ts$/.test(path))
  return Object.fromEntries(kept.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
