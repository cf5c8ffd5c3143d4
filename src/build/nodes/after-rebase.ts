/** Checks after a rebase: whether the planned tests are still there, and whether the claim still holds. RB1. */

import type { PlannedTest } from '../../rules/build/exits.ts'
import { findTests } from '../../rules/build/test-facts.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { testsAt } from '../clean-checkout.ts'
import type { Node } from '../node.ts'
import { verify } from '../verify.ts'
import { claimProblems, whatToVerify } from './implement.ts'

/** Criteria whose planned tests are gone after a rebase by an agent. */
export function uncoveredCriteria(node: Node): Promise<string[]> {
  return node.run.step('tests after rebase', async (step) => {
    if (node.state.plan.length === 0) return []
    const paths = node.state.testFiles.length > 0 ? node.state.testFiles : undefined
    const ran = await testsAt(node, step, { commit: node.state.head, purpose: 'rebase', isBuilt: true }, { paths })
    if (ran.names !== 'reported') return []
    const isGone = ({ plannedTestName }: PlannedTest) =>
      !node.state.hinted.includes(plannedTestName) && findTests(ran.tests, plannedTestName).length === 0
    const gone = node.state.plan.filter(isGone)
    return [...new Set(gone.map(({ criterionId }) => criterionId))]
  })
}

export async function verifyAgain(node: Node): Promise<Problem[]> {
  const verified = await node.run.step('verify after rebase', async (step) => {
    const { verified } = node.state
    // RebaseClean was verified already.
    if (verified && verified.tree === (await node.workspace.repository.treeOf(node.state.head))) return verified
    return verify(node, step, whatToVerify(node, node.state.head, 'rebase'))
  })
  node.state.verifiedAgain(verified)
  return claimProblems(verified)
}
