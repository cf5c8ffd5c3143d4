/**
 * The real coding agents with an emulated model: a task through Convene, served and as a command of its own, beside the same
 * program alone, the start of an ask to a warm agent beside a cold one, and the memory of ten agents at once.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createCodingAgent } from '../src/agents/acp/acp.ts'
import { machineMemoryMb } from '../src/agents/acp/machine-memory.ts'
import { presets } from '../src/agents/acp/presets.ts'
import { ProcessPool } from '../src/agents/acp/process-pool.ts'
import { headlessProgram } from '../src/agents/headless/headless-agent.ts'
import type { AgentMessage, AgentRequest } from '../src/kernel/agent.ts'
import { agentsAtOnce } from '../src/rules/agents/process-limit.ts'
import { oneLine } from '../src/rules/text/one-line.ts'
import { clis, type RealCli, realAgent } from '../test/agents/real/clis.ts'
import { type EmulatedMind, emulatedMind } from '../test/agents/real/emulated-mind.ts'
import { installManifest } from '../test/support/installed-packages.ts'
import { processesWith } from '../test/support/processes.ts'
import type { Bench } from './bench.ts'
import { layRepository } from './build-project.ts'
import { median, medianRatio, millisecondsOf, times, whole } from './measure.ts'
import { ship } from './ship.ts'

const rounds = 3
/** A model's reply takes seconds; here it always takes the same. */
const thinksMs = 2000
const reads = 4
/** How long a person takes to read an answer and ask the next question. */
const readsMs = 3000
const atOnce = 10
/** Only ends a program that hangs. */
const limitMs = 600_000
const goals = { task: 1.1, warm: 0.2 }
const question = 'Which word is in secret.txt?'

interface Place {
  cli: RealCli
  mind: EmulatedMind
  home: string
  bin: string
  project: string
  settings: ReturnType<typeof realAgent>
}

export const agents: Bench = async (folder) => {
  const launcher = join(await ship(folder), 'bin/convene')
  const manifest = join(import.meta.dirname, '../test/agents/real/agents.json')
  const installed = await installManifest('agents', manifest, { scripts: true })
  if ('missing' in installed) throw new Error(installed.missing)
  // Not below /tmp: Codex hides that from its own sandbox.
  const root = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'convene-tests', `bench-${process.pid}`)
  try {
    const found: Found[] = []
    const failed: Failed[] = []
    for (const cli of clis) {
      console.error(`  ${cli.agent}`)
      const place = await open(cli, join(root, cli.agent), join(installed.modules, '.bin'), join(folder, cli.agent))
      try {
        found.push({ cli, task: await compareTask(place, launcher), start: await compareStarts(place) })
      } catch (error) {
        failed.push({ cli, why: oneLine((error as Error).message, 300) })
      } finally {
        await place.mind.close()
      }
    }
    console.error(`  ${atOnce} at once`)
    const claude = await open(clis[0]!, join(root, 'ten'), join(installed.modules, '.bin'), join(folder, 'ten'))
    const memoryMb = await memoryOfMany(claude).finally(() => claude.mind.close())
    return report(found, failed, memoryMb)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function open(cli: RealCli, root: string, bin: string, project: string): Promise<Place> {
  const home = join(root, 'home')
  mkdirSync(home, { recursive: true })
  mkdirSync(project, { recursive: true })
  const mind = await emulatedMind(project)
  const settings = realAgent(cli, { home, url: mind.url, bin })
  const config = JSON.stringify({ agents: { coder: settings }, build: { worktrees: join(root, 'worktrees') } })
  layRepository(project, 20, { 'secret.txt': 'marzipan\n', 'convene.yaml': config })
  return { cli, mind, home, bin, project, settings }
}

/**
 * The same task, with as many requests to the model: through a Convene that is served, as a project in use is, through a command
 * that starts Convene for this task alone, and by the agent's own program.
 */
async function compareTask(place: Place, launcher: string): Promise<Tasks> {
  const { cli, mind, project } = place
  // Relative to the folder that the agent works in, which is not the same for both.
  const reading = () => cli.read('secret.txt')
  const steps = Array.from({ length: reads }, () => ({ tool: reading().name, arguments: () => reading().arguments }))
  mind.tasks.push({ about: question, steps: [...steps, { say: 'The word is marzipan.' }] })
  mind.thinksMs = thinksMs
  const env = { ...process.env, CONVENE_TRUST: '1' }
  const ask = () => ended(launcher, ['ask', question, '--to', 'coder'], '', project, env)
  const alone = () => {
    const { argv, env: own } = bareProgram(place)
    return ended(argv[0]!, argv.slice(1), `${question} Your current folder is ${project}.`, project, own)
  }
  const once = await inTurns('command', ask, alone)
  const end = await serveProject(launcher, project, env)
  const served = await inTurns('served', ask, alone).finally(end)
  mind.tasks.length = 0
  mind.thinksMs = 0
  return { once, served }
}

/** Measures both one after the other. The first round fills caches and, if Convene is served, starts the agent. */
async function inTurns(name: string, ask: () => Promise<void>, alone: () => Promise<void>): Promise<Compared> {
  const found: Compared = { convene: [], bare: [] }
  for (let round = 0; round <= rounds; round++) {
    const convene = await millisecondsOf(ask)
    const bare = await millisecondsOf(alone)
    console.error(`    round ${round}: ${name} ${whole(convene)} ms, alone ${whole(bare)} ms`)
    if (round === 0) continue
    found.convene.push(convene)
    found.bare.push(bare)
  }
  return found
}

/** Starts `convene serve` in the project; call the result to end it. */
async function serveProject(launcher: string, project: string, env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const child = spawn(launcher, ['serve', '--port', '0'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  const isUp = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('http://')) resolve()
      })
    void gone.then(() => reject(new Error(`convene serve ended: ${output.slice(-800)}`)))
  })
  await isUp
  return () => {
    child.kill('SIGTERM')
    return gone
  }
}

