/**
 * TR8: the Linux sandbox (bubblewrap), built from nothing: the system's programs, toolchains, an empty home folder, caches
 * of Convene's own, the worktree with its git data, and separate processes, network and `/tmp`. Nothing else exists in it.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { gitData } from './git-data.ts'
import { type HiddenPaths, hiddenPaths } from './hidden-paths.ts'
import { removeLater } from './remove-later.ts'
import type { PreparedSandbox, Sandbox } from './sandbox.ts'
import { systemFolders } from './system-folders.ts'
import { toolCaches } from './tool-caches.ts'
import { toolSettings } from './tool-settings.ts'
import { toolchains } from './toolchains.ts'

export function bubblewrap(program: string, hide: readonly string[]): Sandbox {
  return {
    kind: 'bubblewrap',
    async prepare(request, env): Promise<PreparedSandbox> {
      // Some eighty small calls: without a hop to another thread for each, they take a fraction of the time.
      const own = mkdtempSync(join(tmpdir(), 'convene-sandbox-'))
      const [temporary, home] = [join(own, 'tmp'), join(own, 'home')]
      const { folder, network = false, writable = [], readable = [] } = request
      for (const path of [temporary, home, ...writable]) mkdirSync(path, { recursive: true })
      const git = gitData([folder, ...writable])
      const [caches, settings] = await Promise.all([
        toolCaches(env, { network, repository: git.common }),
        network ? toolSettings(env.HOME) : [],
      ])
      for (const { from, at } of caches.inHome) linkTo(from, join(home, at))
      const rewritten = [...git.rewritten, ...settings].map(({ path, text }, index) => {
        const from = join(own, `${index}`)
        writeFileSync(from, text)
        return { from, at: path, isWritable: false }
      })
      const shown = [
        ...mountsOf([...toolchains(env), ...readable, ...git.shown, ...caches.readable], false),
        ...mountsOf([...caches.writable, ...writable, folder], true),
      ]
      const list = bubblewrapArguments({
        system: [...systemFolders().mounts, ...systemFolders().etc()],
        mounts: [...shown, ...rewritten],
        hidden: hiddenIn(shown, env.HOME, hide),
        ...(env.HOME && env.HOME !== '/' ? { home: { from: home, at: env.HOME } } : {}),
        temporary,
        folder: realpathSync.native(folder),
        network,
        isRoot: process.getuid?.() === 0,
      })
      return {
        argv: [program, ...list, ...firstProcess],
        env: { ...caches.env, TMPDIR: '/tmp' },
        remove: () => removeLater(own),
      }
    },
  }
}

const temporaryFolders = ['/tmp', '/var/tmp']

interface Mount {
  from: string
  at: string
  isWritable: boolean
}

interface SandboxView {
  /** Arguments that mount the system's folders. */
  system: readonly string[]
  mounts: readonly Mount[]
  /** Paths to cover inside what is mounted. */
  hidden: HiddenPaths
  /** An empty folder that the command sees as its home. */
  home?: { from: string; at: string }
  /** What the command sees as `/tmp`. */
  temporary: string
  folder: string
  network: boolean
  isRoot: boolean
}

/** Later mounts cover earlier ones: each folder comes before what is inside it, and hidden paths before mounts of equal depth. */
export function bubblewrapArguments(view: SandboxView): string[] {
  const { hidden, home, temporary, folder, network } = view
  const cover = (at: string, args: string[]) => ({ at, args })
  const places = [
    ...hidden.folders.map((at) => cover(at, ['--tmpfs', at])),
    ...hidden.files.map((at) => cover(at, ['--ro-bind', '/dev/null', at])),
    ...[
      ...temporaryFolders.filter((path) => existsSync(path)).map((at) => ({ from: temporary, at, isWritable: true })),
      ...(home ? [{ ...home, isWritable: true }] : []),
      ...view.mounts,
    ].map(({ from, at, isWritable }) => cover(at, [isWritable ? '--bind' : '--ro-bind', from, at])),
  ].toSorted((a, b) => depth(a.at) - depth(b.at))
  return [
    ...view.system,
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/dev/shm'],
    ...places.flatMap(({ args }) => args),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', ...(network ? [] : ['--unshare-net'])],
    ...['--die-with-parent', '--new-session', '--as-pid-1'],
    ...(view.isRoot ? rootCapabilities : []),
    ...['--chdir', folder, '--'],
  ]
}

function depth(path: string): number {
  return path.split('/').filter(Boolean).length
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

function linkTo(target: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
}

/** A path is mounted under its own name and, if it is or passes a link, at its real place too. */
function mountsOf(paths: readonly string[], isWritable: boolean): Mount[] {
  const found = paths.flatMap((at) => {
    const from = realPathOf(at)
    if (from === undefined || from === '/') return []
    return [...new Set([from, at])].map((place) => ({ from, at: place, isWritable }))
  })
  const byPlace = new Map(found.map((mount) => [mount.at, mount]))
  return [...byPlace.values()]
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Credentials, Convene's state and the user's checkout, where they lie inside something that is shown. */
function hiddenIn(shown: readonly Mount[], home: string | undefined, hide: readonly string[]): HiddenPaths {
  const places = [...systemFolders().visible, ...shown.map(({ at }) => at)]
  return hiddenPaths(home, hide, (path) => places.some((place) => isWithin(path, place)))
}
