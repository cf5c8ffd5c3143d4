/** What still holds of a node's work once it stands on a sibling's: its planned tests, and its claim. RB1. */

import { findTests } from '../../rules/build/test-facts.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { Node } from '../node.ts'
import { runTests, verify } from '../verify.ts'
import { claimProblems, whatToVerify } from './implement.ts'

/** Criteria whose planned tests are gone after a rebase that an agent had a hand in. */
export function uncoveredCriteria(node: Node): Promise<string[]> {
  const { workspace, input } = node
  return node.run.step('tests after rebase', async (step) => {
    if (node.plan.length === 0) return []
    const slot = await workspace.worktrees.acquire(input.build, node.head)
    try {
      const what = { commit: node.head, tree: await workspace.repository.treeOf(node.head), purpose: 'rebase' }
      const ran = await runTests(node, step, slot, what, node.testFiles.length > 0 ? node.testFiles : undefined)
      if (!ran.parsed) return []
      const gone = node.plan.filter(({ plannedTestName }) => findTests(ran.tests, plannedTestName).length === 0)
      return [...new Set(gone.map(({ criterionId }) => criterionId))]
    } finally {
      workspace.worktrees.release(slot)
    }
  })
}

export async function verifyAgain(node: Node): Promise<Problem[]> {
  const verified = await node.run.step('verify after rebase', async (step) => {
    const { verified } = node
    // The claim that nothing was left to do was looked at already.
    if (verified && verified.tree === (await node.workspace.repository.treeOf(node.head))) return verified
    return verify(node, step, whatToVerify(node, node.head, 'rebase'))
  })
  node.verified = verified
  return claimProblems(verified)
}
