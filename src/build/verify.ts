/** Verifies a commit: builds it and runs its tests in a clean checkout of exactly that commit (VF4). */
import type { StepContext } from '../kernel/engine.ts'
import type { TestFacts, TestNames } from '../rules/build/test-facts.ts'
import { findTests } from '../rules/build/test-facts.ts'
import { type CheckRun, type ClaimVerdict, claimVerdict } from '../rules/build/verification.ts'
import { type CleanCheckout, describeTestRun, inCheckout, type Verifier } from './clean-checkout.ts'
import type { TestResult } from './kept-test-results.ts'

/** The results of verifying one tree. */
export interface Verified {
  tree: string
  runs: CheckRun[]
  verdict: ClaimVerdict
  /** All tests, if the runner names them. */
  tests: TestFacts[]
  names: TestNames
  contract: TestFacts[]
  /** The failed command in words, with the cause from its output. */
  output: string
}

export interface ToVerify {
  commit: string
  purpose: string
  /** The node's own test files; run alone if the whole suite is not green. */
  own: string[]
  ownTests: string[]
  /** The runner named these tests when they were red, so it must name them again. */
  named?: boolean
  /** The tests were planned and seen red, so they may not be skipped. */
  planned?: boolean
  contractSuite?: string
  /** Matches contract tests of dropped criteria, which may fail. */
  forgiven?: (test: TestFacts) => boolean
}

export async function verify(node: Verifier, step: StepContext, what: ToVerify): Promise<Verified> {
  const { commit, purpose } = what
  const { workspace, input } = node
  const runs: CheckRun[] = []
  for (;;) {
    const { tree, seen } = await inCheckout(node, step, { commit, purpose, isBuilt: true }, async (checkout) => ({
      tree: checkout.tree,
      seen: await verifyIn(checkout, what),
    }))
    runs.push(seen.run)
    const verdict = claimVerdict(runs)
    if (verdict.verdict !== 'run-again') return { tree, runs, verdict, ...seen.result }
    workspace.testResults.forget(input.build, tree)
  }
}

interface Seen {
  run: CheckRun
  result: Pick<Verified, 'tests' | 'names' | 'contract' | 'output'>
}

async function verifyIn(checkout: CleanCheckout, what: ToVerify): Promise<Seen> {
  const kept = checkout.kept({})
  const { failure, ...exitCodes } = kept ? {} : await checkout.prepare()
  const run: CheckRun = exitCodes
  if (failure !== undefined) return { run, result: { tests: [], names: 'unknown', contract: [], output: failure } }
  const all = kept ?? (await checkout.run({}))
  const isDone = (name: string) => isSeen(name, all) && !(what.planned && isSkipped(name, all))
  const allSeen = all.names === 'reported' && what.ownTests.every(isDone)
  let output = all.exitCode === 0 ? '' : describeTestRun(all)
  run.test = 0
  // If the suite is not green, the red tests may be others': run the node's own alone.
  if (all.exitCode !== 0 || !allSeen) {
    const own = what.own.length > 0 ? await checkout.run({ paths: what.own }) : all
    run.test = own.exitCode
    if (own.exitCode !== 0) output = describeTestRun(own)
    const unseen = what.named ? what.ownTests.filter((name) => !isSeen(name, all, own)) : []
    if (run.test === 0 && unseen.length > 0) {
      // A manipulated test command may exit with 0 without running anything.
      run.test = 1
      output = `These tests did not run: ${unseen.join(', ')}`
    }
    const skipped = what.planned ? what.ownTests.filter((name) => isSkipped(name, own)) : []
    if (run.test === 0 && skipped.length > 0) {
      // A skipped test does not pass.
      run.test = 1
      output = `These tests were skipped, and must pass: ${skipped.join(', ')}`
    }
  }
  const contract = what.contractSuite === undefined ? null : await checkout.run({ suite: what.contractSuite })
  if (contract) {
    const failing = contract.tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
    const isForgiven =
      contract.names === 'reported' && failing.length > 0 && failing.every((test) => what.forgiven?.(test))
    run.contract = isForgiven ? 0 : contract.exitCode
    if (run.contract !== 0 && run.test === 0) output = describeTestRun(contract)
  }
  return { run, result: { tests: all.tests, names: all.names, contract: contract?.tests ?? [], output } }
}

function isSeen(name: string, ...runs: TestResult[]): boolean {
  return runs.some(({ tests }) => findTests(tests, name).length > 0)
}

function isSkipped(name: string, { tests }: TestResult): boolean {
  return findTests(tests, name).some(({ outcome }) => outcome === 'skipped')
}
