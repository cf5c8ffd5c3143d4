/** Decides by the number of acceptance criteria whether an issue is built whole or split into parts. SPEC.md § IS. */

export const defaultSizeLimits = { pass_up_to: 5, split_above: 12 }
export type SizeLimits = typeof defaultSizeLimits

export type SizeVerdict = 'pass' | 'ask' | 'split'

/** [IS5] Between the two bounds a coordinator is asked; without one the rule splits. */
export function sizeGate(criteria: number, coordinator: boolean, limits: SizeLimits = defaultSizeLimits): SizeVerdict {
  if (criteria <= limits.pass_up_to) return 'pass'
  if (criteria > limits.split_above) return 'split'
  return coordinator ? 'ask' : 'split'
}

/** [IS5] Keeps neighbouring criteria together, in the fewest groups that pass, as even as possible (13 → 5, 4, 4). */
export function splitByRule<Criterion>(
  criteria: readonly Criterion[],
  limits: SizeLimits = defaultSizeLimits,
): Criterion[][] {
  const groups = Math.ceil(criteria.length / Math.max(1, limits.pass_up_to))
  return Array.from({ length: groups }, (_, group) => {
    const start = Math.ceil((group * criteria.length) / groups)
    return criteria.slice(start, Math.ceil(((group + 1) * criteria.length) / groups))
  })
}

interface SplittableIssue<Criterion> {
  number: number
  depends_on: readonly number[]
  acceptance_criteria: readonly Criterion[]
}

export interface IssuePart<Criterion> {
  number: number
  depends_on: number[]
  acceptance_criteria: Criterion[]
}

/**
 * [IS5] The parts form a chain, because they work in the same files: the first has the whole issue's dependencies, each
 * later one depends on the one before it.
 */
export function partsOf<Criterion>(
  issue: SplittableIssue<Criterion>,
  groups: readonly (readonly Criterion[])[],
  firstNumber: number,
): IssuePart<Criterion>[] {
  return groups.map((group, index) => ({
    number: firstNumber + index,
    depends_on: index === 0 ? [...issue.depends_on] : [firstNumber + index - 1],
    acceptance_criteria: [...group],
  }))
}

/** [IS5] Higher numbers are reserved for the parts of split issues. */
export const highestIssueNumber = 1_000_000_000

/**
 * [IS5] #7 is split into #7001, #7002 …, or from #1007001 on if one of those is taken. The numbers follow from the issue's
 * own, so that they are the same if only git is left.
 */
export function firstPartNumber(issue: number, parts: number, taken: ReadonlySet<number>): number {
  let first = issue * 1000 + 1
  while (Array.from({ length: parts }, (_, index) => first + index).some((number) => taken.has(number)))
    first += 1_000_000
  return first
}

/** [IS5] Replaces a dependency on the whole with one on its last part. */
export function dependOnLastPart(dependsOn: readonly number[], whole: number, lastPart: number): number[] {
  return [...new Set(dependsOn.map((number) => (number === whole ? lastPart : number)))]
}
