/** Parses pasted issues, or reports what is wrong with them. Pure. */
import type { z } from 'zod'
import { graphFaults } from '../../../../src/rules/issues/issue-graph.ts'
import { type IssueDefinition, issuesFileSchema } from '../../../../src/ship/events.ts'

export type ReadIssues = { ok: true; feature: string; issues: IssueDefinition[] } | { ok: false; problems: string[] }

/** Report at most this many problems. */
const mostProblems = 6

/** `{feature, issues}` as a plan writes it; `feature` may be left to the form. */
export function readIssuesText(text: string, feature = ''): ReadIssues {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, problems: [`This is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
  const given = Array.isArray(value) ? { issues: value } : (value as object | null)
  const named = { feature: feature || 'unnamed', ...given, ...(feature === '' ? {} : { feature }) }
  const parsed = issuesFileSchema.safeParse(named)
  if (!parsed.success) return { ok: false, problems: wordsFor(parsed.error) }
  const { issues } = parsed.data
  // Unknown dependencies may be in the feature already; the server checks them.
  const listed = new Set(issues.map(({ number }) => number))
  const { errors } = graphFaults(
    issues.map(({ number, depends_on }) => ({ number, depends_on: depends_on.filter((one) => listed.has(one)) })),
  )
  if (errors.length > 0) return { ok: false, problems: errors.slice(0, mostProblems) }
  return { ok: true, feature: parsed.data.feature === 'unnamed' ? '' : parsed.data.feature, issues }
}

function wordsFor({ issues }: z.ZodError): string[] {
  return issues
    .slice(0, mostProblems)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
}

export const exampleIssues = `{
  "feature": "greeting",
  "issues": [
    {
      "number": 1,
      "title": "Greet by name",
      "acceptance_criteria": [
        { "id": "by-name", "text": "greet('Ada') gives 'Hello, Ada'" }
      ],
      "size": "small"
    },
    {
      "number": 2,
      "title": "Greet a group",
      "acceptance_criteria": [
        { "id": "group", "text": "Three names are joined with commas and 'and'" }
      ],
      "depends_on": [1]
    }
  ]
}
`
