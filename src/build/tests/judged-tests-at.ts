/**
 * Judges the new tests of a commit. A result that was kept refuses nothing: the command runs again first. Neither does a tree
 * that was not built, where the project has a build: tests may need what it makes, such as another package's output.
 */
import type { StepContext } from '../../kernel/engine.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { nothingRanLine } from '../../rules/evidence/nothing-ran.ts'
import { runsNoneOf, unfoundMessage } from '../../rules/evidence/unfound-tests.ts'
import { type CheckoutRequest, testsAt, type Verifier } from '../clean-checkout.ts'
import { existingTests } from '../existing-tests.ts'
import type { TestResult } from '../kept-test-results.ts'
import { groundOf } from '../trust/changed-manifests.ts'

export async function judgedTestsAt<Verdict extends { problems: readonly unknown[] }>(
  verifier: Verifier,
  step: StepContext,
  checkout: CheckoutRequest,
  paths: readonly string[],
  judge: (ran: TestResult) => Promise<Verdict>,
): Promise<Verdict> {
  const runAt = (at: CheckoutRequest, isFresh = false) => testsAt(verifier, step, at, { paths }, { isFresh })
  let ran = await runAt(checkout)
  let verdict = await judge(ran)
  if (verdict.problems.length > 0 && ran.reused) {
    ran = await runAt(checkout, true)
    verdict = await judge(ran)
  }
  if (verdict.problems.length > 0 && !checkout.isBuilt && verifier.workspace.project.build !== undefined) {
    const built = await judge(await runAt({ ...checkout, isBuilt: true }))
    if (built.problems.length === 0) return built
  }
  if (verdict.problems.length > 0) await parkIfUnfound(verifier, step, paths, ran)
  return verdict
}

/** VF2: a command that runs none of the tests that were there before would run none that anybody writes beside them. */
async function parkIfUnfound(
  verifier: Verifier,
  step: StepContext,
  paths: readonly string[],
  ran: TestResult,
): Promise<void> {
  const { run, workspace, deps, input } = verifier
  const ground = groundOf(input)
  if (ground === undefined || !runsNoneOf(paths, ran)) return
  const there = await existingTests(workspace, ground, paths)
  if (there === undefined) return
  const untouched = { commit: ground, purpose: 'before', isBuilt: true, isUntouched: true }
  const before = await testsAt(verifier, step, untouched, { paths: there.files.slice(0, mostTried) })
  if (!runsNoneOf(there.files, before)) return
  const { test: command } = workspace.project
  const cause = before.isEmpty ? nothingRanLine(before.tail) : undefined
  const runner = before.parts.findLast((part) => part.runner !== undefined)?.runner
  const message = unfoundMessage({ command, runner, cause }, there)
  await deps.parking.park(run, step, { code: configurationFault, message })
}

/** If the command finds none of these, all its tests run. */
const mostTried = 5
