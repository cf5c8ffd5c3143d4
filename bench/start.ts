/** Measures how long commands take to start, relative to a Node that does nothing. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bench } from './bench.ts'
import { interleave, median, medianRatio, quantile, times } from './measure.ts'
import { ship } from './ship.ts'

const starts = 60
const root = join(import.meta.dirname, '..')

interface Command {
  name: string
  words: string[]
  /** The most it may take, as a multiple of a Node that does nothing. */
  goal?: number
}

export const start: Bench = async (folder) => {
  const shipped = await ship(folder)
  const node = process.execPath
  const launcher = join(shipped, 'bin/convene')
  const checkout = join(root, 'bin/convene')
  const project = join(folder, 'project')
  const bare: Command = { name: '`node -e 0`', words: [node, '-e', '0'] }
  const version: Command = { name: '`convene --version`', words: [launcher, '--version'], goal: 2.5 }
  const help: Command = { name: '`convene --help`', words: [launcher, '--help'], goal: 2.5 }
  const status: Command = { name: '`convene status`, server running', words: [launcher, 'status'], goal: 3 }
  const commands: Command[] = [
    bare,
    version,
    help,
    status,
    { name: '`convene runs`, server running', words: [launcher, 'runs'] },
    { name: '`convene --help`, from the checkout', words: [checkout, '--help'] },
    { name: '`convene status`, server running, from the checkout', words: [checkout, 'status'] },
  ]
  const environment = ownEnvironment(folder)
  const milliseconds = new Map<Command, number[]>(commands.map((each) => [each, []]))
  const server = await serve(launcher, project, environment)
  try {
    // One uncounted start each proves that the command works and fills the caches.
    for (const each of commands) timed(each, project, environment)
    await interleave(commands, starts, (each) => {
      milliseconds.get(each)!.push(timed(each, project, environment))
    })
  } finally {
    server.kill()
    await once(server, 'exit')
  }
  const ratio = (each: Command) => medianRatio(milliseconds.get(each)!, milliseconds.get(bare)!)
  return {
    goals: [version, help, status].map((each) => ({
      measure: `${each.name} relative to \`node -e 0\`, median`,
      goal: `≤ ${each.goal}×`,
      found: times(ratio(each)),
      met: ratio(each) <= each.goal!,
    })),
    settings: [
      `${starts} starts of each, interleaved, after one uncounted start each. The package is bundled and laid out as \`npm pack\` ships it.`,
      'The Node that runs the bench is the first on `PATH`, so the launcher asks it for its version.',
    ],
    table: {
      columns: ['command', 'median', 'p95', '÷ `node -e 0`'],
      rows: commands.map((each) => {
        const found = milliseconds.get(each)!
        return [
          each.name,
          `${median(found).toFixed(1)} ms`,
          `${quantile(found, 0.95).toFixed(1)} ms`,
          times(ratio(each)),
        ]
      }),
    },
    notes: ['The ratios are medians of the ratios within each turn.'],
  }
}

/** A running server of an empty project, for the commands that are its clients. */
async function serve(launcher: string, folder: string, environment: Record<string, string>): Promise<ChildProcess> {
  mkdirSync(folder)
  const server = spawn(launcher, ['serve', '--port', '0', '--json'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  return server
}

/** Neither a Node that an earlier start installed, nor the user's caches. */
function ownEnvironment(folder: string): Record<string, string> {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  return { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder, TMPDIR: temporary }
}

function timed({ words }: Command, folder: string, environment: Record<string, string>): number {
  const [file, ...rest] = words as [string, ...string[]]
  const begun = performance.now()
  const { status, stderr } = spawnSync(file, rest, { cwd: folder, env: environment, encoding: 'utf8' })
  const milliseconds = performance.now() - begun
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`)
  return milliseconds
}
