/** The processes of this machine as `/proc` lists them, and what a part of them uses. Empty where there is no `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'
import { endianness } from 'node:os'

export interface ProcessEntry {
  id: number
  parent: number
  group: number
  threads: number
  memoryBytes: number
}

/** Living processes; zombies use nothing. */
export function readProcesses(): ProcessEntry[] {
  return processIds().flatMap((id) => readProcess(id) ?? [])
}

export function processIds(): number[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** All processes and threads of the machine: one cheap read. 0 where the kernel does not tell. */
export function countThreads(): number {
  try {
    return Number(/^\S+ \S+ \S+ \d+\/(\d+)/.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Counts the threads below a process, and stops beyond `most`: a table of thousands of processes takes too long to read. */
export function countBelow(root: number, most: number): number {
  let count = 0
  for (const waiting = [root]; waiting.length > 0 && count <= most; ) {
    const id = waiting.pop()!
    for (const task of namesIn(`/proc/${id}/task`)) {
      count++
      waiting.push(...childrenOf(`/proc/${id}/task/${task}/children`))
    }
  }
  return count
}

function childrenOf(path: string): number[] {
  try {
    return readFileSync(path, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A page has 4 KB on most machines, and 16 or 64 KB on some with ARM or POWER. */
const pageBytes = pageBytesOf(readBytes('/proc/self/auxv'))

/** The size of a page by the vector of numbers that the kernel gives each program: pairs of a type and a value. */
export function pageBytesOf(vector: Buffer): number {
  const [word, typeOfPageSize] = [8, 6n]
  const at = (offset: number) =>
    endianness() === 'LE' ? vector.readBigUInt64LE(offset) : vector.readBigUInt64BE(offset)
  for (let offset = 0; offset + 2 * word <= vector.length; offset += 2 * word)
    if (at(offset) === typeOfPageSize) return Number(at(offset + word))
  return 4096
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

function readProcess(id: number): ProcessEntry | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1')
    // The process name before it may contain anything, including brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group] = fields
    if (state === 'Z' || state === 'X') return undefined
    return {
      id,
      parent: Number(parent),
      group: Number(group),
      threads: Number(fields[17]),
      memoryBytes: Number(fields[21]) * pageBytes,
    }
  } catch {
    return undefined
  }
}

/** The processes below these, and the members of their groups; without the given ones themselves. */
export function processesBelow(roots: ReadonlySet<number>, all: readonly ProcessEntry[]): ProcessEntry[] {
  const childrenOf = Map.groupBy(all, ({ parent }) => parent)
  const found = new Map<number, ProcessEntry>()
  const add = (entry: ProcessEntry) => {
    if (found.has(entry.id)) return
    found.set(entry.id, entry)
    for (const child of childrenOf.get(entry.id) ?? []) add(child)
  }
  for (const root of roots) for (const child of childrenOf.get(root) ?? []) add(child)
  for (const entry of all) if (roots.has(entry.group)) add(entry)
  for (const root of roots) found.delete(root)
  return [...found.values()]
}

/** Memory of these processes with shared pages counted once; their resident size where the kernel does not tell more. */
export function sharedMemoryOf(entries: readonly ProcessEntry[]): number {
  return entries.reduce((sum, { id, memoryBytes }) => sum + (proportionalBytes(id) ?? memoryBytes), 0)
}

function proportionalBytes(id: number): number | undefined {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
