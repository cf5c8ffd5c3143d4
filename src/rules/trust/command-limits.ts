/** TR11: how much of the machine one command may use, and what the limit it reached is called. */
import type { BuildLimits } from './limits.ts'

export interface CommandLimits {
  memoryBytes: number
  processes: number
  fileBytes: number
}

/** The limit that ended a command. */
export type ReachedLimit = 'memory' | 'processes' | 'file'

const megabyte = 1024 * 1024

export function commandLimits({ memory_mb, processes, file_mb }: Omit<BuildLimits, 'files' | 'bytes'>): CommandLimits {
  return { memoryBytes: memory_mb * megabyte, processes, fileBytes: file_mb * megabyte }
}

/** The limit that these processes exceed together. */
export function reachedLimit(
  used: { processes: number; memoryBytes: number },
  limits: CommandLimits,
): ReachedLimit | undefined {
  if (used.processes > limits.processes) return 'processes'
  if (used.memoryBytes > limits.memoryBytes) return 'memory'
  return undefined
}

/** What a person reads about a command that a limit ended. */
export function limitMessage(reached: ReachedLimit, limits: CommandLimits): string {
  const inMegabytes = (bytes: number) => Math.round(bytes / megabyte)
  switch (reached) {
    case 'memory':
      return `the command was stopped: its processes used more than ${inMegabytes(limits.memoryBytes)} MB of memory (build.limits.memory_mb)`
    case 'processes':
      return `the command was stopped: it had more than ${limits.processes} processes and threads at a time (build.limits.processes)`
    case 'file':
      return `the command was stopped: it wrote a file larger than ${inMegabytes(limits.fileBytes)} MB (build.limits.file_mb)`
    default:
      return reached satisfies never
  }
}