/** The adapter brings Claude Code along without putting it on the PATH. */
function bareProgram({ cli, bin, settings, project }: Place) {
  const vendor = join(bin, '../@anthropic-ai')
  const own = cli.agent === 'claude-code' ? readdirSync(vendor).find((name) => /^claude-agent-sdk-/.test(name)) : null
  const command = own ? { command: [join(vendor, own, 'claude')] } : {}
  return headlessProgram({ name: 'bare', ...settings, agent: cli.agent, ...command }, process.env, project, false)
}

/** From the call until its first request reaches the model. */
async function compareStarts({ mind, settings, cli, project }: Place) {
  const found = { cold: [] as number[], warm: [] as number[], thread: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const pool = new ProcessPool()
    const agent = createCodingAgent(
      { ...settings, agent: cli.agent, name: 'coder' },
      { env: process.env, baseDir: project, pool },
    )
    const source = {
      reader: {} as never,
      maxSteps: 1,
      checkout: async () => ({ folder: project, release: async () => {} }),
    }
    const start = async (step: string, messages: AgentMessage[]) => {
      const before = mind.requests.length
      const begun = performance.now()
      let reached = 0
      const watch = setInterval(() => {
        if (reached === 0 && mind.requests.length > before) reached = performance.now() - begun
      }, 2)
      const said: AgentMessage[] = []
      const request: AgentRequest = { kind: 'answer', question: { run: 'bench', step, try: 1 }, messages, source }
      const reply = await agent.call(request, {
        signal: AbortSignal.timeout(limitMs),
        onMessages: (all) => said.push(...all),
      })
      clearInterval(watch)
      if (!reply.ok) throw new Error(reply.failure.message)
      return { reached, thread: [...messages, ...said] }
    }
    try {
      const first = await start('1', [{ role: 'user', content: 'Say hello.' }])
      await pause(readsMs)
      const second = await start('2', [{ role: 'user', content: 'Say hello again.' }])
      const third = await start('3', [...second.thread, { role: 'user', content: 'And once more.' }])
      const reached = [first, second, third].map((each) => `${whole(each.reached)} ms`)
      console.error(`    round ${round}: cold start, warm process, same session: ${reached.join(', ')}`)
      if (round === 0) continue
      found.cold.push(first.reached)
      found.warm.push(second.reached)
      found.thread.push(third.reached)
    } finally {
      await pool.close()
      await agent.close?.()
    }
  }
  return found
}

/** What ten agents use together while they wait for their model, pages that they share counted once. */
async function memoryOfMany({ mind, settings, cli, project, home }: Place): Promise<number> {
  const pool = new ProcessPool()
  const agent = createCodingAgent(
    { ...settings, agent: cli.agent, name: 'coder' },
    { env: process.env, baseDir: project, pool },
  )
  const stop = new AbortController()
  try {
    const asks = Array.from({ length: atOnce }, (_, index) => {
      const about = `Hold number ${String(index).padStart(2, '0')}.`
      mind.tasks.push({ about, steps: [{ holdsOnce: true, say: 'done' }] })
      const messages = [{ role: 'user' as const, content: about }]
      return agent.call({ kind: 'answer', question: { run: 'bench', step: about, try: 1 }, messages }, stop)
    })
    const all = Promise.allSettled(asks)
    const begun = performance.now()
    // AG4: on a small machine the others wait.
    while (mind.held < allowedAtOnce()) {
      if (performance.now() - begun > limitMs) throw new Error(`only ${mind.held} agents reached their model`)
      await pause(100)
    }
    const used = processesWith('HOME', home).reduce((sum, { pid }) => sum + ownKilobytes(pid), 0)
    stop.abort()
    await all
    return used / 1024
  } finally {
    await pool.close()
    await agent.close?.()
  }
}

