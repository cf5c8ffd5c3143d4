/** What an agent is doing, by the kind of its ask. */
export const working: Record<string, string> = {
  scaffold: 'planning',
  'write-tests': 'writing tests',
  implement: 'writing code',
  'review-impl': 'reviewing',
  merge: 'repairing the merge',
  rebase: 'rebasing on a sibling',
  'judge-child': 'judging a part',
  'child-failed': 'deciding on a failed part',
}
