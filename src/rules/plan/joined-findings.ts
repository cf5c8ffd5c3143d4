/** Joins findings that mean the same, and applies how a coordinator weighed them. SPEC.md § RV4, RV6. */
import { keywords } from '../text/words.ts'
import { type Finding, type Severity, severities } from './review.ts'

export function findingId(index: number): string {
  return `f${index + 1}`
}

/** RV6: findings are compared if two reviewers or more found something grave. */
export function needsJoining(findings: readonly Finding[]): boolean {
  const grave = findings.filter(isGraveFinding)
  if (new Set(grave.map(({ by }) => by)).size < 2) return false
  return grave.some((one) => findings.some((other) => other.by !== one.by && mayBeSame(one, other)))
}

/** Not if each names files, no file is named by both, and their titles share no two keywords. */
function mayBeSame(one: Finding, other: Finding): boolean {
  const [files, others] = [filesIn(one), filesIn(other)]
  if (files.size === 0 || others.size === 0 || [...files].some((file) => others.has(file))) return true
  const words = keywords(String(other.title ?? ''))
  return [...keywords(String(one.title ?? ''))].filter((word) => words.has(word)).length > 1
}

/** Names without their folders: one finding may say `src/a.ts`, another `a.ts:12`. */
function filesIn({ title, detail }: Finding): Set<string> {
  return new Set(`${title ?? ''} ${detail ?? ''}`.match(/(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}\b(?!\()/g))
}

export function isGraveFinding({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity !== 'MINOR'
}

/** What is wrong with groups of findings; empty if each names known findings, and each finding is in one group at most. */
export function groupFaults(groups: readonly (readonly string[])[], findings: readonly Finding[]): string[] {
  const known = new Set(findings.map((_, index) => findingId(index)))
  const placed = groups.flat()
  return [
    ...placed.filter((id) => !known.has(id)).map((id) => `there is no ${id}`),
    ...new Set(placed.filter((id, index) => placed.indexOf(id) !== index).map((id) => `${id} is in two groups`)),
  ]
}

/**
 * RV6: a group becomes its gravest finding, in its own words, with the names of all who found it and the highest confidence.
 * The order of the others is kept.
 */
export function joinFindings(findings: readonly Finding[], groups: readonly (readonly string[])[]): Finding[] {
  const groupOf = new Map(groups.flatMap((group) => group.map((id) => [id, group] as const)))
  return findings.flatMap((finding, index) => {
    const group = groupOf.get(findingId(index))
    if (!group || group.length < 2) return [finding]
    const members = findings.filter((_, other) => group.includes(findingId(other)))
    if (members[0] !== finding) return []
    const gravest = members.reduce((one, other) => (rank(other) < rank(one) ? other : one))
    const confidences = members.flatMap(({ confidence }) => confidence ?? [])
    return [
      {
        ...gravest,
        ...(confidences.length > 0 ? { confidence: Math.max(...confidences) } : {}),
        by: [...new Set(members.flatMap(({ by }) => (typeof by === 'string' ? [by] : [])))].join(', '),
      },
    ]
  })
}

/** `NONE`: the defence holds. */
export interface WeighedFinding {
  id: string
  severity: Severity | 'NONE'
  reason: string
}

/**
 * RV4: the coordinator's rating counts if it gives a reason. A dismissed finding keeps its severity and becomes advice; a
 * changed one says what it was rated before.
 */
export function weighFindings(findings: readonly Finding[], weighed: readonly WeighedFinding[]): Finding[] {
  return findings.map((finding, index) => {
    const verdict = weighed.find(({ id }) => id === findingId(index))
    if (!verdict || verdict.reason.trim() === '' || verdict.severity === finding.severity) return finding
    if (verdict.severity === 'NONE') return { ...finding, dismissed: verdict.reason }
    return { ...finding, severity: verdict.severity, rated: finding.severity, weighed: verdict.reason }
  })
}

function rank({ severity }: Finding): number {
  return severities.indexOf(severity)
}
