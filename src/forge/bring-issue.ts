/** Updates one issue on the forge to match its wish. Idempotent. SPEC.md § GH. */
import { labelsFor } from '../rules/issues/labels.ts'
import type { Want } from './events.ts'
import { type Forge, markerFor } from './forge.ts'
import type { KnownIssue } from './outbox-view.ts'

export interface Errand {
  feature: string
  number: number
  issue: number
  want: Want
}

/** [GH1] [GH2] Returns how the issue was left. */
export async function bringIssue(
  forge: Forge,
  { feature, number, issue, want }: Errand,
  prefix?: string,
): Promise<KnownIssue> {
  const { labels: before, state } = await forge.getIssue(issue)
  const labels = labelsFor(before, want.state, prefix)
  if (!sameLabels(before, labels)) await forge.setLabels(issue, labels)
  if (want.comment !== undefined) await forge.putComment(issue, markerFor(feature, number), want.comment)
  if (want.closed === true && state === 'open') await forge.closeIssue(issue)
  if (want.closed === false && state === 'closed') await forge.reopenIssue(issue)
  return { labels, state: want.closed === undefined ? state : want.closed ? 'closed' : 'open' }
}

/** Ignores order and case, as GitHub does. */
function sameLabels(some: readonly string[], others: readonly string[]): boolean {
  const names = new Set(some.map((name) => name.toLowerCase()))
  return some.length === others.length && others.every((name) => names.has(name.toLowerCase()))
}
