/** Whether a process of this machine still runs. */
import { readFileSync } from 'node:fs'

export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The same, but for one that has ended and that nobody has asked about yet: where nobody ever does, it stays. */
export function isRunning(id: number): boolean {
  if (!isAlive(id)) return false
  try {
    const [, state] = /^\d+ \(.*\) (\w)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? []
    return state !== 'Z' && state !== 'X'
  } catch {
    return isAlive(id)
  }
}
