/** Which criteria a test covers. VF5. */
import { criteriaOf } from '../../rules/build/criterion-names.ts'
import { findTests, type TestFacts } from '../../rules/build/test-facts.ts'
import type { Node } from '../node.ts'

/** A contract test covers the criteria it is planned for, and those whose id is in its name. */
export function testedCriteria(node: Node, test: TestFacts): string[] {
  const plan = node.state.scaffold?.testPlan ?? []
  const planned = plan.filter(({ plannedTestName }) => findTests([test], plannedTestName).length > 0)
  const criteria = node.input.spec.acceptanceCriteria.map(({ id }) => id)
  const mentioned = criteriaOf(test, criteria)
  return [...new Set([...planned.map(({ criterionId }) => criterionId), ...mentioned])]
}

export function isOfDropped(node: Node, test: TestFacts): boolean {
  const about = testedCriteria(node, test)
  return about.length > 0 && about.every((id) => node.state.dropped.includes(id))
}
