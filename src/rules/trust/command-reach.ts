/** TR8: what a command that an agent wrote could read, write and reach, in a line each. */
import type { CommandLimits, KernelLimit } from './command-limits.ts'

export interface CommandPlace {
  /** Undefined if commands run without a sandbox. */
  sandbox?: 'bubblewrap' | 'sandbox-exec'
  /** Toolchains outside the system's folders that commands see. */
  toolchains: readonly string[]
  /** Paths of `build.share`. */
  shared: readonly string[]
  limits: CommandLimits
  /** Limits that the kernel keeps for a command as a whole, in a control group; null without such a group. */
  cgroup: readonly KernelLimit[] | null
}

export function commandReach({
  sandbox,
  toolchains,
  shared,
  limits,
  cgroup,
}: CommandPlace): Record<'read' | 'write' | 'reach' | 'use', string> {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
  const use = `at most ${megabytes(limits.memoryBytes)} of memory, ${limits.processes} processes, files of ${megabytes(limits.fileBytes)}; ${keptBy(cgroup)}`
  if (sandbox === undefined)
    return {
      read: 'everything you can read',
      write: 'everything you can write',
      reach: 'the network and all your processes',
      use,
    }
  const more = [...toolchains, ...shared.map((path) => `${path} (shared)`)]
  const others = more.length > 0 ? `, ${more.join(', ')}` : ''
  const isMac = sandbox === 'sandbox-exec'
  return {
    read: `its worktree and history, the ${isMac ? 'machine outside home folders' : "system's programs"}, an empty home folder${others}`,
    write: 'its worktree, its own temporary and home folders, caches of Convene',
    reach: `no network (set-up has it), ${isMac ? 'your other processes by signals' : 'no other process'}`,
    use,
  }
}

/** TR11: Convene counts everywhere; with a control group the kernel holds the limit between two counts too. */
function keptBy(cgroup: readonly KernelLimit[] | null): string {
  if (cgroup === null) return 'counted by Convene (no cgroup of its own for a command here)'
  const counted = (['memory', 'processes'] as const).filter((limit) => !cgroup.includes(limit))
  if (counted.length === 0) return 'kept by the kernel (a cgroup for each command)'
  if (counted.length === 1) return `${cgroup[0]} kept by the kernel (a cgroup for each command), ${counted[0]} counted`
  return 'counted by Convene (cgroups here have no limits; they end what a command leaves behind)'
}
