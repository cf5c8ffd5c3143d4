/** Splits issues that are too large for one agent. IS5. */

import type { Run, StepContext } from '../../kernel/engine.ts'
import type { EventHeader, NewEvent } from '../../kernel/events.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import { selectIssueReply } from '../../rules/issues/issue-order.ts'
import { firstPartNumber, partsOf, type SizeVerdict, sizeGate, splitByRule } from '../../rules/issues/issue-size.ts'
import { stateAfter } from '../../rules/issues/issue-states.ts'
import type { ShipDeps } from '../deps.ts'
import { type IssueDefinition, issueSized, issueSplit } from '../events.ts'
import { eventHeader, moveEvent, readFeature } from '../feature-state.ts'
import { definitionOf, type FeatureView, findIssue, type IssueView } from '../view.ts'

/** The parts that a large issue is split into. */
export function plannedParts(issue: IssueDefinition, taken: ReadonlySet<number>): IssueDefinition[] {
  const groups = splitByRule(issue.acceptance_criteria)
  const first = firstPartNumber(issue.number, groups.length, taken)
  return partsOf(issue, groups, first).map((part, index) => partOf(issue, part, index))
}

/** Otherwise the tests of part 1 would show part 2 as done. */
function partOf(
  { github: _, ...whole }: IssueDefinition,
  part: Pick<IssueDefinition, 'number' | 'depends_on' | 'acceptance_criteria'>,
  index: number,
): IssueDefinition {
  const { title, body, number, test_path } = whole
  return {
    ...whole,
    ...part,
    title: `${title} (part ${index + 1})`,
    body: `Part ${index + 1} of #${number}.${body ? `\n\n${body}` : ''}`,
    ...(test_path === undefined || index === 0 ? {} : { test_path: besides(test_path, index + 1) }),
  }
}

/** `test/csv.test.js` → `test/csv_part2.test.js`. */
function besides(path: string, part: number): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const [name, ...endings] = path.slice(folder.length).split('.')
  return `${folder}${[`${name}_part${part}`, ...endings].join('.')}`
}

/** Too large for one agent, so it is split without asking. */
export function mustSplit(issue: IssueView): boolean {
  return isLarge(issue) && sizeGate(issue.acceptance_criteria.length, true) === 'split'
}

/** Whether it has to be decided first if it is split. */
export function isLarge({ acceptance_criteria, kept_whole, part_of, state }: IssueView): boolean {
  if (kept_whole || part_of !== undefined || stateAfter(state, 'split') === null) return false
  return sizeGate(acceptance_criteria.length, true) !== 'pass'
}

/** Moves the whole to SPLIT and its parts to READY. */
export function splitEvents(header: EventHeader, issue: IssueView, parts: readonly IssueDefinition[]): NewEvent[] {
  const split = moveEvent(header, issue, 'split', {
    reason: `continued in ${parts.map(({ number }) => `#${number}`).join(', ')}`,
  })
  if (!split) return []
  const ready = parts.flatMap(({ number }) => moveEvent(header, { number, state: 'BACKLOG' }, 'greenlit') ?? [])
  return [issueSplit.create(header, { issue: issue.number, parts: [...parts] }), split, ...ready]
}

/** [IS5] Decides whether a large issue is split before it is built; false if it was. */
export function sizeUp(
  run: Run,
  deps: ShipDeps,
  { feature, number, smart }: { feature: string; number: number; smart: boolean },
): Promise<boolean> {
  return run.step('size up', async (step) => {
    const view = await readFeature(deps, feature)
    const issue = findIssue(view, number)
    if (!issue || !isLarge(issue)) return true
    const parts = plannedParts(definitionOf(issue), issueNumbers(view))
    const gate = sizeGate(issue.acceptance_criteria.length, smart)
    const decided = await decide(run, step, deps, feature, issue, parts, gate)
    const header = eventHeader(feature, run.runId)
    step.emit(issueSized.create(header, { issue: number, ...decided }))
    if (decided.verdict === 'whole') return true
    for (const event of splitEvents(header, issue, parts)) step.emit(event)
    return false
  })
}

interface Sized {
  verdict: 'whole' | 'split'
  by: 'coordinator' | 'rule'
  reason: string
}

async function decide(
  run: Run,
  step: StepContext,
  deps: ShipDeps,
  feature: string,
  issue: IssueView,
  parts: readonly IssueDefinition[],
  gate: SizeVerdict,
): Promise<Sized> {
  const count = issue.acceptance_criteria.length
  const byRule: Sized = { verdict: 'split', by: 'rule', reason: `it has ${count} acceptance criteria` }
  if (gate !== 'ask') return byRule
  const asked = await askInStep(run, step, deps, {
    agent: deps.coordinator(),
    kind: 'select-issue',
    messages: () => [{ role: 'user', content: question(feature, issue, parts) }],
    schema: selectIssueReply,
    repairs: 1,
    facts: { node: `${feature}-${issue.number}` },
    stream: eventHeader(feature).stream,
    feature,
  })
  if (!asked.exit.ok) return { ...byRule, reason: `${byRule.reason}, and the coordinator did not answer` }
  const { issue: chosen, reason } = asked.exit.value
  if (chosen === issue.number) return { verdict: 'whole', by: 'coordinator', reason }
  if (chosen === parts[0]!.number) return { verdict: 'split', by: 'coordinator', reason }
  return { ...byRule, reason: `${byRule.reason}, and the coordinator chose #${chosen}, which was not offered` }
}

function question(feature: string, issue: IssueView, parts: readonly IssueDefinition[]): string {
  const list = parts.map(
    ({ number, acceptance_criteria }) => `- #${number}: ${acceptance_criteria.map(({ id }) => id).join(', ')}`,
  )
  return [
    `Issue #${issue.number} of ${feature}, "${issue.title}", has ${issue.acceptance_criteria.length} acceptance criteria:`,
    issue.acceptance_criteria.map(({ id, text }) => `- ${id}: ${text}`).join('\n'),
    `It can be built in one go by one agent, as #${issue.number}, or in parts, one after the other, beginning with #${parts[0]!.number}:`,
    list.join('\n'),
    `Which should be begun? Reply with {"issue": ${issue.number} | ${parts[0]!.number}, "reason": "…"}.`,
  ].join('\n\n')
}

export function issueNumbers({ issues }: FeatureView): Set<number> {
  return new Set(issues.map(({ number }) => number))
}
