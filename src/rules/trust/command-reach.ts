/** TR8: what a command that an agent wrote could read, write and reach, in a line each. */
import type { CommandLimits } from './command-limits.ts'

export interface CommandPlace {
  /** Undefined if commands run without a sandbox. */
  sandbox?: 'bubblewrap' | 'sandbox-exec'
  /** Toolchains outside the system's folders that commands see. */
  toolchains: readonly string[]
  /** Paths of `build.share`. */
  shared: readonly string[]
  limits: CommandLimits
}

export function commandReach({
  sandbox,
  toolchains,
  shared,
  limits,
}: CommandPlace): Record<'read' | 'write' | 'reach', string> {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
  const atMost = `at most ${megabytes(limits.memoryBytes)} of memory, ${limits.processes} processes, files of ${megabytes(limits.fileBytes)}`
  if (sandbox === undefined)
    return {
      read: 'everything you can read',
      write: 'everything you can write',
      reach: `the network and all your processes; ${atMost}`,
    }
  const more = [...toolchains, ...shared.map((path) => `${path} (shared)`)]
  const others = more.length > 0 ? `, ${more.join(', ')}` : ''
  const isMac = sandbox === 'sandbox-exec'
  return {
    read: `its worktree and history, the ${isMac ? 'machine outside home folders' : "system's programs"}, an empty home folder${others}`,
    write: 'its worktree, its own temporary and home folders, caches of Convene',
    reach: `no network (set-up has it), ${isMac ? 'your other processes by signals' : 'no other process'}; ${atMost}`,
  }
}
