/** TR11: how much of the machine one command may use, and what the limit it reached is called. */
import type { BuildLimits } from './limits.ts'

export interface CommandLimits {
  memoryBytes: number
  processes: number
  fileBytes: number
}

/** The limit that ended a command. */
export type ReachedLimit = 'memory' | 'processes' | 'file'

/** A limit that the kernel can keep for all processes of a command together. */
export type KernelLimit = 'memory' | 'processes'

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

/**
 * Whether a process of the command met the limit on the size of a file. The kernel ends it by a signal, or refuses the write if it
 * ignores the signal; then it is known by the spelling of the system's error, not by words such as "file too large" alone:
 * programs say that about what users upload.
 */
export function wroteTooMuch(exitCode: number, outputTail: string): boolean {
  if (exitCode === 0) return false
  return exitCode === 128 + fileSizeSignal || refusedWrites.some((spelling) => spelling.test(outputTail))
}

/** SIGXFSZ, the same on Linux and macOS. */
const fileSizeSignal = 25

const refusedWrites = [
  // Node; Python; Rust; Go.
  /\bEFBIG: file too large, (?:write|open|ftruncate|fallocate|copyfile)/,
  /\[Errno 27\] File too large/,
  /\bFile too large \(os error 27\)/,
  /\bwrite \S+: file too large$/m,
  // The tools of the system, and a shell about a program that the signal ended.
  /^[\w./-]+: (?:write error|.*\b(?:error writing|writing to|cannot write|failed to write)\b.*): File too large$/m,
  /^(?:\S+: line \d+: +\d+ )?File size limit exceeded(?: *\(core dumped\).*)?$/m,
]

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
