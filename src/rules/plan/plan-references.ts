/** Finds references in issues that name nothing in the plan. SPEC.md § PH6. */
import { oneLine } from '../text/one-line.ts'
import { builderContexts, type IssueNeeds } from './builder-context.ts'
import type { KeyDecision } from './phase-summary.ts'

/** `T1`, `UT-3`, `E2E-4`, `T1.2`: what test plans call their rows. */
const testId = /^[A-Z][A-Z0-9]{0,4}-?\d+(?:[.-]\d+)*[a-z]?\b/

/** The ids at the start of a test plan's rows: list items, table cells, headings. */
export function testIds(testPlan: string): string[] {
  const rows = testPlan.split('\n').map((line) => line.replace(/^[\s|#>*_`+-]*(?:\d+[.)]\s+)?[*_`[]*/, ''))
  return [...new Set(rows.flatMap((row) => testId.exec(row) ?? []))]
}

/**
 * References of issues to decisions and tests that do not exist. A test counts if it begins like an id; where the test plan
 * numbers nothing, tests are described in words and none is unknown.
 */
export function unknownReferences(
  issues: readonly IssueNeeds[],
  decided: readonly KeyDecision[],
  testPlan: string,
): string[] {
  const known = testIds(testPlan)
  const tests = issues.flatMap((issue) => issue.tests ?? []).flatMap((row) => testId.exec(row.trim())?.[0] ?? [])
  // A row may be cut finer than the plan has it: T1.2 of T1.
  const isKnown = (id: string) => known.some((one) => id === one || id.startsWith(`${one}.`) || testPlan.includes(id))
  return [
    ...builderContexts(issues, decided).unknown.map((id) => `decision ${oneLine(id, 40)}`),
    ...(known.length === 0 ? [] : [...new Set(tests)].filter((id) => !isKnown(id)).map((id) => `test ${id}`)),
  ]
}
