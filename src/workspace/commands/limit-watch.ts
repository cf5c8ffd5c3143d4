/**
 * TR11: ends a command whose processes use more than its limits. Kernel limits hold for one process or one user, and the one
 * on processes does not bind root, so Convene counts for itself.
 */
import { type CommandLimits, type ReachedLimit, reachedLimit } from '../../rules/trust/command-limits.ts'
import { markedProcesses } from './marked-processes.ts'
import {
  countBelow,
  countThreads,
  type ProcessEntry,
  processesBelow,
  readProcesses,
  sharedMemoryOf,
} from './process-table.ts'

interface Watched {
  /** The leader of the command's process group. */
  leader: number
  limits: CommandLimits
  /** The mark of processes that may leave the group; without one none can. */
  mark?: string
  reached(limit: ReachedLimit): void
}

/** A fork bomb makes thousands of processes in a moment, so the number of threads is read far more often than the table. */
const countEveryMs = 20
const looksEvery = 5

/** How often to look for processes that left the group, which needs a look at every process of the user. */
const marksEvery = 50

/** Convene's own processes around a command: shells, `cat` and the sandbox. */
const ownProcesses = 8

const watched = new Set<Watched & { threadsBefore: number }>()
let timer: NodeJS.Timeout | undefined
let ticks = 0

/** Call the result when the command has ended. All commands share one look at the machine's processes. */
export function watchLimits(command: Watched): () => void {
  const entry = { ...command, threadsBefore: countThreads() }
  watched.add(entry)
  timer ??= setInterval(tick, countEveryMs).unref()
  return () => {
    watched.delete(entry)
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  ticks++
  const threads = countThreads()
  let isSudden = false
  for (const command of [...watched]) {
    const most = command.limits.processes + ownProcesses
    if (threads - command.threadsBefore <= most) continue
    // Processes that can leave the group may be below no process of the command.
    if (command.mark !== undefined) isSudden = true
    else if (countBelow(command.leader, most) > most) end(command, 'processes')
  }
  if (isSudden || ticks % looksEvery === 0) look(ticks % marksEvery === 0)
}

function end(command: Watched & { threadsBefore: number }, limit: ReachedLimit): void {
  watched.delete(command)
  command.reached(limit)
}

function look(isThorough: boolean): void {
  const all = readProcesses()
  for (const command of [...watched]) {
    const roots = new Set([command.leader])
    if (isThorough && command.mark !== undefined) for (const id of markedProcesses(command.mark)) roots.add(id)
    const entries = processesBelow(roots, all)
    const limit = limitOf(entries, command.limits)
    if (limit !== undefined) end(command, limit)
  }
}

function limitOf(entries: readonly ProcessEntry[], limits: CommandLimits): ReachedLimit | undefined {
  const processes = entries.reduce((sum, { threads }) => sum + threads, 0) - ownProcesses
  const memoryBytes = entries.reduce((sum, entry) => sum + entry.memoryBytes, 0)
  const limit = reachedLimit({ processes, memoryBytes }, limits)
  // The resident sizes count shared pages several times.
  return limit === 'memory' ? reachedLimit({ processes, memoryBytes: sharedMemoryOf(entries) }, limits) : limit
}
