/** Verifies a merge before the user's branch moves: each side was green, but not yet both together. MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { redOnceJoined } from '../../rules/merge/merge-verdict.ts'
import type { JoinedWork, MergeRequest } from '../../workspace/merge/merge-into-target.ts'
import { describeTestRun, inCheckout, testsAt, type Verifier } from '../clean-checkout.ts'
import { type Verified, verify } from '../verify.ts'
import { inRepository } from '../workspace.ts'

type Refusal = Awaited<ReturnType<NonNullable<MergeRequest['verify']>>>

/** `work` is the commit that Convene verified last; `suites` are the contract suites it brings. */
export async function verifyJoin(
  who: Verifier,
  step: StepContext,
  { commit, head }: JoinedWork,
  { work, suites }: { work: string; suites: readonly string[] },
): Promise<Refusal> {
  const refusal = await whyRed(who, step, { commit, head, work, suites })
  // Before retrying a refused merge, a person may have repaired something outside the tree.
  if (refusal) {
    who.workspace.testResults.forget(who.input.build)
    who.workspace.seenTests.forgetRuns(who.input.build)
  }
  return refusal
}

async function whyRed(
  who: Verifier,
  step: StepContext,
  { commit, head, work, suites }: JoinedWork & { work: string; suites: readonly string[] },
): Promise<Refusal> {
  const seen = await verify(who, step, { commit, purpose: 'target', own: [], ownTests: [] })
  const { verdict } = seen
  if (verdict.verdict === 'failed' && verdict.step === 'setup')
    return { reason: 'setup_failed', detail: `the set-up fails in the merged tree: ${seen.output}` }
  if (verdict.verdict === 'failed' && verdict.step === 'build')
    return red(`the merged tree does not build: ${seen.output}`)
  if (verdict.verdict !== 'passed') {
    const why = await testsProblem(who, step, seen, [head, work])
    if (why) return red(why)
  }
  const failing = await failingSuite(who, step, { commit, tree: seen.tree, suites })
  return failing === null ? null : red(failing)
}

/** Null if every red test was red before on one of the sides. */
async function testsProblem(
  who: Verifier,
  step: StepContext,
  seen: Verified,
  sides: readonly string[],
): Promise<string | null> {
  const isCheck = seen.verdict.verdict === 'failed' && seen.verdict.step === 'checks'
  const failed = isCheck ? 'a check of the test command fails' : 'the tests do not pass'
  const unnamed = `${failed} in the merged tree: ${seen.output}`
  if (seen.names !== 'reported' || seen.tests.length === 0) return unnamed
  const before: TestFacts[][] = []
  for (const side of sides) {
    const ran = await testsAt(who, step, { commit: side, purpose: 'before', isBuilt: true })
    before.push(ran.tests)
  }
  const isReliable = (test: TestFacts) => !who.workspace.seenTests.isUnreliable(who.input.build, test)
  const turned = redOnceJoined(before, seen.tests.filter(isReliable))
  if (turned.length > 0) return `tests that must be green are not in the merged tree: ${turned.join(', ')}`
  const isAnyRed = redOnceJoined([], seen.tests).length > 0
  return isAnyRed ? null : unnamed
}

async function failingSuite(
  who: Verifier,
  step: StepContext,
  { commit, tree, suites }: { commit: string; tree: string; suites: readonly string[] },
): Promise<string | null> {
  const { workspace } = who
  const listed = await workspace.repository.listFiles(
    tree,
    suites.map((suite) => inRepository(workspace, suite)),
  )
  const there = suites.filter((suite) => listed.includes(inRepository(workspace, suite)))
  // The project's contract command runs all suites at once.
  const chosen = workspace.project.contract ? ['contract'] : there
  if (chosen.length === 0) return null
  return inCheckout(who, step, { commit, purpose: 'target', isBuilt: true }, async (checkout) => {
    const { failure } = await checkout.prepare()
    if (failure !== undefined) return `the merged tree does not build: ${failure}`
    for (const suite of chosen) {
      const ran = await checkout.run({ suite, alone: true })
      if (ran.exitCode !== 0) return `the contract tests fail in the merged tree: ${describeTestRun(ran)}`
    }
    return null
  })
}

function red(detail: string): Refusal {
  return { reason: 'merge_red', detail }
}
