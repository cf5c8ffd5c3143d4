/**
 * The caches of common tools. A sandboxed command has an empty home folder, and what it downloads or builds there is gone
 * with it. Tools keep that in caches of Convene's own, so that an agent cannot plant anything for the user's own commands;
 * and each repository has its own of those that every command may write, so that it cannot for another project's either.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface ToolCaches {
  env: Record<string, string>
  writable: string[]
  readable: string[]
  /** Folders of the home folder that are one of the caches: a command's home has links there. */
  inHome: { from: string; at: string }[]
}

/** Every command of the same repository may write these. */
const ofTools: Record<string, string> = {
  npm_config_cache: 'npm',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  GOCACHE: 'go-build',
  GRADLE_USER_HOME: 'gradle',
  CABAL_DIR: 'cabal',
  STACK_ROOT: 'stack',
}

/** Downloads, and programs that later set-ups start: only commands with network access may change them. */
const fetched: Record<string, string> = {
  YARN_CACHE_FOLDER: 'yarn',
  COREPACK_HOME: 'corepack',
}

/** Makes folders in its cache even when it fetches nothing: without network access it gets an empty one. */
const wantsCacheOffline: Record<string, string> = { YARN_CACHE_FOLDER: 'yarn' }

const pnpmStore = '.local/share/pnpm/store'

/** The same as `fetched`, for tools without a variable for it. */
const fetchedInHome: Record<string, string> = {
  '.cargo/registry': 'cargo-registry',
  '.cargo/git': 'cargo-git',
  'go/pkg/mod': 'go-modules',
  '.m2/repository': 'maven',
  [pnpmStore]: 'pnpm',
}

/** Variables that would lead tools out of the sandbox's home folder. */
const replaced: Record<string, string> = {
  XDG_CACHE_HOME: '.cache',
  XDG_CONFIG_HOME: '.config',
  XDG_STATE_HOME: '.local/state',
  CARGO_HOME: '.cargo',
  GOPATH: 'go',
}

const noCaches: ToolCaches = { env: {}, writable: [], readable: [], inHome: [] }

export async function toolCaches(
  env: NodeJS.ProcessEnv,
  { network, repository = '' }: { network: boolean; repository: string | undefined },
): Promise<ToolCaches> {
  const home = env.HOME
  if (!home) return noCaches
  const own = join(env.XDG_CACHE_HOME || join(home, '.cache'), 'convene', 'commands')
  const [tools, downloads] = [join(own, 'tools', digest(repository)), join(own, 'downloads')]
  const folders = [
    ...[...Object.values(ofTools), ...Object.values(wantsCacheOffline)].map((folder) => join(tools, folder)),
    ...[...Object.values(fetched), ...Object.values(fetchedInHome)].map((folder) => join(downloads, folder)),
  ]
  // Without a writable home there are no caches.
  if (!(await areMade(folders))) return noCaches
  // Without a network, npx would ask for the newest version again and again before it starts what it has.
  const variables: Record<string, string> = network ? {} : { npm_config_prefer_offline: 'true' }
  for (const [name, folder] of Object.entries(ofTools)) variables[name] = join(tools, folder)
  for (const [name, folder] of Object.entries(fetched)) variables[name] = join(downloads, folder)
  if (!network) for (const [name, folder] of Object.entries(wantsCacheOffline)) variables[name] = join(tools, folder)
  for (const [name, folder] of Object.entries(replaced)) if (env[name]) variables[name] = join(home, folder)
  return {
    env: variables,
    writable: network ? [tools, downloads] : [tools],
    readable: network ? [] : [downloads],
    inHome: Object.entries(fetchedInHome)
      .map(([at, from]) => ({ from: join(downloads, from), at }))
      .flatMap((link) => (link.at === pnpmStore && !network ? writableStore(link) : [link])),
  }
}

/**
 * pnpm 11 opens its store's index for writing, also to run a script. Without network access it has the packages of the store
 * and an index of its own in the command's home, which is gone with the command.
 */
function writableStore(store: { from: string; at: string }): { from: string; at: string }[] {
  const below = ({ from, at }: typeof store, name: string) => ({ from: join(from, name), at: join(at, name) })
  return readdirSync(store.from).flatMap((version) => {
    const own = below(store, version)
    if (!existsSync(join(own.from, 'index.db'))) return [own]
    return ['files', 'links'].map((name) => below(own, name)).filter(({ from }) => existsSync(from))
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

const made = new Set<string>()

/** Looked at once in a process, and again if one is gone. */
async function areMade(folders: readonly string[]): Promise<boolean> {
  const [first = ''] = folders
  if (made.has(first) && existsSync(first)) return true
  const isMade = await Promise.all(
    folders.map((folder) =>
      mkdir(folder, { recursive: true }).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (isMade.includes(false)) return false
  made.add(first)
  return true
}
