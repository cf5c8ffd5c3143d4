/**
 * TR11: a control group of the kernel (cgroup v2) for one command. The kernel then keeps the limits on memory and processes for all
 * of the command's processes together, root's too, and one write ends every one of them, wherever it has gone. Convene's own
 * count stays in front: it is there on every machine and names the limit.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLimits, KernelLimit, ReachedLimit } from '../../rules/trust/command-limits.ts'
import { isAlive } from './is-alive.ts'
import { quoted } from './quoted.ts'
import { allLimits, openScope, ownProcesses, systemdPlace, trialLimits } from './systemd-scope.ts'

/** Where commands get their groups. Plain data: a helper process receives it. */
export type CgroupPlace =
  | { kind: 'folder'; base: string; keeps: KernelLimit[] }
  /** The user's systemd makes them. */
  | { kind: 'systemd'; program: string; options: string[]; keeps: KernelLimit[] }

export interface CommandCgroup {
  /** A shell command that runs `"$@"` in the group, or without one if it cannot. Both outputs go to its standard output. */
  run: string
  /** A shell command that ends all processes of the group. */
  kill: string
  /** The limit that the kernel kept, once the command has ended. */
  reached(exitCode: number): ReachedLimit | undefined
  /** Ends what is left in the group and removes it. */
  end(): Promise<void>
}

/** What the kernel says about the groups of this process. */
export interface KernelView {
  /** `/proc/self/cgroup` */
  own: string
  /** `/proc/self/mountinfo` */
  mounts: string
}

/** A command that gets a group. */
export interface LimitedCommand {
  limits: CommandLimits
  env: NodeJS.ProcessEnv
  /** Whether its processes can leave their process group. */
  canLeave: boolean
}

let known: Promise<CgroupPlace | null> | undefined

/** Found out once in a process. Null if this user can make no group here. */
export function findCgroup(env: NodeJS.ProcessEnv): Promise<CgroupPlace | null> {
  known ??= chooseCgroup(env)
  return known
}

async function chooseCgroup(env: NodeJS.ProcessEnv): Promise<CgroupPlace | null> {
  if (process.platform !== 'linux') return null
  const folder = cgroupFolder()
  if (folder && folder.keeps.length === allLimits.length) return folder
  // Without the folder of its sockets there is no systemd of this user.
  return (env.XDG_RUNTIME_DIR ? await systemdPlace('systemd-run', env) : null) ?? folder
}

/** The folder in which this user can make groups. */
export function cgroupFolder(view: KernelView = kernelView()): CgroupPlace | null {
  const own = ownFolder(view)
  if (own === undefined) return null
  // The kernel limits no groups below one that has processes of its own, so a place beside it is tried too.
  const places = [own, ...(own === mountOf(view)?.at ? [] : [dirname(own)])]
  const tried = places.flatMap((base) => tryFolder(base) ?? [])
  return tried.find(({ keeps }) => keeps.length > 0) ?? tried[0] ?? null
}

const controllers: Record<KernelLimit, string> = { memory: 'memory', processes: 'pids' }
const namePrefix = 'convene-'

/** Undefined if it cannot be made: the command then runs without one. */
export function openCgroup(place: CgroupPlace, command: LimitedCommand): CommandCgroup | undefined {
  const name = newName()
  return place.kind === 'folder' ? openFolder(place, name, command.limits) : openScope(place, name, command)
}

/** Threads of a process, and processes of other containers, may have the same id. */
const newName = () => `${namePrefix}${process.pid}-${randomBytes(6).toString('hex')}`

