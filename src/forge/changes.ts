/** What people changed on the forge since we last left it: told apart from our own doing by what we know we left. */
import type { Forge, ForgeIssue } from './forge.ts'
import type { KnownIssue } from './outbox-view.ts'

export type ForgeChange =
  | { issue: number; change: 'closed' | 'reopened'; by?: string }
  | { issue: number; change: 'label_removed' | 'label_added'; label: string; by?: string }

/** One list of the forge's issues, compared. */
export async function changesSince(forge: Forge, known: ReadonlyMap<number, KnownIssue>): Promise<ForgeChange[]> {
  if (known.size === 0) return []
  return changesBetween(known, await forge.listIssues({ state: 'all' }))
}

/** Pure. Issues that we never touched are nobody's business here. */
export function changesBetween(
  known: ReadonlyMap<number, KnownIssue>,
  issues: readonly Pick<ForgeIssue, 'number' | 'state' | 'labels'>[],
): ForgeChange[] {
  return issues.flatMap(({ number: issue, state, labels }) => {
    const left = known.get(issue)
    if (!left) return []
    const moved = left.state === state ? [] : [{ issue, change: state === 'closed' ? 'closed' : 'reopened' } as const]
    const removed = without(left.labels, labels).map((label) => ({ issue, change: 'label_removed', label }) as const)
    const added = without(labels, left.labels).map((label) => ({ issue, change: 'label_added', label }) as const)
    return [...moved, ...removed, ...added]
  })
}

/** Whether a single change says something that we did not bring about ourselves. */
export function isNews(change: ForgeChange, known: ReadonlyMap<number, KnownIssue>): boolean {
  const left = known.get(change.issue)
  if (!left) return false
  switch (change.change) {
    case 'closed':
      return left.state === 'open'
    case 'reopened':
      return left.state === 'closed'
    case 'label_removed':
      return without([change.label], left.labels).length === 0
    case 'label_added':
      return without([change.label], left.labels).length === 1
  }
}

function without(labels: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.map((label) => label.toLowerCase()))
  return labels.filter((label) => !names.has(label.toLowerCase()))
}
