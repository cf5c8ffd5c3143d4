/** The Linux sandbox (bubblewrap): a read-only machine, writable command folders, and separate processes, network and `/tmp`. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { type HiddenPaths, hiddenPaths } from './hidden-paths.ts'
import type { PreparedSandbox, Sandbox, SandboxedRequest } from './sandbox.ts'
import { toolCaches } from './tool-caches.ts'

export function bubblewrap(program: string, hide: readonly string[]): Sandbox {
  return {
    kind: 'bubblewrap',
    async prepare(request, env): Promise<PreparedSandbox> {
      const own = await mkdtemp(join(tmpdir(), 'convene-sandbox-'))
      const temporary = join(own, 'tmp')
      const { folder, network = false } = request
      await Promise.all([temporary, ...(request.writable ?? [])].map((path) => mkdir(path, { recursive: true })))
      const git = await gitFolder([folder, ...(request.writable ?? [])])
      const state = git && join(dirname(git), '.convene')
      const caches = await toolCaches(env, request)
      const args = bubblewrapArguments({
        writable: await existing([...caches.writable, ...(request.writable ?? []), folder]),
        readable: await existing([...visible(request, env), ...(git ? [git] : [])]),
        hidden: await hiddenPaths(env.HOME, state ? [...hide, state] : hide),
        redactedFolder: own,
        temporary,
        folder: await realpath(folder),
        network,
        isRoot: process.getuid?.() === 0,
      })
      for (const [index, { text }] of args.redacted.entries()) await writeFile(join(own, `${index}`), text)
      return {
        argv: [program, ...args.list, ...firstProcess],
        env: { ...caches.env, TMPDIR: '/tmp' },
        remove: () => rm(own, { recursive: true, force: true }).catch(() => {}),
      }
    },
  }
}

const temporaryFolders = ['/tmp', '/var/tmp']

interface Mounts {
  writable: readonly string[]
  readable: readonly string[]
  hidden: HiddenPaths
  redactedFolder: string
  /** What the command sees as `/tmp`. */
  temporary: string
  folder: string
  network: boolean
  isRoot: boolean
}

/** Later mounts cover earlier ones, so the order matters. */
export function bubblewrapArguments(mounts: Mounts): { list: string[]; redacted: HiddenPaths['redacted'] } {
  const { writable, hidden, temporary, folder, network } = mounts
  const isTemporary = (path: string) => temporaryFolders.some((tmp) => path !== tmp && isWithin(path, tmp))
  const belowTmp = mounts.readable.filter(isTemporary)
  const redacted = hidden.redacted.filter(({ path }) => !writable.some((one) => isWithin(path, one)))
  const inside = (path: string) => writable.some((one) => one !== path && isWithin(path, one))
  // Hide paths after mounting the writable folders around them; mount writable folders after hiding the paths around them.
  const cover = (isInside: boolean) => [
    ...hidden.folders.filter((path) => inside(path) === isInside).flatMap((path) => ['--tmpfs', path]),
    ...hidden.files.filter((path) => inside(path) === isInside).flatMap((path) => ['--ro-bind', '/dev/null', path]),
  ]
  const list = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...temporaryFolders.filter((path) => existsSync(path)).flatMap((path) => ['--bind', temporary, path]),
    ...belowTmp.sort().flatMap((path) => ['--ro-bind', path, path]),
    ...cover(false),
    ...redacted.flatMap(({ path }, index) => ['--ro-bind', join(mounts.redactedFolder, `${index}`), path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...cover(true),
    ...['--unshare-pid', '--unshare-ipc', ...(network ? [] : ['--unshare-net'])],
    ...['--die-with-parent', '--new-session', '--as-pid-1'],
    ...(mounts.isRoot ? rootCapabilities : []),
    ...['--chdir', folder, '--'],
  ]
  return { list, redacted }
}

/**
 * A shell is the first process. bubblewrap's own would be left as a zombie for the machine's init process, which many
 * containers lack; and a command that is the first process itself cannot be signalled.
 */
const firstProcess = ['/bin/sh', '-c', '"$@"; exit "$?"', 'sh']

/** Root keeps the capabilities for files, but not those for remounting everything writable. */
const rootCapabilities = [
  ...['--cap-drop', 'ALL'],
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'NET_BIND_SERVICE'].flatMap((name) => [
    '--cap-add',
    `CAP_${name}`,
  ]),
]

/** Paths to show even below `/tmp`: programs, this Node, the home folder, and what the caller names. */
function visible(request: SandboxedRequest, env: NodeJS.ProcessEnv): string[] {
  const programs = (env.PATH ?? '').split(delimiter).filter((path) => path.startsWith('/'))
  const ownNode = dirname(dirname(process.execPath))
  return [...programs, ownNode, ...(env.HOME ? [env.HOME] : []), ...(request.readable ?? [])]
}

/** A worktree's `.git` file points into the repository's git folder, which commands such as `git log` need. */
async function gitFolder(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await readFile(join(folder, '.git'), 'utf8').catch(() => '')
    const named = /^gitdir: (.+)$/m.exec(text)?.[1]
    if (!named) continue
    const own = resolve(folder, named)
    const common = await readFile(join(own, 'commondir'), 'utf8').catch(() => '.')
    return resolve(own, common.trim())
  }
  return undefined
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter((path) => path !== undefined))]
}
