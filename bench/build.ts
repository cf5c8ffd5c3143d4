/**
 * Builds: a tree of forty nodes against its critical path, one node's git work against bare git, large outputs by
 * reference.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { measureOverhead, nodesOfRun, type Overhead } from './build-overhead.ts'
import type { Weight } from './build-payloads-process.ts'
import type { Shape } from './build-project.ts'
import type { TreeResult } from './build-tree-process.ts'
import { median, medianRatio, megabytes, times, whole } from './measure.ts'

/** One root, three parts, twelve leaves each: forty nodes in three levels. */
const tree: Shape = { children: [3, 12], agentMilliseconds: 5000, testMilliseconds: 80, files: 500 }
const quickAgentMilliseconds = 1500
const sizes = [
  { files: 500, rounds: 10 },
  { files: 10_000, rounds: 5 },
]
const payloads = { count: 100, bytes: 1_000_000 }
const flatBytes = 30_000_000

export const build: Bench = async (folder) => {
  const slow = await inProcess<TreeResult>('build-tree-process.ts', [join(folder, 'tree'), JSON.stringify(tree)])
  const quickShape = { ...tree, agentMilliseconds: quickAgentMilliseconds }
  const quick = await inProcess<TreeResult>('build-tree-process.ts', [
    join(folder, 'quick'),
    JSON.stringify(quickShape),
  ])
  const overheads: Overhead[] = []
  for (const { files, rounds } of sizes)
    overheads.push(await measureOverhead(join(folder, `overhead-${files}`), files, rounds))
  const weigh = (way: string) => {
    const words = [way, String(payloads.count), String(payloads.bytes), join(folder, way)]
    return inProcess<Weight>('build-payloads-process.ts', words)
  }
  const byReference = await weigh('by reference')
  const inMemory = await weigh('in memory')

  const ratio = slow.wall / slow.path
  return {
    goals: [
      {
        measure: `a tree of ${slow.nodes} nodes beside its critical path`,
        goal: '≤ 1.10×',
        found: times(ratio),
        met: ratio <= 1.1,
      },
      ...overheads.map((each) => ({
        measure: `worktrees, commit, merge and verification of a node beside bare git, ${whole(each.files)} files`,
        goal: '≤ 1.3×',
        found: times(medianRatio(each.ours, each.thrifty)),
        met: medianRatio(each.ours, each.thrifty) <= 1.3,
      })),
      {
        measure: `memory that ${payloads.count} outputs of 1 MB cost, at the highest`,
        goal: `< ${megabytes(flatBytes)}`,
        found: megabytes(byReference.peak),
        met: byReference.peak < flatBytes,
      },
    ],
    settings: [
      `Tree: one root with 3 parts of 12 leaves each, real git, ${whole(tree.files)} files besides; rehearsal agents that take ${seconds(tree.agentMilliseconds)} for every reply (in a second tree ${seconds(quickAgentMilliseconds)}), as many at once as there are nodes; a test command that sleeps ${tree.testMilliseconds} ms.`,
      'Critical path: every question its fixed time, every command the time that its evidence has; a node is scaffolded, then its tests and its parts come side by side, then code, check and review; merges into one branch wait for each other, in the order they had.',
      `Bare git: the commands of a script that works in one worktree, brought to a commit and cleaned each time, with a second one where branches come together; in turns with Convene, ${nodesOfRun} nodes a turn, ${sizes.map(({ rounds }) => rounds).join(' and ')} turns, medians of the ratios within each. Both run the same trivial test twice a node, without a sandbox.`,
      `Outputs: ${payloads.count} test runs that print 1 MB each, kept as evidence keeps them and read back in pieces of 64 KiB by reference; in a process of its own, beyond what it had after ten others.`,
    ],
    table: {
      columns: ['', 'measured', 'compared with', 'ratio', 'how'],
      rows: [
        treeRow(`tree, agents of ${seconds(tree.agentMilliseconds)}`, slow),
        treeRow(`tree, agents of ${seconds(quickAgentMilliseconds)}`, quick),
        ...overheads.flatMap(overheadRows),
        weightRow('outputs by reference', byReference, inMemory),
        weightRow('outputs held in memory', inMemory, inMemory),
      ],
    },
    notes: [
      `Beyond the path, along the chain that ended last (agents of ${seconds(tree.agentMilliseconds)}): ${beyond(slow)}.`,
      `The same with agents of ${seconds(quickAgentMilliseconds)}: ${beyond(quick)}.`,
      `${whole(slow.git.processes)} git processes, ${whole(slow.git.processes / slow.nodes)} a node, ran for ${seconds(slow.git.milliseconds)} in sum; at least one of them during ${percent(slow.git.busy / slow.wall)} of the time. Convene itself used ${slow.own.toFixed(1)} s of processor time, git and commands ${slow.theirs.toFixed(1)} s.`,
      'All leaves reach the same place at the same moment, since all agents take the same time: their git work comes in bursts that the cores share. That is the worst case; agents of uneven speed spread it.',
    ],
  }
}

async function inProcess<Result>(program: string, words: string[]): Promise<Result> {
  const path = join(import.meta.dirname, program)
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', path, ...words], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as Result
}

function treeRow(name: string, { wall, path, commands, nodes }: TreeResult): string[] {
  const how = `${nodes} nodes, ${whole(commands.processes)} commands`
  return [name, seconds(wall), `${seconds(path)} critical path`, times(wall / path), how]
}

function overheadRows({ files, ours, plain, thrifty }: Overhead): string[][] {
  const row = (name: string, against: number[], what: string) => [
    name,
    milliseconds(median(ours)),
    `${milliseconds(median(against))} bare git`,
    times(medianRatio(ours, against)),
    what,
  ]
  const name = `a node, ${whole(files)} files`
  return [row(name, thrifty, 'one worktree for all of it'), row(name, plain, 'a new worktree for every step')]
}

function weightRow(name: string, weight: Weight, other: Weight): string[] {
  const how = `${megabytes(weight.bytes)} read back, heap ${megabytes(weight.heap)} at the highest`
  return [name, megabytes(weight.peak), `${megabytes(other.peak)} in memory`, times(weight.peak / other.peak), how]
}

/** The segments with the most overhead, and the rest as one. */
function beyond({ timeline }: TreeResult): string {
  const kinds = new Map<string, number>()
  for (const { name, work, took } of timeline.stretches) {
    const kind = name.replace(/ at depth \d+$/, '').replace(/^\d+ merges?$/, 'merges')
    kinds.set(kind, (kinds.get(kind) ?? 0) + took - work)
  }
  return [...kinds]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, extra]) => `${kind} ${milliseconds(extra)}`)
    .join(', ')
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
const milliseconds = (value: number) => `${whole(value)} ms`