const agentMb = presets['claude-code'].memoryMb
const allowedAtOnce = () => agentsAtOnce({ wanted: atOnce, machineMb: machineMemoryMb(), agentMb })

function ownKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** A program that could not be measured misses its goals. */
interface Failed {
  cli: RealCli
  why: string
}

type Compared = Record<'convene' | 'bare', number[]>
type Tasks = Record<'once' | 'served', Compared>

interface Found {
  cli: RealCli
  task: Tasks
  start: Record<'cold' | 'warm' | 'thread', number[]>
}

function report(found: Found[], failed: Failed[], memoryMb: number): Awaited<ReturnType<Bench>> {
  const seconds = (values: number[]) => `${(median(values) / 1000).toFixed(2)} s`
  const rows = found.map(({ cli, task, start }) => ({
    title: presets[cli.agent].title,
    task,
    start,
    taskRatio: medianRatio(task.served.convene, task.served.bare),
    onceRatio: medianRatio(task.once.convene, task.once.bare),
    warmRatio: medianRatio(start.warm, start.cold),
    threadRatio: medianRatio(start.thread, start.cold),
  }))
  const machineMb = machineMemoryMb()
  const allowed = allowedAtOnce()
  return {
    goals: [
      ...rows.map(({ title, taskRatio }) => ({
        measure: `${title}: a task through a served Convene ÷ the program alone`,
        goal: `≤ ${times(goals.task)}`,
        found: times(taskRatio),
        met: taskRatio <= goals.task,
      })),
      ...rows.map(({ title, warmRatio }) => ({
        measure: `${title}: start of the next question in a room ÷ cold`,
        goal: `≤ ${times(goals.warm)}`,
        found: times(warmRatio),
        met: warmRatio <= goals.warm,
      })),
      ...rows.map(({ title, threadRatio }) => ({
        measure: `${title}: start of a second ask in a warm session ÷ cold`,
        goal: `≤ ${times(goals.warm)}`,
        found: times(threadRatio),
        met: threadRatio <= goals.warm,
      })),
      ...failed.map(({ cli, why }) => ({
        measure: `${presets[cli.agent].title}: a task through a served Convene ÷ the program alone`,
        goal: `≤ ${times(goals.task)}`,
        found: `failed: ${why}`,
        met: false,
      })),
      {
        measure: `memory of ${atOnce} agents at once (Claude Code)`,
        goal: `≤ half of the machine, ${whole(machineMb / 2)} MB`,
        found: `${whole(memoryMb)} MB; AG4 reckons with ${whole(allowed * agentMb)} MB and lets ${allowed} of ${atOnce} run`,
        met: memoryMb <= machineMb / 2 && memoryMb <= allowed * agentMb,
      },
    ],
    settings: [
      `The real programs with an emulated model on loopback that thinks ${thinksMs / 1000} s about every request; ${rounds} rounds after one uncounted, medians.`,
      `The task: read a file ${reads} times, then answer; ${reads + 1} requests to the model. alone, the agent's own headless mode starts for it.`,
      'Served: `convene ask` (the package as it is installed) beside `convene serve`, whose agent has worked before; the ask gets a checkout of HEAD and a session of its own. Command: no server runs, so `convene ask` starts Convene and the agent, and ends both.',
      `Start: from the call until its first request reaches the model. Warm: another session in a process that runs, ${readsMs / 1000} s after the first answer; same session: the next ask of a thread.`,
    ],
    table: {
      columns: ['', 'alone', 'served', 'command', 'cold start', 'warm process', 'same session'],
      rows: rows.map(({ title, task, start, taskRatio, onceRatio, warmRatio, threadRatio }) => [
        title,
        seconds(task.served.bare),
        `${seconds(task.served.convene)} (${times(taskRatio)})`,
        `${seconds(task.once.convene)} (${times(onceRatio)})`,
        seconds(start.cold),
        `${seconds(start.warm)} (${times(warmRatio)})`,
        `${seconds(start.thread)} (${times(threadRatio)})`,
      ]),
    },
    notes: [
      'Memory is the proportional set size of all processes of the agents, those that they started included, while each waits for its model.',
      'Claude Code starts a process of its own for every session; Convene starts the one for the next question while the answer is read.',
    ],
  }
}

function ended(
  program: string,
  args: readonly string[],
  input: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(limit)
      if (code === 0 && output.includes('marzipan')) resolve()
      else reject(new Error(`${program} ended with ${code}: ${output.slice(-800)}`))
    })
  })
}
