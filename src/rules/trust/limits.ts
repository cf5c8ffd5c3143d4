/** TR11: the limits of `build.limits`: how large work may be, and how much of the machine one command may use. */

export interface BuildLimits {
  /** Files that a merge may change before a person is asked. */
  files: number
  /** Bytes that a merge may add before a person is asked. */
  bytes: number
  /** Memory of one command, all its processes together. */
  memory_mb: number
  /** Processes and threads that one command may have at a time. */
  processes: number
  /** The largest file that a command may write. */
  file_mb: number
}

export const defaultLimits: BuildLimits = {
  files: 500,
  bytes: 5_000_000,
  memory_mb: 4096,
  processes: 512,
  file_mb: 1024,
}