function openFolder(
  { base, keeps }: Extract<CgroupPlace, { kind: 'folder' }>,
  name: string,
  limits: CommandLimits,
): CommandCgroup | undefined {
  const folder = join(base, name)
  try {
    mkdirSync(folder)
    limit(folder, keeps, limits)
  } catch {
    remove(folder)
    return undefined
  }
  const file = (name: string) => quoted(join(folder, name))
  return {
    run: `(${enterFolder(folder)} exec "$@") 2>&1`,
    kill: `{ echo 1 > ${file('cgroup.kill')}; } 2>/dev/null;`,
    reached: (exitCode) => {
      if (exitCode === 0) return undefined
      if (eventCount(folder, 'memory.events', 'oom_kill') > 0) return 'memory'
      return eventCount(folder, 'pids.events', 'max') > 0 ? 'processes' : undefined
    },
    async end() {
      if (processesIn(folder) > 0) write(folder, 'cgroup.kill', '1')
      for (let tries = 0; tries < 200 && !remove(folder); tries++) await sleep(5)
    },
  }
}

const enterFolder = (folder: string) => `{ echo 0 > ${quoted(join(folder, 'cgroup.procs'))}; } 2>/dev/null;`

function kernelView(): KernelView {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  return { own: read('/proc/self/cgroup'), mounts: read('/proc/self/mountinfo') }
}

/** The folder of this process's own group in the hierarchy of version 2. */
function ownFolder(view: KernelView): string | undefined {
  const path = /^0::(\/.*)$/m.exec(view.own)?.[1]
  const mount = mountOf(view)
  if (path === undefined || mount === undefined) return undefined
  const isInside = path === mount.root || path.startsWith(mount.root === '/' ? '/' : `${mount.root}/`)
  return isInside ? join(mount.at, mount.root === '/' ? path : path.slice(mount.root.length)) : undefined
}

function mountOf({ mounts }: KernelView): { root: string; at: string } | undefined {
  const [, root, at] = /^\d+ \d+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts) ?? []
  return root === undefined || at === undefined ? undefined : { root, at }
}

/** Makes a group there, lets a process enter it, and removes it. */
function tryFolder(base: string): Extract<CgroupPlace, { kind: 'folder' }> | undefined {
  removeAbandoned(base)
  const enabled = textOf(base, 'cgroup.subtree_control').split(/\s+/)
  const keeps = allLimits.filter((each) => enabled.includes(controllers[each]))
  const name = newName()
  const trial = openFolder({ kind: 'folder', base, keeps }, name, trialLimits)
  if (!trial) return undefined
  try {
    const enter = enterFolder(join(base, name)).replace('} 2>/dev/null;', '} || exit 1')
    execFileSync('/bin/sh', ['-c', enter], { stdio: 'ignore' })
    return { kind: 'folder', base, keeps }
  } catch {
    return undefined
  } finally {
    void trial.end()
  }
}

function limit(folder: string, keeps: readonly KernelLimit[], { memoryBytes, processes }: CommandLimits): void {
  if (keeps.includes('processes')) writeFileSync(join(folder, 'pids.max'), `${processes + ownProcesses}`)
  if (!keeps.includes('memory')) return
  writeFileSync(join(folder, 'memory.max'), `${memoryBytes}`)
  write(folder, 'memory.swap.max', '0')
  // All processes of the command end together, not just the largest.
  write(folder, 'memory.oom.group', '1')
}

/** Groups of Convene processes that were killed. Only empty ones can be removed. */
function removeAbandoned(base: string): void {
  for (const name of namesIn(base)) {
    const owner = new RegExp(`^${namePrefix}(\\d+)-`).exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) remove(join(base, name))
  }
}

function processesIn(folder: string): number {
  return textOf(folder, 'cgroup.procs').split('\n').filter(Boolean).length
}

function eventCount(folder: string, file: string, event: string): number {
  return Number(new RegExp(`^${event} (\\d+)$`, 'm').exec(textOf(folder, file))?.[1] ?? 0)
}

function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8').trim()
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** For what not every kernel has. */
function write(folder: string, name: string, value: string): void {
  try {
    writeFileSync(join(folder, name), value)
  } catch {
    // Convene's own count holds without it.
  }
}

/** Whether it is gone. */
function remove(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EBUSY'
  }
}
