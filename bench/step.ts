/** One durable step: its cost against a bare commit, and against others that make steps durable on SQLite. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import type { Pragmas } from './chain.ts'
import type { Answer, Order } from './chain-process.ts'
import { interleave, median, microseconds, quantile, ratios, times } from './measure.ts'

const steps = 100
const rounds = 40
/** This many chains fill every contender's journal file; while it still grows, a commit costs about twice as much. */
const warmUp = 10

interface Contender {
  name: string
  module: string
  open: string
  /** The packages whose versions to print. */
  packages?: string[]
}

const langgraph = { module: 'langgraph', packages: ['@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite'] }
const mastra = { module: 'mastra', packages: ['@mastra/core', '@mastra/libsql'] }
const raw: Contender = { name: 'raw `node:sqlite`, insert and commit', module: 'raw-sqlite', open: 'openRawSqlite' }
const ours: Contender = { name: '**Convene**, one step', module: 'convene', open: 'openConveneSteps' }
const contenders: Contender[] = [
  raw,
  ours,
  { name: '**Convene**, one step with an event', module: 'convene', open: 'openConveneStepsAndEvents' },
  { name: 'openworkflow', module: 'openworkflow', open: 'openOpenWorkflow', packages: ['openworkflow'] },
  { name: 'Mastra, step repeated, FULL', ...mastra, open: 'openMastraLoopFull' },
  { name: 'Mastra, chain of steps, FULL', ...mastra, open: 'openMastraChainFull' },
  { name: 'LangGraph, tasks, FULL and `sync`', ...langgraph, open: 'openLangGraphTasksFull' },
  { name: 'LangGraph, nodes, FULL and `sync`', ...langgraph, open: 'openLangGraphNodesFull' },
  { name: 'Mastra, step repeated, as it comes', ...mastra, open: 'openMastraLoop' },
  { name: 'Mastra, chain of steps, as it comes', ...mastra, open: 'openMastraChain' },
  { name: 'LangGraph, tasks, as it comes', ...langgraph, open: 'openLangGraphTasks' },
  { name: 'LangGraph, nodes, as it comes', ...langgraph, open: 'openLangGraphNodes' },
]

interface Outcome {
  /** Of each step, by round. */
  rounds: number[][]
  pragmas?: Pragmas
  failure?: string
}

export const step: Bench = async (folder) => {
  const outcomes = await measureAll(folder)
  const rawOutcome = outcomes.get(raw)!
  const ourOutcome = outcomes.get(ours)!
  if (rawOutcome.failure ?? ourOutcome.failure) throw new Error(rawOutcome.failure ?? ourOutcome.failure)
  const ratio = median(ratiosOf(ourOutcome, rawOutcome))
  return {
    goals: [
      { measure: 'one durable step beside a bare commit, p50', goal: '≤ 2×', found: times(ratio), met: ratio <= 2 },
    ],
    settings: [
      `${rounds} rounds; in each, every contender runs one chain of ${steps} trivial steps, in turns that begin with another contender each round. ${warmUp} such rounds before that are not counted: until SQLite’s journal file has its full size, a commit costs every contender about twice.`,
      'Each contender has a process and a database file of its own on the same disk, WAL, and keeps both through all rounds.',
      'A step is timed from the beginning of its function to the beginning of the next one. p50 is the median of the rounds; the ratios are medians of the ratios within each round. p99 is over all steps.',
      `Versions: ${versions()}.`,
    ],
    table: {
      columns: [
        'contender',
        'journal, synchronous',
        'p50',
        'p99',
        'p50 ÷ raw',
        'middle half of the rounds',
        'p50 ÷ Convene',
      ],
      rows: contenders.map((contender) => tableRow(contender, outcomes.get(contender)!, rawOutcome, ourOutcome)),
    },
    notes: [
      '`FULL` waits for the disk at every commit and survives a power cut; `NORMAL` does not wait, so the last steps may be lost in one. Rows with the same setting compare; “as it comes” is each library without any setting of ours.',
      'Counted with strace, each at FULL: one wait for the disk a step in the raw loop, Convene, Mastra’s repeated step and a LangGraph task; two in openworkflow, Mastra’s chain and a LangGraph node. Mastra’s chain writes its whole snapshot each time, which grows with the number of steps; repeated, the step keeps it small.',
      'LangGraph asks for better-sqlite3 12; built from source for this Node, that aborts. 13 stands in, whose addon fits every version of Node.',
    ],
  }
}

async function measureAll(folder: string): Promise<Map<Contender, Outcome>> {
  const outcomes = new Map<Contender, Outcome>()
  const processes = new Map<Contender, ChildProcess>()
  const attempt = async (contender: Contender, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      outcomes.get(contender)!.failure ??= (error as Error).message
    }
  }
  for (const [index, contender] of contenders.entries()) {
    outcomes.set(contender, { rounds: [] })
    await attempt(contender, async () => {
      const own = join(folder, String(index))
      mkdirSync(own)
      const child = fork(join(import.meta.dirname, 'chain-process.ts'), [
        `./peers/${contender.module}.ts`,
        contender.open,
        own,
      ])
      processes.set(contender, child)
      await answerOf(child)
    })
  }
  const running = contenders.filter((contender) => outcomes.get(contender)!.failure === undefined)
  await interleave(running, warmUp + rounds, (contender, round) =>
    attempt(contender, async () => {
      const answer = await told(processes.get(contender)!, { run: steps })
      if ('milliseconds' in answer && round >= warmUp) outcomes.get(contender)!.rounds.push(answer.milliseconds)
    }),
  )
  for (const [contender, child] of processes) {
    await attempt(contender, async () => {
      const answer = await told(child, { end: true })
      if ('pragmas' in answer) outcomes.get(contender)!.pragmas = answer.pragmas
    })
    child.kill()
  }
  return outcomes
}

async function told(child: ChildProcess, order: Order): Promise<Answer> {
  if (!child.connected) throw new Error('its process ended')
  const answer = answerOf(child)
  child.send(order)
  return answer
}

function answerOf(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) => {
      child.off('message', onMessage)
      reject(new Error(`its process ended (${signal ?? code})`))
    }
    const onMessage = (answer: Answer) => {
      child.off('exit', onExit)
      if ('failed' in answer) reject(new Error(answer.failed))
      else resolve(answer)
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}

function tableRow({ name }: Contender, outcome: Outcome, raw: Outcome, ours: Outcome): string[] {
  if (outcome.failure !== undefined)
    return [name, `could not be measured: ${firstLine(outcome.failure)}`, '', '', '', '', '']
  const { journalMode, synchronous } = outcome.pragmas!
  const besideRaw = ratiosOf(outcome, raw)
  return [
    name,
    `${journalMode}, ${synchronous}`,
    microseconds(median(outcome.rounds.map(median))),
    microseconds(quantile(outcome.rounds.flat(), 0.99)),
    times(median(besideRaw)),
    `${times(quantile(besideRaw, 0.25))} to ${times(quantile(besideRaw, 0.75))}`,
    times(median(ratiosOf(outcome, ours))),
  ]
}

const ratiosOf = (one: Outcome, other: Outcome) => ratios(one.rounds.map(median), other.rounds.map(median))
/** An error may contain file names of this machine. */
const firstLine = (text: string) =>
  text
    .split('\n')[0]!
    .replace(/\/[^\s'"]+\//g, '…/')
    .replaceAll('|', '¦')

function versions(): string {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const named = new Set(contenders.flatMap((contender) => contender.packages ?? []))
  return [...named].map((name) => `${name} ${dependencies[name]}`).join(', ')
}
