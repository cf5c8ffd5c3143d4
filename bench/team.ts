/** Workers that share a Postgres: throughput as they become more, beside bare DBOS on the same steps, and latency. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type RunningPostgres, startPostgres } from '../test/team/start-postgres.ts'
import type { Bench } from './bench.ts'
import { interleave, median, medianRatio, whole } from './measure.ts'
import { openConveneFront } from './peers/convene-team.ts'
import { openDbosFront } from './peers/dbos.ts'
import { type ChainInput, now, type OpenTeamFront } from './team-chain.ts'
import { roomLatencies } from './team-rooms.ts'

interface Contender {
  name: string
  module: string
  worker: string
  front: OpenTeamFront
}

interface Load {
  name: string
  runs: number
  input: ChainInput
  /** Chains that one worker executes at once. */
  capacity: number
}

const ours: Contender = {
  name: '**Convene**',
  module: './peers/convene-team.ts',
  worker: 'openConveneWorker',
  front: openConveneFront,
}
const dbos: Contender = { name: 'DBOS', module: './peers/dbos.ts', worker: 'openDbosWorker', front: openDbosFront }
const waiting: Load = { name: 'steps of 50 ms', runs: 120, input: { steps: 10, stepMs: 50 }, capacity: 10 }
const trivial: Load = { name: 'trivial steps', runs: 200, input: { steps: 20, stepMs: 0 }, capacity: 50 }
const sizes = [1, 2, 4]
const rounds = 3
const singles = 60

export const team: Bench = async (folder) => {
  // The disk counts: the tests' own Postgres does not sync.
  const server = await startPostgres(['fsync=on', 'max_connections=200'])
  try {
    const cases = [waiting, trivial].flatMap((load) =>
      sizes.map((size) => ({ load, size, ours: [], dbos: [] }) as Case),
    )
    for (const each of cases)
      await interleave([ours, dbos], rounds, async (contender) => {
        const perSecond = await throughputOf(server, contender, each.load, each.size)
        each[contender === ours ? 'ours' : 'dbos'].push(perSecond)
      })
    const [start, otherStart] = [await startLatency(server, ours), await startLatency(server, dbos)]
    const rooms = await roomLatencies(folder, await server.createDatabase())
    return toResult(cases, { start, otherStart, rooms })
  } finally {
    await server.stop()
  }
}

interface Case {
  load: Load
  size: number
  /** Steps a second, by round. */
  ours: number[]
  dbos: number[]
}

/** Steps a second, from the first enqueue to the end of the last chain; the workers wait for work already. */
async function throughputOf(server: RunningPostgres, contender: Contender, load: Load, size: number): Promise<number> {
  return withWorkers(server, contender, size, load.capacity, async (front, client) => {
    const start = performance.now()
    await Promise.all(Array.from({ length: load.runs }, (_, run) => front.enqueue(`run-${run}`, load.input)))
    while ((await client.query(front.done)).rows[0].count < load.runs) await pause(10)
    return (load.runs * load.input.steps * 1000) / (performance.now() - start)
  })
}

/** The median time from the call that enqueues a chain to the beginning of its first step, one chain after another. */
async function startLatency(server: RunningPostgres, contender: Contender): Promise<number> {
  return withWorkers(server, contender, 1, trivial.capacity, async (front) => {
    const found: number[] = []
    for (let run = 0; run < singles; run++) {
      const asked = now()
      await front.enqueue(`run-${run}`, { steps: 1, stepMs: 0 })
      found.push((await front.began(`run-${run}`)) - asked)
      // At another moment of the time between two polls.
      await pause((run * 7) % 50)
    }
    return median(found)
  })
}

async function withWorkers<Found>(
  server: RunningPostgres,
  contender: Contender,
  size: number,
  capacity: number,
  measure: (front: Awaited<ReturnType<OpenTeamFront>>, client: pg.Client) => Promise<Found>,
): Promise<Found> {
  const url = await server.createDatabase()
  const workers: ChildProcess[] = []
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    for (let worker = 0; worker < size; worker++) {
      const program = join(import.meta.dirname, 'team-process.ts')
      const child = fork(program, [contender.module, contender.worker, url, String(capacity)])
      workers.push(child)
      await new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve())
        child.once('exit', (code) => reject(new Error(`a worker of ${contender.name} ended (${code})`)))
      })
    }
    const front = await contender.front(url)
    try {
      return await measure(front, client)
    } finally {
      await front.close()
    }
  } finally {
    await Promise.all(workers.map(end))
    await client.end()
  }
}

function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.kill('SIGKILL')
  })
}

interface Latencies {
  start: number
  otherStart: number
  rooms: Record<'sqlite' | 'postgres', number>
}

function toResult(cases: Case[], { start, otherStart, rooms }: Latencies): Awaited<ReturnType<Bench>> {
  const scaled = cases.filter(({ load }) => load === waiting).map(({ ours }) => median(ours))
  const rises = scaled.every((one, index) => index === 0 || one > scaled[index - 1]!)
  const lowest = Math.min(...cases.map(({ ours, dbos }) => medianRatio(ours, dbos)))
  const over = rooms.postgres - rooms.sqlite
  return {
    goals: [
      {
        measure: `steps a second with ${sizes.join(', ')} workers, ${waiting.name}`,
        goal: 'rises',
        found: scaled.map(whole).join(', '),
        met: rises,
      },
      {
        measure: 'throughput beside bare DBOS on the same steps, the lowest of all rows',
        goal: '≥ 0.80×',
        found: `${lowest.toFixed(2)}×`,
        met: lowest >= 0.8,
      },
      {
        measure: 'from enqueue to the first step, p50',
        goal: '≤ 60 ms',
        found: `${start.toFixed(0)} ms (DBOS: ${otherStart.toFixed(0)} ms)`,
        met: start <= 60,
      },
      {
        measure: 'a round in a room on Postgres, over SQLite, p50',
        goal: '≤ 25 ms',
        found: `${over.toFixed(0)} ms (${rooms.postgres.toFixed(0)} against ${rooms.sqlite.toFixed(0)})`,
        met: over <= 25,
      },
    ],
    settings: [
      `One Postgres 18 on this machine, fsync on; each worker is a process. ${rounds} rounds in turns with DBOS, each on a new database; medians.`,
      `${waiting.name}: ${waiting.runs} chains of ${waiting.input.steps} steps, ${waiting.capacity} chains at once a worker. ${trivial.name}: ${trivial.runs} chains of ${trivial.input.steps} steps, ${trivial.capacity} at once a worker. Another process enqueues all chains at once.`,
      '`@dbos-inc/dbos-sdk` 5.3.0 with its defaults, one queue, polled every 25 ms.',
      `Enqueue to start: ${singles} chains one after another, one worker. Rooms: two rehearsal agents that answer at once, one process.`,
    ],
    table: {
      columns: ['load', 'workers', 'Convene, steps/s', 'DBOS, steps/s', 'Convene ÷ DBOS'],
      rows: cases.map(({ load, size, ours, dbos }) => [
        load.name,
        String(size),
        whole(median(ours)),
        whole(median(dbos)),
        `${medianRatio(ours, dbos).toFixed(2)}×`,
      ]),
    },
    notes: [
      'With trivial steps one worker keeps a core busy and Postgres another, so more workers add little on two cores.',
      'Convene also writes two facts a run to its log, and checks at every write that the worker was not declared dead; DBOS does neither.',
    ],
  }
}
