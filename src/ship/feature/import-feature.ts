/** Imports issues from the forge into a feature. */
import type { Forge } from '../../forge/forge.ts'
import { importIssues } from '../../forge/import-issues.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { IssueDefinition } from '../events.ts'

/** `query` is `label:x`. An issue without acceptance criteria gets its title as the only one. */
export async function issuesFromForge(
  forge: Forge | undefined,
  query: string,
  /** Why the configured forge cannot be used. */
  off?: string,
): Promise<IssueDefinition[]> {
  if (!forge && off !== undefined)
    throw new ConveneError('no_forge', `there is nothing to import from. ${off}`, { path: 'forge.github.token_env' })
  if (!forge)
    throw new ConveneError('no_forge', 'there is nothing to import from: set forge.github.repo in convene.yaml', {
      path: 'forge.github.repo',
    })
  const found = await importIssues(forge, query)
  return found.map(({ acceptance_criteria, ...issue }) => ({
    ...issue,
    acceptance_criteria: acceptance_criteria.length > 0 ? acceptance_criteria : [{ id: 'c1', text: issue.title }],
    size: 'medium',
    business_value: 0,
    risk: 0,
  }))
}
