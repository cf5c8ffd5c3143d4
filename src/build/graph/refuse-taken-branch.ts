/** Refuses a build, before any agent is paid, if an existing branch blocks the names of its branches. */
import { ConveneError } from '../../kernel/errors.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { integrationBranch, shortName } from '../branches.ts'

/** Git cannot store a branch next to a folder of the same name: `convene` blocks `convene/demo/main`. */
export async function refuseTakenBranch(
  repository: Pick<Repository, 'resolve' | 'listRefs'>,
  feature: string,
): Promise<void> {
  const name = shortName(integrationBranch(feature))
  const taken = await branchInTheWay(repository, name)
  if (taken === null) return
  const rename = `git branch -m ${taken} old-${taken.replaceAll('/', '-')}`
  throw new ConveneError(
    'branch_in_the_way',
    `the branch '${taken}' is in the way: git cannot hold it and '${name}', where the work goes; rename it: ${rename}`,
    { status: 409, path: 'feature', expected: rename },
  )
}

async function branchInTheWay(
  repository: Pick<Repository, 'resolve' | 'listRefs'>,
  name: string,
): Promise<string | null> {
  const folders = name.split('/').slice(0, -1)
  for (let depth = 1; depth <= folders.length; depth++) {
    const above = folders.slice(0, depth).join('/')
    if ((await repository.resolve(`refs/heads/${above}`)) !== null) return above
  }
  const [below] = await repository.listRefs(`refs/heads/${name}/`)
  return below ? shortName(below.ref) : null
}
