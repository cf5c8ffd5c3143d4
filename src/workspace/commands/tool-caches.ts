/**
 * The caches of common tools. A sandboxed command has an empty home folder, and what it downloads or builds there is gone
 * with it. Tools keep that in caches of Convene's own, so that an agent cannot plant anything for the user's own commands.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface ToolCaches {
  env: Record<string, string>
  writable: string[]
  readable: string[]
  /** Folders of the home folder that are one of the caches. */
  inHome: { from: string; at: string; isWritable: boolean }[]
}

const byVariable: Record<string, string> = {
  npm_config_cache: 'npm',
  YARN_CACHE_FOLDER: 'yarn',
  COREPACK_HOME: 'corepack',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  GOCACHE: 'go-build',
  GRADLE_USER_HOME: 'gradle',
  CABAL_DIR: 'cabal',
  STACK_ROOT: 'stack',
}

/** Programs that later set-ups start: only commands with network access, which run nothing new, may change them. */
const programs = ['corepack']

/** Downloads for tools without a variable for them. Only commands with network access write them. */
const downloads: Record<string, string> = {
  '.cargo/registry': 'cargo-registry',
  '.cargo/git': 'cargo-git',
  'go/pkg/mod': 'go-modules',
  '.m2/repository': 'maven',
  '.local/share/pnpm/store': 'pnpm',
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
  { network = false }: { network?: boolean },
): Promise<ToolCaches> {
  const home = env.HOME
  if (!home) return noCaches
  const own = join(env.XDG_CACHE_HOME || join(home, '.cache'), 'convene', 'commands')
  // Corepack would wait for somebody to confirm a download.
  const variables: Record<string, string> = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' }
  for (const [name, folder] of Object.entries(byVariable)) variables[name] = join(own, folder)
  for (const [name, folder] of Object.entries(replaced)) if (env[name]) variables[name] = join(home, folder)
  const inHome = Object.entries(downloads).map(([at, from]) => ({
    from: join(own, from),
    at: join(home, at),
    isWritable: network,
  }))
  const isMade = await Promise.all(
    [...Object.values(byVariable), ...Object.values(downloads)].map((folder) => makeFolder(join(own, folder))),
  )
  // Without a writable home there are no caches.
  if (isMade.includes(false)) return noCaches
  const isReadOnly = (folder: string) => !network && programs.includes(folder)
  const folders = Object.values(byVariable)
  return {
    env: variables,
    writable: folders.filter((folder) => !isReadOnly(folder)).map((folder) => join(own, folder)),
    readable: folders.filter(isReadOnly).map((folder) => join(own, folder)),
    inHome,
  }
}

async function makeFolder(path: string): Promise<boolean> {
  return mkdir(path, { recursive: true }).then(
    () => true,
    () => false,
  )
}
