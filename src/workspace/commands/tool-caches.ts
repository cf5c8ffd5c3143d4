/**
 * The cache folders of common tools. The home folder is read-only in a sandbox, and many tools fail if they
 * cannot write their cache. They get a separate cache for sandboxed commands, so that an agent cannot plant
 * anything for the user's own commands.
 */
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface ToolCaches {
  env: Record<string, string>
  writable: string[]
}

const ownCaches: Record<string, string> = {
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

/** Downloads verified by lock file or checksum: shared with the user, and written only by commands with network access. */
const downloads = [
  { tool: /\bcargo\b/, path: '.cargo/registry' },
  { tool: /\bcargo\b/, path: '.cargo/git' },
  { tool: /\bgo\b/, path: 'go/pkg/mod' },
  { tool: /\bmvnw?\b/, path: '.m2/repository' },
  { tool: /\bpnpm\b/, path: '.local/share/pnpm/store' },
]

export async function toolCaches(
  env: NodeJS.ProcessEnv,
  { command, network = false }: { command: string; network?: boolean },
): Promise<ToolCaches> {
  const home = env.HOME
  if (!home) return { env: {}, writable: [] }
  const own = join(env.XDG_CACHE_HOME || join(home, '.cache'), 'convene', 'commands')
  // Corepack would wait for somebody to confirm a download.
  const variables: Record<string, string> = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' }
  for (const [name, folder] of Object.entries(ownCaches)) if (!env[name]) variables[name] = join(own, folder)
  const gradle = join(home, '.gradle', 'caches')
  if (await exists(gradle)) variables.GRADLE_RO_DEP_CACHE = gradle
  const shared = network ? downloads.filter(({ tool }) => tool.test(command)).map(({ path }) => join(home, path)) : []
  const made = await Promise.all([own, ...shared].map(makeFolder))
  if (!made[0]) return { env: {}, writable: [] }
  return { env: variables, writable: made.filter((path) => path !== undefined) }
}

/** Without a writable home there are no caches. */
async function makeFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true }).then(
    () => path,
    () => undefined,
  )
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
