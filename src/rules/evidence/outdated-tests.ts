/** Tests that were there before, and that contradict what a new criterion demands. SPEC.md § VF3. */
import { findTests, type TestFacts, testKey } from '../build/test-facts.ts'
import type { Problem } from '../schema/problem.ts'

export interface OutdatedTest {
  criterionId: string
  test: string
  reason: string
}

/** Why work does not hold whose old tests fail: it names neither the test nor the new criterion that demands the change. */
export function outdatedTests(
  failing: readonly TestFacts[],
  named: readonly OutdatedTest[],
  /** The criteria that do not hold yet. */
  criteria: readonly string[],
): Problem[] {
  const strange = named.filter(({ criterionId }) => !criteria.includes(criterionId))
  const isNamed = (test: TestFacts) =>
    named.some(
      (one) => !strange.includes(one) && (findTests([test], one.test).length > 0 || testKey(test).endsWith(one.test)),
    )
  return [
    ...strange.map(({ test, criterionId }) =>
      problem(`"${test}" is called outdated for ${criterionId}, which is not a new criterion of this work`),
    ),
    ...failing
      .filter((test) => !isNamed(test))
      .map((test) =>
        problem(
          `the test "${testKey(test)}" was there before, and its old version fails now\nIf a new criterion demands that, list it in TestsPassed: "outdated": [{"criterionId", "test": its name, "reason"}]; the reviewer decides`,
        ),
      ),
  ]
}

function problem(message: string): Problem {
  return { rule: 'VF3', message }
}
