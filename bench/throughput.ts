/** A thousand runs at once: how many durable steps per second, and how many commits they shared. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Run } from '../src/kernel/engine.ts'
import { Database } from '../src/kernel/stores/database.ts'
import type { Bench } from './bench.ts'
import { stepValue } from './chain.ts'
import { interleave, median, medianRatio, millisecondsOf, times, whole } from './measure.ts'
import { openConvene } from './open-convene.ts'

const runs = 1000
const steps = 50
const rounds = 5
const goal = 10_000

export const throughput: Bench = async (folder) => {
  const ours: number[] = []
  const raw: number[] = []
  const commits: number[] = []
  await interleave([measureOurs, measureRaw], rounds, async (measure, round) => {
    const own = join(folder, `${measure.name}-${round}`)
    mkdirSync(own)
    await measure(own)
  })

  async function measureOurs(own: string) {
    const database = new CountingDatabase(join(own, 'convene.db'))
    const { engine, close } = openConvene(own, database)
    const before = database.commits
    ours.push(
      await millisecondsOf(async () => {
        const started = await Promise.all(Array.from({ length: runs }, () => engine.start(chain, steps)))
        await Promise.all(started.map((handle) => handle.result()))
      }),
    )
    commits.push(database.commits - before)
    await close()
  }

  /** The lower bound: the same rows and as many commits, without an engine. */
  async function measureRaw(own: string) {
    const sqlite = openRaw(join(own, 'raw.db'))
    raw.push(await millisecondsOf(() => writeRaw(sqlite)))
    sqlite.close()
  }

  const perSecond = ours.map((milliseconds) => (runs * steps * 1000) / milliseconds)
  const rawPerSecond = raw.map((milliseconds) => (runs * steps * 1000) / milliseconds)
  const found = median(perSecond)
  return {
    goals: [
      {
        measure: `durable steps a second, ${whole(runs)} runs at once`,
        goal: `≥ ${whole(goal)}`,
        found: whole(found),
        met: found >= goal,
      },
    ],
    settings: [
      `${whole(runs)} runs of ${steps} steps each, started at once; the time is from the first start to the last result, with the facts that each run began and ended. No warm-up.`,
      `${rounds} rounds, each on a new database file, WAL, synchronous FULL, in turns with the bare inserts.`,
    ],
    table: {
      columns: ['', 'steps a second, median', 'lowest to highest', 'commits on disk', 'steps a commit'],
      rows: [
        [
          '**Convene**',
          whole(found),
          `${whole(Math.min(...perSecond))} to ${whole(Math.max(...perSecond))}`,
          whole(median(commits)),
          whole((runs * steps) / median(commits)),
        ],
        [
          'raw `node:sqlite`, the same step rows',
          whole(median(rawPerSecond)),
          `${whole(Math.min(...rawPerSecond))} to ${whole(Math.max(...rawPerSecond))}`,
          whole(steps),
          whole(runs),
        ],
      ],
    },
    notes: [
      `Convene takes ${times(medianRatio(ours, raw))} the time of bare inserts that keep the same steps in ${steps} commits.`,
      'A commit counts once it is on disk: with `FULL` each one waits for the disk.',
    ],
  }
}

const chain = {
  name: 'chain',
  version: 1,
  async run(run: Run, count: number) {
    for (let index = 0; index < count; index++) await run.step('step', () => stepValue(index))
  },
}

/** Every transaction ends with this statement. */
class CountingDatabase extends Database {
  commits = 0

  override prepare(sql: string): StatementSync {
    if (sql === 'COMMIT') this.commits++
    return super.prepare(sql)
  }
}

function openRaw(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file)
  sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE steps (run INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      state TEXT NOT NULL, value TEXT, at INTEGER NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID`)
  return sqlite
}

function writeRaw(sqlite: DatabaseSync): void {
  const insert = sqlite.prepare('INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (let index = 0; index < steps; index++) {
    sqlite.exec('BEGIN IMMEDIATE')
    for (let run = 0; run < runs; run++)
      insert.run(run, index, 'step', 'step', 'done', JSON.stringify(stepValue(index)), Date.now())
    sqlite.exec('COMMIT')
  }
}
