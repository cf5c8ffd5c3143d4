/** Whether one agent answers and nothing was missing: a mark at its name explains it, and needs no row of its own. */
import type { Decision } from './conversation-types.ts'

export function isExplainedAtAnswer(decision: Decision | undefined): boolean {
  if (decision?.mode !== 'solo') return false
  const isMalformed = Object.values(decision.proposals).some(({ malformed }) => malformed)
  return decision.missing.length === 0 && (decision.flags ?? []).length === 0 && !isMalformed
}
