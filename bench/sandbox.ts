/** Measures what the sandbox costs a command, beside the same command without one. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandLimits } from '../src/rules/trust/command-limits.ts'
import { defaultLimits } from '../src/rules/trust/limits.ts'
import { Commands } from '../src/workspace/commands/command.ts'
import { Repository } from '../src/workspace/git/repository.ts'
import { Worktrees } from '../src/workspace/worktrees/worktrees.ts'
import type { Bench } from './bench.ts'
import { interleave, median, quantile } from './measure.ts'

const rounds = 60
const goal = 15

export const sandbox: Bench = async (folder) => {
  const project = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(project, { recursive: true })
  mkdirSync(home)
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
  execFileSync('git', ['init', '--quiet', project])
  execFileSync('git', ['-C', project, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'first'])
  const worktrees = new Worktrees(await Repository.open(project), { share: [], folder: join(folder, 'worktrees') })
  const slot = await worktrees.acquire('bench', 'HEAD')
  const limits = commandLimits(defaultLimits)
  const settings = { env: { ...process.env, HOME: home }, allowEnv: [], limits, hide: [project] }
  const contenders = (['off', 'required'] as const).map((wanted) => ({
    name: wanted === 'off' ? 'without a sandbox' : 'in the sandbox',
    commands: new Commands({ ...settings, sandbox: wanted }),
    found: [] as number[],
  }))
  await interleave(contenders, rounds + 5, async ({ commands, found }, round) => {
    const begun = performance.now()
    const result = await commands.run({
      command: 'true',
      folder: slot.project,
      writable: [slot.folder],
      timeoutMs: 60_000,
    })
    const milliseconds = performance.now() - begun
    await result.output.remove()
    if (result.exitCode !== 0) throw new Error(`true ended with ${result.exitCode}: ${result.tail}`)
    // The first rounds find the sandbox and the toolchains, and start the helper.
    if (round >= 5) found.push(milliseconds)
  })
  await worktrees.removeRun('bench')
  const [bare, inside] = contenders.map(({ found }) => found) as [number[], number[]]
  const cost = median(inside.map((milliseconds, round) => milliseconds - bare[round]!))
  return {
    goals: [
      {
        measure: 'what the sandbox adds to a command, median',
        goal: `≤ ${goal} ms`,
        found: `${cost.toFixed(1)} ms`,
        met: cost <= goal,
      },
    ],
    settings: [
      `${rounds} runs of \`true\` in a worktree, with and without the sandbox in turns, after five uncounted rounds.`,
      'Both are watched for their limits; without a sandbox, processes that left the group are looked for as well.',
    ],
    table: {
      columns: ['command', 'median', 'p95'],
      rows: contenders.map(({ name, found }) => [
        name,
        `${median(found).toFixed(1)} ms`,
        `${quantile(found, 0.95).toFixed(1)} ms`,
      ]),
    },
    notes: ['The cost is the median of the differences within each round.'],
  }
}
