/** Whether the project's test report can be read: runs the tests once on a clean checkout of the last commit (VF9). */
import type { LoadedConfig } from '../kernel/config/load.ts'
import { ConveneError } from '../kernel/errors.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import { type ReaderVerdict, readerCheck } from '../rules/evidence/reader-check.ts'
import type { TestRun } from '../workspace/test-results/test-run.ts'
import { openWorkspace } from './open-workspace.ts'
import type { ProjectWorkspace } from './workspace.ts'

/** Undefined if there is nothing to run: no repository, no commit or no test command. */
export async function readerState(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<ReaderVerdict | undefined> {
  const run = `reader-${process.pid}`
  let workspace: ProjectWorkspace | undefined
  try {
    workspace = await openWorkspace(project, stateFolderOf(project), env, { isUsersOwn: true })
    const slot = await workspace.worktrees.acquire(run, 'HEAD')
    const where = { folder: slot.project, writable: [slot.folder], isUsersOwn: true }
    const { setup } = slot
    if (setup && setup.exitCode !== 0) return unprepared('setup', setup.command, setup.exitCode)
    const built = await workspace.tests.build(where)
    await built?.output.remove()
    if (built && built.exitCode !== 0) return unprepared('build', workspace.project.build!, built.exitCode)
    const result = await workspace.tests.run(where)
    await result.output.remove()
    workspace.worktrees.release(slot)
    return verdictOf(result)
  } catch (error) {
    if (error instanceof ConveneError) return undefined
    throw error
  } finally {
    await workspace?.worktrees.removeRun(run).catch(() => undefined)
  }
}

export function verdictOf(ran: Omit<TestRun, 'output'>): ReaderVerdict {
  const { parts, ...facts } = ran
  return readerCheck({ ...facts, runners: parts.flatMap(({ runner }) => runner ?? []) })
}

function unprepared(key: string, command: string, exitCode: number): ReaderVerdict {
  return {
    state: 'broken',
    detail: `the tests could not run: \`${command}\` ends with exit code ${exitCode} on the untouched tree`,
    fix: `make it pass, or correct build.${key} in convene.yaml`,
  }
}
