/** Measures rounds in many rooms (a burst, a steady load, a thousand listeners) beside LangGraph doing the same work. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { megabytes, whole } from './measure.ts'
import { type LoadResult, quickMilliseconds, strongMilliseconds } from './room-load.ts'

const rate = 500
const conveneSeconds = 20
/** LangGraph falls behind at this rate; a longer run would only measure how far. */
const langGraphSeconds = 4

/** A ratio, because the machine is shared: when it is half as fast, both contenders take twice as long. */
const burstGoal = 2.5 / 11

/** A proposer three times as quick as the answering model may delay the answer by half at most. */
const firstTokenGoal = 1.5

/** The flags that `bin/convene` passes to Node; LangGraph gets the same. */
const nodeOptions = ['--min-semi-space-size=16']

export const room: Bench = async (folder) => {
  const measure = async <Result>(contender: string, load: string): Promise<Result> => {
    const program = join(import.meta.dirname, 'room-process.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...nodeOptions,
      program,
      contender,
      load,
      join(folder, `${contender}-${load}-${Math.random()}`),
    ])
    return JSON.parse(stdout) as Result
  }
  const bursts: LoadResult[] = []
  const otherBursts: LoadResult[] = []
  for (let round = 0; round < 3; round++) {
    bursts.push(await measure<LoadResult>('convene', 'burst'))
    otherBursts.push(await measure<LoadResult>('langgraph', 'burst'))
  }
  const steady = await measure<LoadResult>('convene', String(conveneSeconds))
  const otherSteady = await measure<LoadResult>('langgraph', String(langGraphSeconds))
  const heard = await measure<{ listeners: number; events: number; complete: number; milliseconds: number }>(
    'convene',
    'listeners',
  )

  const first = await measure<Record<'plain' | 'proposer' | 'wording', number>>('convene', 'first-token')
  const delay = first.proposer / first.plain

  const best = middle(bursts)
  const other = middle(otherBursts)
  const ratio = best.milliseconds / other.milliseconds
  const memory = Math.max(steady.rss, ...bursts.map((each) => each.rss))
  return {
    goals: [
      {
        measure: 'a burst of 2,000 rooms, time beside LangGraph in the same run',
        goal: `≤ ${burstGoal.toFixed(2)}×`,
        found: `${ratio.toFixed(2)}×`,
        met: ratio <= burstGoal,
      },
      {
        measure: `${rate} rounds a second for ${conveneSeconds} s, p99 beyond the agents' own time`,
        goal: '≤ 100 ms',
        found: milliseconds(steady.p99),
        met: steady.p99 <= 100,
      },
      { measure: 'memory under both', goal: '≤ 600 MB', found: megabytes(memory), met: memory <= 600_000_000 },
      {
        measure: '1,000 listeners that got every event',
        goal: '1,000',
        found: whole(heard.complete),
        met: heard.complete === heard.listeners,
      },
      {
        measure: 'first token of a coordinated answer with a cheap proposer, beside a plain call',
        goal: `≤ ${firstTokenGoal.toFixed(2)}×`,
        found: `${delay.toFixed(2)}× (${milliseconds(first.proposer)} against ${milliseconds(first.plain)}; decided by wording: ${milliseconds(first.wording)})`,
        met: delay <= firstTokenGoal,
      },
    ],
    settings: [
      `First token: a strong agent that takes ${strongMilliseconds} ms to its first token and a proposer that takes ${quickMilliseconds} ms for a proposal, median of eleven messages each.`,
      'Two rehearsal agents that take 50 ms for each reply; a round is two proposals side by side, the decision and one answer. One process, no warm-up; both with `--min-semi-space-size=16`, as `bin/convene` starts Node.',
      'Burst: one message into each of 2,000 rooms at once, three times in turns with LangGraph; the median is shown.',
      `Steady: messages into random rooms at random moments (Poisson), ${rate} a second, for ${conveneSeconds} s (LangGraph: ${langGraphSeconds} s). Overhead is the time from sending to the end of the round less 100 ms.`,
      'LangGraph: the same two proposals, decision and answer as a graph with its SQLite checkpointer, WAL, synchronous FULL, durability `sync`, one thread a message.',
    ],
    table: {
      columns: [
        'contender',
        'burst of 2,000',
        'burst, memory',
        `${rate}/s: p50 beyond agents`,
        'p99 beyond agents',
        'memory',
      ],
      rows: [
        [
          '**Convene**',
          seconds(best.milliseconds),
          megabytes(best.rss),
          milliseconds(steady.p50),
          milliseconds(steady.p99),
          megabytes(steady.rss),
        ],
        [
          'LangGraph',
          seconds(other.milliseconds),
          megabytes(other.rss),
          milliseconds(otherSteady.p50),
          milliseconds(otherSteady.p99),
          megabytes(otherSteady.rss),
        ],
      ],
    },
    notes: [
      `Convene takes ${ratio.toFixed(2)}× the time of LangGraph for the burst.`,
      `Listeners: ${whole(heard.listeners)} connections on one log; 20 rounds made ${whole(heard.events)} events, and all had them after ${seconds(heard.milliseconds)}.`,
    ],
  }
}

function middle(results: LoadResult[]): LoadResult {
  return [...results].sort((a, b) => a.milliseconds - b.milliseconds)[Math.floor(results.length / 2)]!
}

const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`
const milliseconds = (value: number) => `${whole(value)} ms`
