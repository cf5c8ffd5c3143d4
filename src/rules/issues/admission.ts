/** Which listed issues greenlight refuses, because their numbers clash or they could never be built. SPEC.md § IS4, IS5. */
import { confinePath } from '../build/path-confinement.ts'
import { highestIssueNumber } from './issue-size.ts'

export interface ListedIssue {
  number: number
  /** Its number on the forge. */
  github?: number
  target_path?: string
  test_path?: string
  acceptance_criteria: readonly { id: string }[]
}

export interface AdmittedIssue {
  number: number
  github?: number
  /** The whole that it is a part of. */
  part_of?: number
}

export interface ListFault {
  /** Where in the list, as a dotted path. */
  path: string
  message: string
  expected: string
}

/** The first fault of a list. `isUnchanged`: the listed issue is exactly the one that is known under its number. */
export function listFault(
  listed: readonly ListedIssue[],
  known: readonly AdmittedIssue[],
  isUnchanged: (issue: ListedIssue) => boolean,
): ListFault | null {
  const wholes = new Map(known.map(({ number, part_of }) => [number, part_of]))
  const onForge = keptOnForge(listed, known)
  for (const [index, issue] of listed.entries()) {
    const fault =
      numberFault(issue, wholes.get(issue.number), isUnchanged) ??
      forgeFault(issue, onForge) ??
      pathFault(issue) ??
      criterionFault(issue)
    if (issue.github !== undefined) onForge.set(issue.github, issue.number)
    if (!fault) continue
    const path = `issues.${index}.${fault.path}`
    return { ...fault, path, message: `${path}: ${fault.message} (issue #${issue.number})` }
  }
  return null
}

function numberFault(
  issue: ListedIssue,
  whole: number | undefined,
  isUnchanged: (issue: ListedIssue) => boolean,
): ListFault | null {
  if (whole !== undefined && !isUnchanged(issue)) {
    const message = `this number belongs to a part of #${whole}`
    return { path: 'number', message, expected: 'a number that no part of a split issue has' }
  }
  if (whole !== undefined || issue.number <= highestIssueNumber) return null
  const message = `numbers above ${highestIssueNumber} are reserved for the parts of split issues`
  return { path: 'number', message, expected: `a number up to ${highestIssueNumber}` }
}

function forgeFault({ number, github }: ListedIssue, onForge: ReadonlyMap<number, number>): ListFault | null {
  const other = github === undefined ? undefined : onForge.get(github)
  if (other === undefined || other === number) return null
  const message = `#${other} already has the number ${github} on the forge`
  return { path: 'github', message, expected: 'a number of its own on the forge' }
}

function pathFault(issue: ListedIssue): ListFault | null {
  for (const key of ['target_path', 'test_path'] as const) {
    const confinement = issue[key] === undefined ? undefined : confinePath(issue[key])
    if (!confinement || confinement.inside) continue
    const message = `the path '${issue[key]}' ${confinement.why}`
    return { path: key, message, expected: 'a relative path that stays inside the project' }
  }
  return null
}

function criterionFault({ acceptance_criteria }: ListedIssue): ListFault | null {
  const ids = acceptance_criteria.map(({ id }) => id)
  const again = ids.findIndex((id, at) => ids.indexOf(id) < at)
  if (again === -1) return null
  const message = `another criterion already has the id '${ids[again]}'`
  const expected = 'an id of its own for each criterion of an issue'
  return { path: `acceptance_criteria.${again}.id`, message, expected }
}

/** Which issue has which number on the forge, except those that the list gives a new one. */
function keptOnForge(listed: readonly ListedIssue[], known: readonly AdmittedIssue[]): Map<number, number> {
  const renumbered = new Set(listed.flatMap(({ number, github }) => (github === undefined ? [] : [number])))
  return new Map(
    known.flatMap(({ number, github }) => (github === undefined || renumbered.has(number) ? [] : [[github, number]])),
  )
}
