/** The impact on others of the changes between two commits, read from syntax trees. MG3. */

import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { type Impact, impact } from '../../rules/merge/impact.ts'
import { factsAt, inProject, type ProjectWorkspace } from '../workspace.ts'

/** Tests are left out: nothing depends on them. */
export async function impactBetween(workspace: ProjectWorkspace, before: string, after: string): Promise<Impact> {
  const changes = await workspace.repository.changes(before, after)
  const files = changes.flatMap(({ path }) => inProject(workspace, path) ?? []).filter((path) => !looksLikeTest(path))
  return impact(await factsAt(workspace, before, files), await factsAt(workspace, after, files))
}
