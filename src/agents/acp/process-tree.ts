/** The processes below another one, as Linux shows them. Elsewhere there is only the process group. */
import { readdirSync, readFileSync } from 'node:fs'

export interface SeenProcess {
  pid: number
  /** Tells a process from a later one with the same id. */
  startedAt: string
}

/** All descendants, those that have left the process group included. */
export function descendantsOf(pid: number): SeenProcess[] {
  const children = new Map<number, SeenProcess[]>()
  for (const name of processIds()) {
    const seen = look(Number(name))
    if (seen) children.set(seen.parent, [...(children.get(seen.parent) ?? []), seen])
  }
  const found: SeenProcess[] = []
  const walk = (parent: number) => {
    for (const child of children.get(parent) ?? []) {
      found.push({ pid: child.pid, startedAt: child.startedAt })
      walk(child.pid)
    }
  }
  walk(pid)
  return found
}

/** Kills those of the processes that still run. */
export function endSurvivors(processes: readonly SeenProcess[]): void {
  for (const { pid, startedAt } of processes) {
    if (look(pid)?.startedAt !== startedAt) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone already, or not ours.
    }
  }
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function look(pid: number): (SeenProcess & { parent: number }) | null {
  try {
    // The process name before it may contain anything, including brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^[\s\S]*\) /, '')
      .split(' ')
    return { pid, parent: Number(fields[1]), startedAt: fields[19]! }
  } catch {
    return null
  }
}
