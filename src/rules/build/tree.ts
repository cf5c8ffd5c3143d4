/** Checks the children of a scaffold: depth, number, dependencies and criteria. SPEC.md § GR8. */
import type { Problem } from '../schema/problem.ts'
import type { ChildSpec, Criterion } from './spec.ts'

export interface TreeNode {
  /** Ids from the root to the parent of the children; the root alone has depth 0. */
  path: readonly string[]
  criteria: readonly Criterion[]
  children: readonly ChildSpec[]
}

export const defaultTreeLimits = { depth: 3, children: 8 }

/** Every problem with the children, with ids; empty if they may start. */
export function treeProblems(node: TreeNode, limits = defaultTreeLimits): Problem[] {
  if (node.children.length === 0) return []
  return [
    ...sizeProblems(node, limits),
    ...idProblems(node),
    ...dependencyProblems(node.children),
    ...criteriaProblems(node),
  ]
}

/**
 * The criteria that the node tests and implements itself: those that no child has, and those it took over from a failed
 * child (GR6).
 */
export function keptCriteria(
  criteria: readonly Criterion[],
  children: readonly ChildSpec[],
  takenOver: readonly string[] = [],
): Criterion[] {
  const given = new Set(children.flatMap((child) => child.acceptanceCriteria.map(({ id }) => id)))
  return criteria.filter(({ id }) => !given.has(id) || takenOver.includes(id))
}

/** The child with its criteria as the parent has them, so that a child cannot weaken a criterion. */
export function withParentCriteria(child: ChildSpec, criteria: readonly Criterion[]): ChildSpec {
  const known = new Map(criteria.map((criterion) => [criterion.id, criterion]))
  const own = child.acceptanceCriteria.map((criterion) => known.get(criterion.id) ?? criterion)
  return { ...child, acceptanceCriteria: own }
}

function sizeProblems({ path, children }: TreeNode, limits: typeof defaultTreeLimits): Problem[] {
  const problems: Problem[] = []
  const depth = path.length
  if (depth > limits.depth) {
    problems.push(problem(`children of ${path.join('/')} would be ${depth} deep, at most ${limits.depth} are allowed`))
  }
  if (children.length > limits.children) {
    problems.push(problem(`${children.length} children are named, at most ${limits.children} are allowed`))
  }
  return problems
}

/** Ids name branches, and some file systems ignore case. */
function idProblems({ path, children }: TreeNode): Problem[] {
  const ancestors = new Map(path.map((id) => [id.toLowerCase(), id]))
  const seen = new Map<string, string>()
  return children.flatMap(({ id }, index) => {
    const key = id.toLowerCase()
    const at = `childSpecs.${index}.id`
    const ancestor = ancestors.get(key)
    if (ancestor !== undefined) return [problem(`cycle: ${[...path, id].join(' → ')}`, at)]
    const twin = seen.get(key)
    if (twin !== undefined) return [problem(`two children are called ${id}`, at)]
    seen.set(key, id)
    return []
  })
}

function dependencyProblems(children: readonly ChildSpec[]): Problem[] {
  const known = new Set(children.map(({ id }) => id))
  const unknown = children.flatMap(({ id, dependsOn }, index) =>
    (dependsOn ?? [])
      .filter((dependency) => !known.has(dependency))
      .map((dependency) =>
        problem(`${id} depends on ${dependency}, which is not a sibling`, `childSpecs.${index}.dependsOn`),
      ),
  )
  const cycle = dependencyCycle(children)
  return cycle ? [...unknown, problem(`cycle: ${cycle.join(' → ')}`)] : unknown
}

/** Removes children without open dependencies until none is left or the rest form a cycle, which it returns. */
function dependencyCycle(children: readonly ChildSpec[]): string[] | undefined {
  const waiting = new Map(children.map(({ id, dependsOn }) => [id, dependsOn ?? []]))
  const open = (id: string) => (waiting.get(id) ?? []).find((dependency) => waiting.has(dependency))
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size
    for (const id of [...waiting.keys()]) if (open(id) === undefined) waiting.delete(id)
  }
  const [start] = waiting.keys()
  const walk: string[] = []
  for (let id = start; id !== undefined; id = open(id)) {
    const first = walk.indexOf(id)
    if (first >= 0) return [...walk.slice(first), id]
    walk.push(id)
  }
  return undefined
}

function criteriaProblems({ criteria, children }: TreeNode): Problem[] {
  const known = new Set(criteria.map(({ id }) => id))
  const holder = new Map<string, string>()
  return children.flatMap((child, index) =>
    child.acceptanceCriteria.flatMap(({ id }) => {
      const at = `childSpecs.${index}.acceptanceCriteria`
      if (!known.has(id)) return [problem(`${child.id} is given ${id}, which is not a criterion of its parent`, at)]
      const other = holder.get(id)
      if (other !== undefined) return [problem(`${id} is given to both ${other} and ${child.id}`, at)]
      holder.set(id, child.id)
      return []
    }),
  )
}

function problem(message: string, path?: string): Problem {
  return { rule: 'GR8', message, ...(path ? { path } : {}) }
}
