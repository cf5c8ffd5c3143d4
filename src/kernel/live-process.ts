/** Whether a process lives, and when it started: an id alone may belong to a later process. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessState {
  alive: boolean
  /** In the system's own measure; null where it cannot be known. */
  started: string | null
}

export function processState(pid: number): ProcessState {
  if (!isAlive(pid)) return { alive: false, started: null }
  return { alive: true, started: startOf(pid) }
}

/** Counts a process of another user as alive: it exists although it cannot be signalled. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function startOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    // The name, in parentheses, may contain anything; the start time is the 20th field behind it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
