/** Which moves follow when a list of issues is greenlit. IS4, IS5. */
import { ConveneError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../kernel/events.ts'
import { confinePath } from '../../rules/build/path-confinement.ts'
import { graphFaults } from '../../rules/issues/issue-graph.ts'
import { greenlitState } from '../../rules/issues/issue-reconcile.ts'
import { type IssueDefinition, issueSchema } from '../events.ts'
import { featureName } from '../feature-name.ts'
import { moveEvent, placeOf } from '../feature-state.ts'
import { isLarge, mustSplit, numbersIn, plannedParts, splitEvents } from '../issue/split-issue.ts'
import { definitionOf, type FeatureView, findIssue } from '../view.ts'

/** The list, or those that are known where none is given. One that could never be worked off is refused. IS2. */
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
  refuseFaulty(before, issues)
  const numbers = new Set(listed.map(({ number }) => number))
  const { errors } = graphFaults([...known.filter(({ number }) => !numbers.has(number)), ...listed])
  if (errors.length === 0) return listed
  throw new ConveneError('invalid_issues', errors.join('; '), {
    path: 'issues',
    expected: 'numbers that are there once, dependencies that exist, and no circle',
  })
}

/** What would only fail while it is built, or would be built outside of the project. */
function refuseFaulty(before: FeatureView, issues: readonly IssueDefinition[]): void {
  const onForge = keptOnForge(before, issues)
  for (const [index, issue] of issues.entries()) {
    const refuse = (path: string, what: string, expected: string): never => {
      const where = `issues.${index}.${path}`
      throw new ConveneError('invalid_issues', `${where}: ${what} (issue #${issue.number})`, { path: where, expected })
    }
    const { number, github } = issue
    const known = findIssue(before, number)
    const whole = known?.part_of
    if (whole !== undefined && !isSame(definitionOf(known!), issue))
      refuse('number', `it is the number of a part of #${whole}`, 'a number that no part of a split issue has')
    if (whole === undefined && number > highestNumber)
      refuse('number', `it is above ${highestNumber}, and its parts need room`, `a number up to ${highestNumber}`)
    const other = github === undefined ? undefined : onForge.get(github)
    if (other !== undefined && other !== number)
      refuse('github', `${github} is the number of #${other} there already`, 'a number of its own on the forge')
    if (github !== undefined) onForge.set(github, number)
    for (const key of ['target_path', 'test_path'] as const) {
      const confinement = issue[key] === undefined ? undefined : confinePath(issue[key])
      if (confinement && !confinement.inside)
        refuse(key, `the path '${issue[key]}' ${confinement.why}`, 'a relative path that stays inside the project')
    }
    const ids = issue.acceptance_criteria.map(({ id }) => id)
    const again = ids.findIndex((id, at) => ids.indexOf(id) < at)
    if (again !== -1)
      refuse(
        `acceptance_criteria.${again}.id`,
        `'${ids[again]}' is the id of another criterion already`,
        'an id of its own for each criterion of an issue',
      )
  }
}

/** IS5: parts have numbers of their own, a thousandfold and more. */
const highestNumber = 1_000_000_000

/** Who has which number on the forge, but for those that are given another now. */
function keptOnForge({ issues: known }: FeatureView, issues: readonly IssueDefinition[]): Map<number, number> {
  const given = new Set(issues.flatMap(({ number, github }) => (github === undefined ? [] : [number])))
  return new Map(
    known.flatMap(({ number, github }) => (github === undefined || given.has(number) ? [] : [[github, number]])),
  )
}

function isSame(known: IssueDefinition, given: IssueDefinition): boolean {
  return JSON.stringify(known) === JSON.stringify(issueSchema.parse(given))
}

/**
 * What waits is ready, and what is too large for anyone goes on in parts; so does what was begun in parts, as git tells
 * where the log was lost.
 */
export function admittingMoves(view: FeatureView, inGit: ReadonlySet<number>): NewEvent[] {
  const place = placeOf(view.feature)
  const taken = numbersIn(view)
  return view.issues.flatMap((issue) => {
    const ready = greenlitState(issue.state) === issue.state ? null : moveEvent(place, issue, 'greenlit')
    const parts = isLarge(issue) ? plannedParts(definitionOf(issue), taken) : []
    const isBegun = parts.some(({ number }) => inGit.has(number))
    if (!mustSplit(issue) && !isBegun) return ready ?? []
    for (const { number } of parts) taken.add(number)
    return [...(ready ? [ready] : []), ...splitEvents(place, { ...issue, state: greenlitState(issue.state) }, parts)]
  })
}
