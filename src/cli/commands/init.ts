/** `convene init`: writes a first configuration and says what to do next. */
import { relative } from 'node:path'
import { readerState } from '../../build/reader-state.ts'
import { type LoadedConfig, loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { trust } from '../../kernel/trust/trusted-reach.ts'
import type { ReaderVerdict } from '../../rules/evidence/reader-check.ts'
import { withProgress } from '../display/command-progress.ts'
import type { Output } from '../display/output.ts'
import { type InitResult, init } from '../doctor/init.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

export async function initCommand(context: CommandContext, options: { force?: boolean }): Promise<number> {
  const { output, folder, env } = context
  const result = await init({ folder, env, force: options.force })
  const project = loadConfig({ folder, env })
  trustWritten(context, project)
  if (project.config.build.test !== undefined && !output.json)
    output.note('Running the tests once, on a clean checkout of the last commit …')
  return untilInterrupted(async (interrupted) => {
    const aborted = new Promise<undefined>((done) => interrupted.addEventListener('abort', () => done(undefined)))
    let reading: Promise<ReaderVerdict | undefined> | undefined
    const tests = await withProgress(output, (announce) => {
      reading = readerState(project, env, announce, interrupted)
      return Promise.race([reading, aborted])
    })
    output.data({ ...result, ...(tests ? { tests } : {}) })
    if (interrupted.aborted) {
      output.print(`Wrote ${shown(result.file)}; interrupted before the tests had run. convene doctor runs them`)
      // Its worktree goes with it.
      await reading
    } else report(output, result, tests)
    return 0
  })
}

function report(
  output: Output,
  { file, agents, roles, rehearsal }: InitResult,
  tests: ReaderVerdict | undefined,
): void {
  output.print(`Wrote ${shown(file)}`)
  if (tests) output.print(`Tests: ${tests.detail}${tests.fix ? `\n  → ${tests.fix}` : ''}`)
  const isBroken = tests?.state === 'broken'
  if (rehearsal) {
    output.print(
      'No model key is set and no coding agent is ready: two built-in rehearsal agents play a script. `convene doctor` shows what to set.',
    )
    output.print(isBroken ? repairFirst : 'Next: convene ask "Hello"')
  } else {
    output.print(`Agents: ${agents.map(({ name }) => name).join(', ')}`)
    if (roles.impl && roles.reviewer)
      output.print(`Builds: ${roles.impl} writes the code, ${roles.reviewer} reviews it. Change it under roles.`)
    output.print(isBroken ? repairFirst : `Next: convene ask "Hello" --to ${agents[0]!.name}`)
  }
}

function shown(file: string): string {
  return relative(process.cwd(), file) || file
}

const repairFirst =
  'Next: repair the commands above, then convene doctor. Rooms and plans work without them: convene ask "Hello"'

/** The file stays useful if trust cannot be recorded: `convene trust` then says why. */
function trustWritten({ output, env }: CommandContext, project: LoadedConfig): void {
  try {
    trust(project, env)
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    output.note(error.message)
  }
}
