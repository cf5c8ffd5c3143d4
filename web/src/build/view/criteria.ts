/** Which test proves which criterion, and its latest result. */
import type { NodeView } from '../../../../src/build/view.ts'
import type { Criterion } from '../../../../src/rules/build/spec.ts'

export interface ShownCriterion {
  criterion: Criterion
  tests: { name: string; outcome: 'passed' | 'failed' | 'unseen' }[]
}

export function criteriaOf(node: NodeView): ShownCriterion[] {
  const seen = new Map<string, string>()
  for (const { tests, purpose } of node.evidence)
    if (!aboutOthers.has(purpose)) for (const { name, outcome } of tests?.list ?? []) seen.set(name, outcome)
  return node.criteria.map((criterion) => ({
    criterion,
    tests: node.plan
      .filter(({ criterionId }) => criterionId === criterion.id)
      .map(({ plannedTestName: name }) => ({ name, outcome: outcomeOf(seen, name) })),
  }))
}

/** The parts of a node that take over a criterion: their tests prove it. */
export function partsWith(nodes: readonly NodeView[], { path }: NodeView, criterionId: string): NodeView[] {
  return nodes.filter(
    (node) =>
      node.path.length === path.length + 1 &&
      path.every((id, depth) => node.path[depth] === id) &&
      node.criteria.some(({ id }) => id === criterionId),
  )
}

export interface OwnTests {
  passed: number
  failed: number
  /** No code exists yet, so the tests must fail. */
  beforeCode: boolean
  /** The runner names no tests; only its exit code is known. */
  unnamed: boolean
}

/** How the tests that were planned for a node went; where none were planned, all that were run for it. */
export function ownTests(node: NodeView): OwnTests | null {
  const last = node.evidence.findLast(({ tests, purpose }) => tests !== undefined && !aboutOthers.has(purpose))
  if (!last?.tests) return null
  const beforeCode = last.purpose === 'red'
  const planned = criteriaOf(node).flatMap(({ tests }) => tests)
  const seen = planned.filter(({ outcome }) => outcome !== 'unseen')
  if (seen.length === 0) {
    const { passed, failed, parsed } = last.tests
    return { passed, failed, beforeCode, unnamed: !parsed }
  }
  const passed = seen.filter(({ outcome }) => outcome === 'passed').length
  return { passed, failed: seen.length - passed, beforeCode, unnamed: false }
}

/** Runs of the tests without this node, or with all of its parts. */
const aboutOthers = new Set(['before', 'contract', 'setup'])

/** Runners may put the names of suites before a test's own. */
function outcomeOf(seen: ReadonlyMap<string, string>, name: string): 'passed' | 'failed' | 'unseen' {
  const found = seen.get(name) ?? [...seen].findLast(([full]) => full.endsWith(` ${name}`))?.[1]
  if (found === undefined || found === 'skipped') return 'unseen'
  return found === 'passed' ? 'passed' : 'failed'
}
