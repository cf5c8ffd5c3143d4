/** The capacity model of docs/scale.md: how many rounds a number of workers answers, from the measured constants. */

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
  /** What one process costs Postgres while nothing happens. */
  idle: { transactions_per_second: number; wal_kb_per_second: number }
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

export interface Fleet {
  workers: number
  projects: number
  /** Rounds at once in a worker. */
  capacity: number
  /** Milliseconds that agents think in a round. */
  thinkMs: number
}

export const limits = ['places', 'processors', 'lock'] as const

export interface Prediction {
  perSecond: number
  limit: (typeof limits)[number]
}

/**
 * The lowest of three bounds: places, which rounds hold while agents think; the workers' processors; and the lock of each
 * project, which passes from process to process, and each time carries what that process has queued.
 */
export function predict({ workers, projects, capacity, thinkMs }: Fleet, parameters: Parameters): Prediction {
  const { lockMs, writeMs, writes, cpuMs, readMs } = parameters
  const bounds: Record<Prediction['limit'], number> = {
    places: (workers * capacity * 1000) / (thinkMs + cpuMs + readMs + writes * (lockMs + writeMs)),
    processors: (workers * 1000) / cpuMs,
    lock: (projects * 1000) / (writes * (writeMs + lockMs / capacity)),
  }
  const limit = limits.reduce((least, one) => (bounds[one] < bounds[least] ? one : least))
  return { perSecond: bounds[limit], limit }
}
