/** Finds what people changed on the forge, by comparing it with how Convene left it. */
import type { Want } from './events.ts'
import type { ForgeComment, ForgeIssue } from './forge.ts'
import type { KnownIssue } from './outbox-view.ts'

export type ForgeChange =
  | { issue: number; change: 'closed'; dropped?: boolean; by?: string }
  | { issue: number; change: 'reopened'; by?: string }
  | { issue: number; change: 'label_removed' | 'label_added'; label: string; by?: string }
  | { issue: number; change: 'commented'; comment: { id: number; text: string; url?: string }; by?: string }

/** Pure. Ignores issues that Convene never updated. */
export function changesBetween(
  known: ReadonlyMap<number, KnownIssue>,
  issues: readonly Pick<ForgeIssue, 'number' | 'state' | 'labels' | 'dropped'>[],
): ForgeChange[] {
  return issues.flatMap(({ number: issue, state, labels, dropped }): ForgeChange[] => {
    const left = known.get(issue)
    if (!left) return []
    const closed: ForgeChange = { issue, change: 'closed', ...(dropped ? { dropped } : {}) }
    const moved: ForgeChange[] = state === 'closed' ? [closed] : [{ issue, change: 'reopened' }]
    const removed = without(left.labels, labels).map((label) => ({ issue, change: 'label_removed', label }) as const)
    const added = without(labels, left.labels).map((label) => ({ issue, change: 'label_added', label }) as const)
    return [...(left.state === state ? [] : moved), ...removed, ...added]
  })
}

const longestComment = 2000

export function commentedChange({ id, issue, body, by, url }: ForgeComment): ForgeChange {
  const comment = { id, text: body.slice(0, longestComment), ...(url ? { url } : {}) }
  return { issue, change: 'commented', comment, ...(by ? { by } : {}) }
}

/** Whether both are the same change of the same issue, whatever their source. */
export function isSameChange(some: ForgeChange, other: ForgeChange): boolean {
  if (some.issue !== other.issue || some.change !== other.change) return false
  if (!('label' in some) || !('label' in other)) return true
  return some.label.toLowerCase() === other.label.toLowerCase()
}

/** Whether a change was not made by Convene. */
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
    case 'commented':
      return true
  }
}

/** Whether Convene is about to make this change, or has made it but not yet recorded it. `own`: Convene's labels. */
export function isOnItsWay(change: ForgeChange, want: Want | null, own: readonly string[]): boolean {
  if (want === null) return false
  switch (change.change) {
    case 'closed':
      return want.closed === true
    case 'reopened':
      return want.closed === false
    case 'label_removed':
    case 'label_added':
      return without([change.label], own).length === 0
    case 'commented':
      return false
  }
}

function without(labels: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.map((label) => label.toLowerCase()))
  return labels.filter((label) => !names.has(label.toLowerCase()))
}
