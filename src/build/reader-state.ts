/** Whether the project's test report can be read: runs the tests once on a clean checkout of the last commit (VF9). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { ConveneError } from '../kernel/errors.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import { type EndedCommand, endedEarly } from '../rules/evidence/ended-early.ts'
import { outputExcerpt } from '../rules/evidence/output-excerpt.ts'
import { type ReaderFacts, type ReaderVerdict, readerCheck } from '../rules/evidence/reader-check.ts'
import { causeOf } from '../rules/evidence/refusal-line.ts'
import { packagedStarters } from '../rules/evidence/unfound-tests.ts'
import { readLeftFileSync } from '../workspace/commands/read-left-file.ts'
import type { TestRun } from '../workspace/test-results/test-run.ts'
import { existingTests } from './existing-tests.ts'
import { openWorkspace } from './open-workspace.ts'
import type { ProjectWorkspace } from './workspace.ts'

/**
 * Undefined if there is nothing to run (no repository, no commit or no test command), or if the signal ended it. `announce` gets a
 * line before each command, which may run for minutes.
 */
export async function readerState(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  announce: (line: string) => void = () => {},
  signal?: AbortSignal,
): Promise<ReaderVerdict | undefined> {
  const run = `reader-${process.pid}`
  let workspace: ProjectWorkspace | undefined
  try {
    workspace = await openWorkspace(project, stateFolderOf(project), env, { isUsersOwn: true, signal })
    const { commandSeconds } = workspace
    const { setup: toSetUp, build, test } = workspace.project
    const runs = (command: string | undefined, purpose: string) => announce(`running \`${command}\` (${purpose})`)
    const slot = await workspace.worktrees.acquire(run, 'HEAD', 'plain', async () => runs(toSetUp, 'set-up'))
    const where = { folder: slot.project, writable: [slot.folder], isUsersOwn: true, ...(signal ? { signal } : {}) }
    const { setup } = slot
    if (signal?.aborted) return undefined
    if (setup && setup.exitCode !== 0)
      return unprepared({ ...setup, key: 'setup', commandSeconds }, causeOf(outputExcerpt(setup.tail ?? '')))
    if (build !== undefined) runs(build, 'build')
    const built = await workspace.tests.build(where)
    const said = built && built.exitCode !== 0 ? causeOf(outputExcerpt(await built.output.text(mostRead))) : undefined
    await built?.output.remove()
    if (signal?.aborted) return undefined
    if (built && built.exitCode !== 0)
      return unprepared({ ...built, command: build!, key: 'build', commandSeconds }, said)
    runs(test, 'tests')
    const result = await workspace.tests.run(where)
    const excerpt = result.exitCode === 0 ? '' : outputExcerpt(await result.output.text(mostRead))
    await result.output.remove()
    if (signal?.aborted) return undefined
    const starter = starterIn(slot.project)
    workspace.worktrees.release(slot)
    const unfound = await unfoundBy(workspace, result, slot.commit)
    return verdictOf(
      { ...result, excerpt },
      { commandSeconds, ...unfound, ...(starter === undefined ? {} : { starter }) },
    )
  } catch (error) {
    if (error instanceof ConveneError) return undefined
    throw error
  } finally {
    await workspace?.worktrees.removeRun(run).catch(() => undefined)
  }
}

export function verdictOf(
  ran: Omit<TestRun, 'output'> & { excerpt: string },
  more: Pick<ReaderFacts, 'awaited' | 'commandSeconds' | 'starter' | 'unfound'>,
): ReaderVerdict {
  const { parts, excerpt, failedToo = [], ...facts } = ran
  const cause = causeOf(ran.failedPart?.excerpt ?? excerpt)
  return readerCheck({
    ...facts,
    failedToo: failedToo.map(({ command, excerpt: said = '' }) => ({ command, cause: causeOf(said) })),
    runners: parts.flatMap(({ runner }) => runner ?? []),
    ...(cause === undefined ? {} : { cause }),
    ...more,
  })
}

/** The test files that are there although the command fails and finds none; those beside `near`, or all. */
export async function unfoundBy(
  workspace: ProjectWorkspace,
  { exitCode, isEmpty }: Pick<TestRun, 'exitCode' | 'isEmpty'>,
  commit: string,
  near?: readonly string[],
): Promise<Pick<ReaderFacts, 'unfound'>> {
  if (!isEmpty || exitCode === 0) return {}
  const unfound = await existingTests(workspace, commit, near)
  return unfound === undefined ? {} : { unfound }
}

function starterIn(folder: string): string | undefined {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readLeftFileSync(join(folder, 'package.json'), { links: true }),
    )
    return Object.entries(packagedStarters).find(([name]) => name in devDependencies || name in dependencies)?.[1]
  } catch {
    return existsSync(join(folder, 'pyproject.toml')) ? 'python3 -m pytest' : undefined
  }
}

/** The most of an output that is searched for its cause. */
const mostRead = 4_000_000

function unprepared(ran: EndedCommand & { exitCode: number }, cause?: string): ReaderVerdict {
  const { key, command, exitCode } = ran
  const early = endedEarly(ran)
  const why = cause === undefined ? '' : `: ${cause}`
  return {
    state: 'broken',
    detail: `the tests could not run: ${early?.what ?? `\`${command}\` ends with exit code ${exitCode} on the untouched tree${why}`}`,
    fix: early?.fix ?? `make it pass and commit that, or correct build.${key} in convene.yaml`,
    blocks: true,
  }
}
