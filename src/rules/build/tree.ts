/** Checks the children a scaffold names: how deep, how many, who waits for whom, and which criteria they are given. SPEC.md § GR8. */
import type { Problem } from '../schema/problem.ts'
import type { ChildSpec, Criterion } from './spec.ts'

export interface TreeNode {
  /** Ids from the root to the node that names the children; the root alone has depth 0. */
  path: readonly string[]
  criteria: readonly Criterion[]
  children: readonly ChildSpec[]
}

export const defaultTreeLimits = { depth: 3, children: 8 }

/** Everything wrong with the children, with the ids it is about; an empty list where they may be started. */
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
 * The criteria that no child was given, and those it took over from one that failed (GR6): the node tests and implements
 * these itself.
 */
export function keptCriteria(
  criteria: readonly Criterion[],
  children: readonly ChildSpec[],
  takenOver: readonly string[] = [],
): Criterion[] {
  const given = new Set(children.flatMap((child) => child.acceptanceCriteria.map(({ id }) => id)))
  return criteria.filter(({ id }) => !given.has(id) || takenOver.includes(id))
}

/** The child with its criteria in the parent's words: an id given on must not come with a weaker text. */
export function withParentCriteria(child: ChildSpec, criteria: readonly Criterion[]): ChildSpec {
  const texts = new Map(criteria.map(({ id, text }) => [id, text]))
  const own = child.acceptanceCriteria.map(({ id, text }) => ({ id, text: texts.get(id) ?? text }))
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

/** Ids name branches, and some file systems do not tell case apart. */
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
        problem(`${id} depends on ${dependency}, which is no sibling`, `childSpecs.${index}.dependsOn`),
      ),
  )
  const cycle = dependencyCycle(children)
  return cycle ? [...unknown, problem(`cycle: ${cycle.join(' → ')}`)] : unknown
}

/** Takes away whoever waits for nobody until no one is left, or those left wait in a circle; then walks it once. */
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
      if (!known.has(id)) return [problem(`${child.id} is given ${id}, which is no criterion of its parent`, at)]
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
