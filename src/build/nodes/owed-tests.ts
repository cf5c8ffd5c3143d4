/** Finds the tests still to be written for criteria that a node took over from a failed part. GR6, VF5. */
import type { PlannedTest } from '../../rules/build/exits.ts'
import { type TestFacts, testKey } from '../../rules/build/test-facts.ts'
import { type RedTests, testsRed } from '../../rules/evidence/tests-red.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { testsAt } from '../clean-checkout.ts'
import { type Node, suitesOf } from '../node.ts'
import { testedCriteria } from '../tests/tested-criteria.ts'
import { unwrittenFiles } from '../work/unwritten-files.ts'

/** Empty if every such criterion has a planned test, or a contract test that is still red. */
export async function owedTests(node: Node): Promise<PlannedTest[]> {
  const own = node.state.testedCriteria()
  const tested = new Set(node.state.plan.map(({ criterionId }) => criterionId))
  const untested = [...new Set(node.state.takenOver)].filter((id) => own.includes(id) && !tested.has(id))
  if (untested.length === 0) return []
  const red = await node.run.step('tests of what was taken over', async (step) => {
    const { scaffold, head } = node.state
    const paths = [...new Set([...node.state.testFiles, ...suitesOf(scaffold)])]
    const { tests } = await testsAt(node, step, { commit: head, purpose: 'red' }, { paths })
    const written = await unwrittenFiles(node, head, tests)
    const isRedFor = (id: string) => (test: TestFacts) =>
      testedCriteria(node, test).includes(id) && isRed({ ...written, ran: [test] }, id)
    return untested.filter((id) => tests.some(isRedFor(id)))
  })
  return untested.filter((id) => !red.includes(id)).flatMap((id) => plannedFor(node, id))
}

function isRed(facts: Omit<RedTests, 'planned'>, criterionId: string): boolean {
  const planned = facts.ran.map((test) => ({ criterionId, plannedTestName: testKey(test) }))
  return testsRed({ ...facts, planned }).problems.length === 0
}

/** The test of a criterion: as the scaffold planned it, or else with a name that suits the project's runner. */
export function plannedFor({ state: { scaffold, spec }, input }: Node, criterionId: string): PlannedTest[] {
  const plan = scaffold?.testPlan ?? []
  const planned = plan.filter((test) => test.criterionId === criterionId)
  if (planned.length > 0) return planned
  const text = spec.acceptanceCriteria.find(({ id }) => id === criterionId)?.text ?? ''
  const isFunction = input.spec.testPath.endsWith('.py') || plan.some((test) => /^test\w*$/.test(test.plannedTestName))
  const plannedTestName = isFunction
    ? `test_${criterionId.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`
    : `${criterionId} holds`
  return [{ criterionId, plannedTestName, approach: oneLine(text, 200) }]
}
