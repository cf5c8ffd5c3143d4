/** Which test proves which criterion, and its latest result. */
import type { NodeView } from '../../../../src/build/view.ts'
import type { Criterion } from '../../../../src/rules/build/spec.ts'

export interface ShownTest {
  name: string
  outcome: 'passed' | 'failed' | 'unseen'
  /** Who says that it proves the criterion. */
  from: 'plan' | 'review'
}

export interface ShownCriterion {
  criterion: Criterion
  tests: ShownTest[]
}

/** The planned tests of each criterion, then those that the review which approved the work names for it. */
export function criteriaOf(node: NodeView): ShownCriterion[] {
  const seen = outcomesOf(node)
  const approval = node.reviews.findLast(({ exit, refused }) => exit === 'Approved' && refused === undefined)
  return node.criteria.map((criterion) => {
    const planned = node.plan.filter(({ criterionId }) => criterionId === criterion.id)
    const named = (approval?.covered ?? []).filter(({ criterionId }) => criterionId === criterion.id)
    const tests = new Map<string, ShownTest['from']>(named.map(({ testName }) => [testName, 'review']))
    for (const { plannedTestName } of planned) tests.delete(plannedTestName)
    const all = [...planned.map(({ plannedTestName }) => [plannedTestName, 'plan'] as const), ...tests]
    return { criterion, tests: all.map(([name, from]) => ({ name, outcome: outcomeOf(seen, name), from })) }
  })
}

function outcomesOf({ evidence }: NodeView): Map<string, string> {
  const own = evidence.filter(({ purpose }) => !aboutOthers.has(purpose))
  return new Map(own.flatMap(({ tests }) => (tests?.list ?? []).map(({ name, outcome }) => [name, outcome])))
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
  const outcomes = outcomesOf(node)
  const planned = node.plan.map(({ plannedTestName }) => ({ outcome: outcomeOf(outcomes, plannedTestName) }))
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
