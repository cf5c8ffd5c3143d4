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

/** Like `isAlive`, but false for a zombie, which stays if its parent never collects it. */
export function isRunning(id: number): boolean {
  if (!isAlive(id)) return false
  try {
    const [, state] = /^\d+ \(.*\) (\w)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? []
    return state !== 'Z' && state !== 'X'
  } catch {
    return isAlive(id)
  }
}
