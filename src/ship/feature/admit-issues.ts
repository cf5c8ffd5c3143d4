/** Decides which moves follow from greenlighting a list of issues. IS4, IS5. */
import { ConveneError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../kernel/events.ts'
import { listFault } from '../../rules/issues/admission.ts'
import { graphFaults } from '../../rules/issues/issue-graph.ts'
import { greenlitState } from '../../rules/issues/issue-reconcile.ts'
import { type IssueDefinition, issueSchema } from '../events.ts'
import { featureName } from '../feature-name.ts'
import { eventHeader, moveEvent } from '../feature-state.ts'
import { isLarge, issueNumbers, mustSplit, plannedParts, splitEvents } from '../issue/split-issue.ts'
import { definitionOf, type FeatureView, findIssue } from '../view.ts'

/** The given list, or the known issues if none is given. Refuses a list that could never be finished. IS2. */
export function listToAdmit(before: FeatureView, issues: readonly IssueDefinition[]): IssueDefinition[] {
  const feature = featureName(before.feature)
  const known = before.issues.map(definitionOf)
  const listed = issues.length > 0 ? [...issues] : known
  if (listed.length === 0)
    throw new ConveneError(
      'no_issues',
      `feature ${feature} has no issues; name a file: convene greenlight ${feature} --issues issues.json`,
      { path: 'issues' },
    )
  const fault = listFault(issues, before.issues, (issue) => {
    const same = findIssue(before, issue.number)
    return same !== undefined && isSame(definitionOf(same), issue as IssueDefinition)
  })
  if (fault) throw new ConveneError('invalid_issues', fault.message, { path: fault.path, expected: fault.expected })
  const numbers = new Set(listed.map(({ number }) => number))
  const { errors } = graphFaults([...known.filter(({ number }) => !numbers.has(number)), ...listed])
  if (errors.length === 0) return listed
  throw new ConveneError('invalid_issues', errors.join('; '), {
    path: 'issues',
    expected: 'numbers that are there once, dependencies that exist, and no circle',
  })
}

function isSame(known: IssueDefinition, given: IssueDefinition): boolean {
  return JSON.stringify(known) === JSON.stringify(issueSchema.parse(given))
}

/**
 * Waiting issues become READY. An issue too large for one agent is split; so is one that git shows was built in parts
 * before the log was lost.
 */
export function admittingMoves(view: FeatureView, inGit: ReadonlySet<number>): NewEvent[] {
  const header = eventHeader(view.feature)
  const taken = issueNumbers(view)
  return view.issues.flatMap((issue) => {
    const ready = greenlitState(issue.state) === issue.state ? null : moveEvent(header, issue, 'greenlit')
    const parts = isLarge(issue) ? plannedParts(definitionOf(issue), taken) : []
    const isBegun = parts.some(({ number }) => inGit.has(number))
    if (!mustSplit(issue) && !isBegun) return ready ?? []
    for (const { number } of parts) taken.add(number)
    return [...(ready ? [ready] : []), ...splitEvents(header, { ...issue, state: greenlitState(issue.state) }, parts)]
  })
}
