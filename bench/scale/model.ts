/** The capacity model of docs/scale.md: what a number of workers does and needs, from the measured constants. */

/** What one round, or one node of a build, costs; measured with so many at once in one process. */
export interface Cost {
  at_once: number
  per_second: number
  worker_cpu_ms: number
  /** Transactions that write, each under the lock of its project. */
  writes: number
  /** Transactions that only read. */
  reads: number
  rows_inserted: number
  wal_kb: number
  table_kb: number
}

export interface Constants {
  machine: string
  measured: string
  /** What one process costs Postgres while nothing happens, and at most of connections while something does. */
  idle: { transactions_per_second: number; wal_kb_per_second: number }
  connections: number
  /** One read over a connection that is open. */
  read_ms: number
  rounds: Cost[]
  /** Per node of a build whose agents and tests take no time. */
  build: Cost
  /** What a process needs to open a project with so many rooms. */
  opening: { rooms: number; ms: number; heap_mb: number }
}

export interface Parameters {
  /** Milliseconds that a transaction holds the lock of its project, however little it carries. */
  lockMs: number
  /** And for each write that it carries. */
  writeMs: number
  /** Writes of a round, one after the other. */
  writes: number
  /** Milliseconds of a worker's processor per round. */
  cpuMs: number
  /** Milliseconds that a round waits for reads. */
  readMs: number
}

/**
 * Alone, each write is a transaction: `cpu + reads + writes × (lock + write)` is the time of a round. Many at once share
 * transactions: `transactions × lock + writes × write` is what a round holds the lock.
 */
export function parametersOf({ rounds, read_ms }: Pick<Constants, 'rounds' | 'read_ms'>): Parameters {
  const [alone, crowd] = [rounds[0]!, rounds.at(-1)!]
  const { writes } = alone
  const readMs = alone.reads * read_ms
  const each = Math.max(0.1, (1000 / alone.per_second - alone.worker_cpu_ms - readMs) / writes)
  const held = 1000 / crowd.per_second
  const lockMs = Math.min(each, Math.max(0, (writes * each - held) / (writes - crowd.writes)))
  return { lockMs, writeMs: each - lockMs, writes, cpuMs: crowd.worker_cpu_ms, readMs }
}

/** What the project's own commands add to a node: they wait for a processor of the worker. */
export interface NodeWork {
  commandMs: number
}

/** Of a node of a build. Its transactions are few and far between: each carries one write. */
export function nodeParametersOf(constants: Constants, { commandMs }: NodeWork): Parameters {
  const { lockMs, writeMs } = parametersOf(constants)
  const { build, read_ms } = constants
  return {
    lockMs,
    writeMs,
    writes: build.writes,
    cpuMs: build.worker_cpu_ms + commandMs,
    readMs: build.reads * read_ms,
  }
}

export interface Fleet {
  workers: number
  projects: number
  /** Rounds, or nodes, at once in a worker. */
  capacity: number
  /** Milliseconds that agents think in a round or node. */
  thinkMs: number
}

export interface Prediction {
  perSecond: number
  limit: 'places' | 'processors' | 'lock'
  /** How far the next limit is, as a multiple: near 1 queues form at two of them, and less is done than either allows. */
  margin: number
}

/**
 * Places, which rounds hold while agents think, unless the lock of a project is in demand for more than all of the time; then
 * every write waits for all processes of the project in turn, each of which carries what it has queued; and the workers'
 * processors.
 */
export function predict({ workers, projects, capacity, thinkMs }: Fleet, parameters: Parameters): Prediction {
  const { lockMs, writeMs, writes, cpuMs, readMs } = parameters
  const used = Math.min(projects, workers)
  const sharing = workers / used
  const places = sharing * capacity
  const apartMs = thinkMs + cpuMs + readMs
  const aloneMs = writes * (lockMs + writeMs)
  const free = places / (apartMs + aloneMs)
  const demand = free * aloneMs
  // The solution of x · (apart + writes · sharing · lock / (1 - x · writes · write)) = places.
  const carriedMs = writes * writeMs
  const half = apartMs + writes * sharing * lockMs + places * carriedMs
  const crowded = (2 * places) / (half + Math.sqrt(Math.max(0, half ** 2 - 4 * carriedMs * apartMs * places)))
  const inTalk = demand < 1 ? free : Math.max(crowded, 1 / aloneMs)
  const byProcessors = sharing / cpuMs
  const talk = { bound: inTalk, limit: demand < 1 ? ('places' as const) : ('lock' as const) }
  const computing = { bound: byProcessors, limit: 'processors' as const }
  const lowest = talk.bound <= computing.bound ? talk : computing
  const apart = Math.max(inTalk, byProcessors) / Math.min(inTalk, byProcessors)
  // Where the processors are the limit, what they let through is what asks for the lock.
  const asked = lowest === talk ? demand : computing.bound * aloneMs
  return {
    perSecond: lowest.bound * used * 1000,
    limit: lowest.limit,
    margin: Math.min(apart, Math.max(asked, 1 / asked)),
  }
}

/** By how much the simulation may differ from the formula, as a ratio: docs/scale.md says the same. */
export const agreement = {
  /** Where the next limit is at least this far. */
  clearMargin: 1.5,
  clear: [0.8, 1.2],
  knee: [0.65, 1.2],
} as const

export function agrees({ perSecond, margin }: Prediction, simulated: number): boolean {
  const [least, most] = margin >= agreement.clearMargin ? agreement.clear : agreement.knee
  return simulated >= least * perSecond && simulated <= most * perSecond
}

export interface Needs {
  rowsPerSecond: number
  walMbPerSecond: number
  gbPerDay: number
  /** Commits that wait for the disk: a lone round makes one for each write, and a crowd shares them. */
  commitsPerSecond: [least: number, most: number]
  readsPerSecond: number
  connections: number
}

/** What Postgres must bear. Every process adds its own load, at work or not; it writes twice a second that it lives. */
export function needsOf(
  { rounds, idle, connections }: Constants,
  { processes, perSecond }: { processes: number; perSecond: number },
): Needs {
  const [alone, crowd] = [rounds[0]!, rounds.at(-1)!]
  const signs = 2 * processes
  return {
    rowsPerSecond: perSecond * alone.rows_inserted,
    walMbPerSecond: (perSecond * alone.wal_kb + processes * idle.wal_kb_per_second) / 1000,
    gbPerDay: (perSecond * alone.table_kb * 86_400) / 1_000_000,
    commitsPerSecond: [perSecond * crowd.writes + signs, perSecond * alone.writes + signs],
    readsPerSecond: perSecond * alone.reads + processes * idle.transactions_per_second - signs,
    connections: processes * connections,
  }
}
