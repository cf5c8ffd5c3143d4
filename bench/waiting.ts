/** How much memory ten thousand waiting runs take, and how soon they wait again after a restart. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { median, megabytes, whole } from './measure.ts'
import type { Weighed } from './waiting-process.ts'

const runs = 10_000
const rounds = 3
const goal = 400_000_000

export const waiting: Bench = async (folder) => {
  const started: Weighed[] = []
  const recovered: Weighed[] = []
  for (let round = 0; round < rounds; round++) {
    const own = join(folder, String(round))
    mkdirSync(own)
    started.push(await weigh('start', own))
    recovered.push(await weigh('recover', own))
  }
  const growth = Math.max(of(started, 'rssGrowth'), of(recovered, 'rssGrowth'))
  return {
    goals: [
      {
        measure: `memory of ${whole(runs)} waiting runs`,
        goal: `≤ ${megabytes(goal)}`,
        found: megabytes(growth),
        met: growth <= goal,
      },
    ],
    settings: [
      `${whole(runs)} runs that have done one step and wait for a signal, without a time limit. Resident memory of the process after a garbage collection, less what it was with the engine open and no run.`,
      `${rounds} rounds, medians. The first process is ended by SIGKILL while all wait; a second one opens the same file and recovers them. A hundred of them are then sent their signal and have to end with it.`,
    ],
    table: {
      columns: ['', 'resident memory', 'a run', 'of it JavaScript heap', 'highest on the way', 'until all wait'],
      rows: [row('started', started), row('recovered after a kill', recovered)],
    },
    notes: [
      'Starting writes each run and its first step to disk; recovering writes a fact for each run that it took up.',
    ],
  }
}

async function weigh(phase: 'start' | 'recover', folder: string): Promise<Weighed> {
  const child = fork(join(import.meta.dirname, 'waiting-process.ts'), [phase, folder, String(runs)], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const exited = once(child, 'exit')
  const message = await Promise.race([once(child, 'message'), exited.then(() => null)])
  if (!message) throw new Error(`the process that was to ${phase} the runs ended`)
  child.kill('SIGKILL')
  await exited
  const weighed = message[0] as Weighed
  if (weighed.runs !== runs) throw new Error(`${weighed.runs} of ${runs} runs waited`)
  if (phase === 'recover' && weighed.answered !== 100)
    throw new Error(`${weighed.answered} of 100 signals were answered`)
  return weighed
}

const of = (found: Weighed[], key: keyof Weighed) => median(found.map((each) => each[key]))
const row = (name: string, found: Weighed[]) => [
  name,
  megabytes(of(found, 'rssGrowth')),
  `${(of(found, 'rssGrowth') / runs / 1000).toFixed(1)} kB`,
  megabytes(of(found, 'heapGrowth')),
  megabytes(of(found, 'peakGrowth')),
  `${(of(found, 'milliseconds') / 1000).toFixed(2)} s`,
]
