/** What changes for others from one commit to a later one, from the syntax trees of what was touched. MG3. */
import { type Impact, impact } from '../../rules/merge/impact.ts'
import { factsAt, inProject, type Workshop } from '../workspace.ts'
import { looksLikeTest } from './inspect-worktree.ts'

/** Tests are nobody's interface. */
export async function impactBetween(shop: Workshop, before: string, after: string): Promise<Impact> {
  const changes = await shop.repository.changes(before, after)
  const files = changes.flatMap(({ path }) => inProject(shop, path) ?? []).filter((path) => !looksLikeTest(path))
  return impact(await factsAt(shop, before, files), await factsAt(shop, after, files))
}
