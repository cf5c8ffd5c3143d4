/** How long `convene --version` takes as it is shipped, beside a Node that does nothing. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bench } from './bench.ts'
import { interleave, median, medianRatio, quantile, times } from './measure.ts'

const starts = 60
const goal = 2.5
const root = join(import.meta.dirname, '..')

interface Command {
  name: string
  words: string[]
  environment?: Record<string, string>
}

export const start: Bench = async (folder) => {
  const shipped = ship(folder)
  const node = process.execPath
  const bare: Command = { name: '`node -e 0`', words: [node, '-e', '0'] }
  const launcher = join(shipped, 'bin/convene')
  const command: Command = { name: '`convene --version`', words: [launcher, '--version'] }
  const commands: Command[] = [
    bare,
    command,
    {
      name: '`convene --version`, `CONVENE_NODE` set',
      words: [launcher, '--version'],
      environment: { CONVENE_NODE: node },
    },
    { name: '`node dist/cli/main.js --version`', words: [node, join(shipped, 'dist/cli/main.js'), '--version'] },
  ]
  const environment = ownEnvironment(folder)
  const milliseconds = new Map<Command, number[]>(commands.map((each) => [each, []]))
  // One start each that is not counted: it proves that the command works, and fills the caches of the disk for all.
  for (const each of commands) timed(each, environment)
  await interleave(commands, starts, (each) => {
    milliseconds.get(each)!.push(timed(each, environment))
  })
  const ratio = (each: Command) => medianRatio(milliseconds.get(each)!, milliseconds.get(bare)!)
  return {
    goals: [
      {
        measure: '`convene --version` beside `node -e 0`, median',
        goal: `≤ ${goal}×`,
        found: times(ratio(command)),
        met: ratio(command) <= goal,
      },
    ],
    settings: [
      `${starts} starts of each, in turns, one start each before that is not counted. The JavaScript is built and laid out as the package ships it, without its dependencies: this command loads none.`,
      'The Node that runs the bench is the first on `PATH`, so the launcher asks it for its version; with `CONVENE_NODE`, as with a Node that Convene brought itself, it does not ask.',
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

/** What `npm pack` would put into the package, without touching the checkout. */
function ship(folder: string): string {
  const shipped = join(folder, 'package')
  mkdirSync(shipped)
  // The JavaScript is the same whether the types are right or not; saying so is another command's work.
  execFileSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', join(shipped, 'dist')], {
    stdio: 'inherit',
  })
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  for (const name of [...files.filter((each) => each !== 'dist'), 'package.json'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(shipped, name), { recursive: true })
  return shipped
}

/** No Node that an earlier start brought, and no caches of the user's. */
function ownEnvironment(folder: string): Record<string, string> {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  return { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder, TMPDIR: temporary }
}

function timed({ words, environment: extra }: Command, environment: Record<string, string>): number {
  const [file, ...rest] = words as [string, ...string[]]
  const begun = performance.now()
  const { status, stderr } = spawnSync(file, rest, { env: { ...environment, ...extra }, encoding: 'utf8' })
  const milliseconds = performance.now() - begun
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`)
  return milliseconds
}
