import { expect, it } from 'vitest'
import type { Run, StepContext } from '../../kernel/engine.ts'
import { notARepository } from '../../workspace/git/open-repository.ts'
import type { BuildDeps } from '../deps.ts'
import { openedWorkspace } from './opened-workspace.ts'

async function parkedBy(error: Error): Promise<{ code: string; message: string } | undefined> {
  let reason: { code: string; message: string } | undefined
  const run = { runId: 'build-1', step: (_: string, fn: (step: StepContext) => unknown) => fn({} as StepContext) }
  const deps = {
    workspace: () => Promise.reject(error),
    parking: {
      async park(_run: unknown, _step: unknown, why: typeof reason) {
        reason = why
      },
    },
  }
  await openedWorkspace(run as unknown as Run, deps as unknown as BuildDeps)
  return reason
}

it('[TR10] a repository that is gone parks the run and says how to bring it back, without advice on damaged files', async () => {
  expect(await parkedBy(notARepository('/project'))).toEqual({
    code: 'surroundings',
    message:
      '/project is not in a git repository. Put the repository back, or make one (git init, and a first commit), then resume the run',
  })
})

it('[TR10] an error that the surroundings did not cause is thrown', async () => {
  await expect(parkedBy(new Error('a mistake'))).rejects.toThrow('a mistake')
})
