/** A plan in complete mode: what Convene adds to agents that reply at once, and to agents that take time. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { median, times } from './measure.ts'
import type { PlanRun } from './plan-process.ts'

const rounds = 5
const agentMilliseconds = 200
const ways = [
  { name: 'agents of 0 ms', milliseconds: 0, beside: false },
  { name: 'agents of 200 ms, one phase after the other', milliseconds: agentMilliseconds, beside: false },
  { name: 'agents of 200 ms, phases 8 and 8b side by side', milliseconds: agentMilliseconds, beside: true },
]

export const plan: Bench = async (folder) => {
  const runs: PlanRun[][] = ways.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, { milliseconds, beside }] of ways.entries())
      runs[index]!.push(await inProcess(join(folder, `${index}-${round}`), milliseconds, beside))
  const [instant, , together] = runs as [PlanRun[], PlanRun[], PlanRun[]]
  const overhead = median(instant.map(({ wall }) => wall))
  const ratio = median(together.map(({ wall, path }) => wall / path))
  return {
    goals: [
      {
        measure: 'a complete plan with agents of 0 ms',
        goal: '≤ 2 s',
        found: seconds(overhead),
        met: overhead <= 2000,
      },
      {
        measure: `a complete plan beside its critical path, agents of ${agentMilliseconds} ms, s11 on`,
        goal: '≤ 1.10×',
        found: times(ratio),
        met: ratio <= 1.1,
      },
    ],
    settings: [
      `Complete mode with the balanced team in a repository of three files, rehearsal agents with replies of a page; every plan in a process of its own, from the request to its result; ${rounds} of each kind, in turns, medians.`,
      'Critical path: calls that follow each other, each its fixed time; calls of one round, and phases side by side, count once.',
    ],
    table: {
      columns: ['', 'calls', 'critical path', 'wall', 'ratio', 'beyond the path, a call'],
      rows: ways.map(({ name }, index) => row(name, runs[index]!)),
    },
    notes: [
      'What is beyond the path is writing: every call is on disk before it is put and after it is answered, every phase with its files.',
    ],
  }
}

function row(name: string, runs: readonly PlanRun[]): string[] {
  const wall = median(runs.map((run) => run.wall))
  const { calls, path } = runs[0]!
  const beyond = median(runs.map((run) => (run.wall - run.path) / run.calls))
  return [
    name,
    String(calls),
    seconds(path),
    seconds(wall),
    path > 0 ? times(wall / path) : '—',
    `${beyond.toFixed(1)} ms`,
  ]
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

async function inProcess(folder: string, milliseconds: number, beside: boolean): Promise<PlanRun> {
  const program = join(import.meta.dirname, 'plan-process.ts')
  const args = ['--disable-warning=ExperimentalWarning', program, folder, String(milliseconds), String(beside)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as PlanRun
}
