/** Maps an issue's state to its one label on the forge. SPEC.md § GH. */
import type { IssueState } from './issue-states.ts'

export const defaultLabelPrefix = 'swarm:'

type LabelName = 'ready' | 'in-progress' | 'blocked' | 'done'

const labelNames: Readonly<Record<IssueState, LabelName>> = {
  BACKLOG: 'ready',
  READY: 'ready',
  INTERRUPTED: 'ready',
  IN_PROGRESS: 'in-progress',
  VERIFYING: 'in-progress',
  SPLIT: 'in-progress',
  BLOCKED: 'blocked',
  SKIPPED: 'blocked',
  MANUAL_REQUIRED: 'blocked',
  DONE: 'done',
}

/** [GH1] A SPLIT issue is in progress until its parts are done. */
export function labelFor(state: IssueState, prefix: string = defaultLabelPrefix): string {
  return `${prefix}${labelNames[state]}`
}

/** [GH1] The labels to create on first use. */
export function ownLabels(prefix: string = defaultLabelPrefix): string[] {
  const names: LabelName[] = ['ready', 'in-progress', 'blocked', 'done']
  return names.map((name) => `${prefix}${name}`)
}

/** [GH1] The complete new list: exactly one of ours, and all other labels in their order. */
export function labelsFor(
  current: readonly string[],
  state: IssueState,
  prefix: string = defaultLabelPrefix,
): string[] {
  const own = new Set(ownLabels(prefix).map(withoutCase))
  return [...current.filter((label) => !own.has(withoutCase(label))), labelFor(state, prefix)]
}

/** GitHub treats `Swarm:Ready` and `swarm:ready` as one label. */
function withoutCase(label: string): string {
  return label.toLowerCase()
}
