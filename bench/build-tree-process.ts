/**
 * Builds one tree in a separate process: `build-tree-process.ts <folder> <shape as JSON>` prints its measurements as
 * JSON. With BENCH_DETAIL set it also prints how often each git command ran, and for how long.
 */
import { channel } from 'node:diagnostics_channel'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import { criticalPath, type Timeline, timelineOf } from './build-critical-path.ts'
import { layProject, type Shape } from './build-project.ts'

export interface TreeResult {
  nodes: number
  wall: number
  path: number
  timeline: Timeline
  /** Processes that were started, and how long they ran in total. */
  git: { processes: number; milliseconds: number; busy: number }
  commands: { processes: number; milliseconds: number }
  /** Seconds of processor time: of this process, and of those it started. */
  own: number
  theirs: number
  rss: number
}

const [folder, shapeText] = process.argv.slice(2) as [string, string]
const shape = JSON.parse(shapeText) as Shape
const project = join(folder, 'project')
mkdirSync(project, { recursive: true })
const spec = layProject(project, shape)

const started: { name: string; from: number; to: number }[] = []
channel('convene:git').subscribe((message) => {
  const { args, began, ended } = message as { args: string[]; began: number; ended: number }
  started.push({ name: args.find((word) => !word.startsWith('-'))!, from: began, to: ended })
})

const env = { PATH: process.env.PATH, HOME: folder }
const app = await createApp(loadConfig({ folder: project, env }), env)
const begun = performance.now()
const cpu = process.cpuUsage()
const children = childSeconds()
const { id } = await app.builds.start({ spec, strategy: 'graph' })
await app.engine.result(id)
const wall = performance.now() - begun
const theirs = childSeconds() - children
const { user, system } = process.cpuUsage(cpu)
const report = await app.builds.report(id)
if (report.status !== 'done') throw new Error(`the build ended as ${report.status}: ${report.reason}`)
const events = await app.store.read({ run: id })
const { rss } = process.memoryUsage()
await app.close()

const total = (of: typeof started) => of.reduce((sum, { from, to }) => sum + (to - from), 0)
const evidence = events.filter(({ type }) => type === 'evidence.recorded')
const runningTime = evidence.reduce((sum, { data }) => sum + (data as { milliseconds: number }).milliseconds, 0)
if (process.env.BENCH_DETAIL) {
  const names = [...new Set(started.map(({ name }) => name))]
  for (const name of names) {
    const some = started.filter((one) => one.name === name)
    console.error(`${name}\t${some.length}\t${Math.round(total(some))} ms\t${(total(some) / some.length).toFixed(1)}`)
  }
}
console.log(
  JSON.stringify({
    nodes: new Set(events.filter(({ type }) => type === 'node.started').map(({ run }) => run)).size,
    wall,
    path: criticalPath(events, shape.agentMilliseconds),
    timeline: timelineOf(events, shape.agentMilliseconds),
    git: { processes: started.length, milliseconds: total(started), busy: covered(started) },
    commands: { processes: evidence.length, milliseconds: runningTime },
    own: (user + system) / 1e6,
    theirs,
    rss,
  } satisfies TreeResult),
)
process.exit(0)

/** How long at least one of them ran. */
function covered(spans: { from: number; to: number }[]): number {
  let until = 0
  let sum = 0
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}

/** Processor time of all descendants of this process; 0 if the system does not report it. */
function childSeconds(): number {
  try {
    const alive = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => statusOf(pid) ?? [])
    const children = alive.filter(({ parent }) => parent === process.pid)
    return children.reduce((sum, { own, ended }) => sum + own + ended, statusOf('self')?.ended ?? 0)
  } catch {
    return 0
  }
}

function statusOf(pid: string): { parent: number; own: number; ended: number } | undefined {
  try {
    // The name before it may contain anything, brackets too.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^[\s\S]*\) /, '')
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: (fields[11]! + fields[12]!) / 100, ended: (fields[13]! + fields[14]!) / 100 }
  } catch {
    return undefined
  }
}
