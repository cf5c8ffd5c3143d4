/** The review: an approval counts only if the evidence supports it. VF5. */

import { refusedApproval } from '../../rules/build/back-edge.ts'
import type { ExitPayload } from '../../rules/build/exits.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { findTests, type TestFacts, testIdentity, testKey } from '../../rules/build/test-facts.ts'
import { importsInQuestion, type UnsafeImport } from '../../rules/build/unsafe-imports.ts'
import { approvalProblems } from '../../rules/build/verification.ts'
import { hintedCoverage } from '../../rules/evidence/hinted-coverage.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { interfacesOf, type Node, suitesOf } from '../node.ts'
import { testedCriteria } from '../tests/tested-criteria.ts'
import { approveImports } from '../work/approve-imports.ts'
import { askReviewer, longestDiff, refuseApproval } from '../work/ask-reviewer.ts'
import { type Exhausted, isExit, type VerifiedReply } from '../work/ask-until-verified.ts'
import { ownCodeFacts } from '../work/own-code-facts.ts'
import { untestedWork } from '../work/reviewed.ts'
import { inProject } from '../workspace.ts'
import { plannedFor } from './owed-tests.ts'

export async function review(node: Node): Promise<VerifiedReply<void> | Exhausted> {
  const held = await askReviewer(node, {
    commit: node.state.head,
    from: node.state.red ?? node.state.base,
    diff: await wholeDiff(node),
    passed: ownPassed(node),
    role: 'tdd:review',
    thread: node.state.thread,
    values: { unchanged: node.state.areTestsUnchanged },
  })
  if ('exhausted' in held || !isExit(held.exit, 'Approved')) return held
  const { payload } = held.exit
  const { problems: missing, unsafe, isUntested } = await node.run.step('check approval', () => lacking(node, payload))
  const problems = [...missing, ...(await approveImports(node, unsafe))]
  if (problems.length === 0) return held
  // A refused approval counts as a request for more tests.
  const wanted = isUntested ? plannedFor(node, node.state.ownCriteria()[0]!) : []
  const refused = refusedApproval(problems, node.input.spec.testPath, wanted)
  await refuseApproval(node, held.attempt, problems, refused)
  return { ...held, exit: refused }
}

/**
 * The whole node, in the order of what only this review looks at: the code, then scaffold and tests, then what its parts
 * merged. A long diff is cut at its end.
 */
async function wholeDiff(node: Node): Promise<{ text: string; cut: boolean }> {
  const { workspace, state } = node
  const { repository } = workspace
  const { base, red = base, head } = state
  const paths = (from: string, to: string) => repository.changes(from, to).then((all) => all.map(({ path }) => path))
  const code = await paths(red, head)
  const others = (await paths(base, head)).filter((path) => !code.includes(path))
  const own = [...interfacesOf(node), ...suitesOf(state.scaffold), ...state.testFiles]
  const isOwn = (path: string) => own.some((one) => isWithin(inProject(workspace, path) ?? path, one))
  const whole = { text: '', cut: false }
  for (const some of [code, others.filter(isOwn), others.filter((path) => !isOwn(path))]) {
    const left = longestDiff - whole.text.length
    if (some.length === 0 || whole.cut) continue
    const part =
      left > 0 ? await repository.diff(base, head, { maxCharacters: left, paths: some }) : { text: '', cut: true }
    whole.text += part.text
    whole.cut = part.cut
  }
  return whole
}

async function lacking(
  node: Node,
  { coverageReport }: ExitPayload<'Approved'>,
): Promise<{ problems: Problem[]; unsafe: UnsafeImport[]; isUntested: boolean }> {
  const { workspace } = node
  const planned = node.state.plan.map(({ criterionId, plannedTestName }) => ({
    criterionId,
    testName: plannedTestName,
  }))
  const reported = coverageReport.criteriaWithTests.map(([criterionId, testName]) => ({ criterionId, testName }))
  const { plan, hinted: hints, testFiles, verified } = node.state
  const hinted = hintedCoverage({ plan, hinted: hints, testFiles, ran: verified?.tests ?? [] })
  const changes = await workspace.repository.changes(node.state.base, node.state.head)
  const facts = await ownCodeFacts(node, changes, node.state.head)
  // A test of the same name that fails without the work too is another one.
  const isExcused = (test: TestFacts) => (verified?.excused ?? []).some((one) => one.test === testIdentity(test))
  const problems = approvalProblems({
    criteria: node.state.testedCriteria(),
    missing: coverageReport.criteriaMissing,
    coverage: [...planned, ...reported, ...takenCoverage(node), ...hinted],
    ran: passedOf(node, true).filter((test) => !isExcused(test)),
    ...facts,
  })
  const untested = node.state.plan.length === 0 ? await untestedWork(node, changes, node.state.head) : []
  const unsafe = importsInQuestion(facts.after, facts.before, node.deps.settings.allowed_imports)
  return { problems: [...problems, ...untested], unsafe, isUntested: untested.length > 0 }
}

/** Tests that already cover criteria taken over from a failed part, in the contract suite or elsewhere (GR6). */
function takenCoverage(node: Node): { criterionId: string; testName: string }[] {
  return [...(node.state.verified?.contract ?? []), ...(node.state.verified?.tests ?? [])].flatMap((test) => {
    const taken = testedCriteria(node, test).filter((id) => node.state.takenOver.includes(id))
    return taken.map((criterionId) => ({ criterionId, testName: testKey(test) }))
  })
}

/** The names of this node's tests that passed: those of the plan and of its contract suite. */
function ownPassed(node: Node): string[] {
  const { plan, verified } = node.state
  const passed = passedOf(node)
  const planned = plan.flatMap(({ plannedTestName }) => findTests(passed, plannedTestName))
  const contract = (verified?.contract ?? []).filter(({ outcome }) => outcome === 'passed')
  return [...new Set([...planned, ...contract].map(({ name }) => name))].slice(0, 100)
}

/** If the runner names no tests, a zero exit code counts for all planned ones. */
function passedOf(node: Node, all = false): TestFacts[] {
  const { verified } = node.state
  if (!verified) return []
  if (verified.names !== 'reported')
    return node.state.plan.map(({ plannedTestName }) => ({ name: plannedTestName, outcome: 'passed' }))
  const tests = [...verified.tests, ...verified.contract]
  return all ? tests : tests.filter(({ outcome }) => outcome === 'passed')
}
