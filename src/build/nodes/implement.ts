/** The implementer writes the code; it counts as done when the tests pass in a clean checkout of its commit. VF3, VF4. */
import type { StepContext } from '../../kernel/engine.ts'
import { type BackEdgeReason, backEdgeReason } from '../../rules/build/back-edge.ts'
import type { Critique, Exit } from '../../rules/build/exits.ts'
import { isLastAttempt } from '../../rules/build/graph.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { observerOf } from '../issue-observer.ts'
import type { Node } from '../node.ts'
import { describeReason } from '../reasons.ts'
import { type ToVerify, type Verified, verify } from '../verify.ts'
import {
  askUntilVerified,
  type CheckResult,
  isExit,
  type VerifiedReply,
  type VerifiedTask,
} from '../work/ask-until-verified.ts'
import { brokenTests } from '../work/baseline-tests.ts'
import { keepCommit, makeCommit } from '../work/commit-work.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { keepFiles } from '../work/keep-files.ts'
import { isOfDropped } from '../work/tested-criteria.ts'
import { strangeCommit } from './scaffold.ts'

interface Implemented {
  commit: string
  verified?: Verified
}

export async function implement(
  node: Node,
  reason: BackEdgeReason | undefined,
  critiques: readonly Critique[],
): Promise<VerifiedReply<Implemented> | { exhausted: Problem[] }> {
  const entry = { from: node.state.head }
  const held = await askUntilVerified<Implemented>(
    node,
    {
      place: 'impl',
      kind: 'implement',
      role: 'impl',
      prompt: 'implement',
      values: {
        spec: node.state.spec,
        scaffold: node.state.scaffold,
        testFiles: node.state.testFiles,
        criteria: node.state.ownCriteria(),
        takenOver: node.state.takenOver,
        children: node.state.children,
        critiques,
        ...(reason && reason.kind !== 'critique' ? { reason: describeReason(reason) } : {}),
      },
      thread: node.state.thread,
      ...(node.state.threads.impl ? { earlier: node.state.threads.impl } : {}),
      from: node.state.head,
      ...countedAttempts(node),
      check: (step, exit, tree) => checkImplementation(node, step, exit, tree!, entry),
    },
    (exit, found, attempt) => {
      const reason = retryReason(node, exit, attempt)
      if (reason === null) return null
      entry.from = found?.commit ?? entry.from
      return { from: entry.from, reason }
    },
  )
  node.state.countAttempts('exhausted' in held ? node.caps.attempts : held.attempt)
  if (!('exhausted' in held)) node.state.talked('impl', held.thread)
  if (!('exhausted' in held) && isExit(held.exit, 'TestsPassed'))
    node.state.implemented(held.found!.commit, held.found!.verified)
  return held
}

/** For an issue, attempts count over the whole build, and the issue loop is notified of each failure. */
export function countedAttempts(node: Node): { firstAttempt?: number; onFailure?: VerifiedTask<unknown>['onFailure'] } {
  const hooks = observerOf(node)
  if (!hooks) return {}
  return { firstAttempt: node.state.attempts + 1, onFailure: (failure) => hooks.attemptFailed(node, failure) }
}

/** Why the implementer is asked again after this exit, or null. On the last attempt, RequestRetry counts as Stuck. */
export function retryReason(node: Node, exit: Exit, attempt: number): string | null {
  if (isLastAttempt(attempt, node.caps)) return null
  if (isExit(exit, 'RequestRetry')) return describeReason(backEdgeReason(exit)!)
  // Unattended: Stuck is a failed attempt like any other.
  if (node.input.unattended && isExit(exit, 'Stuck'))
    return `The last attempt was stuck: ${exit.payload.diagnosis} ${exit.payload.recommendation}`
  return null
}

async function checkImplementation(
  node: Node,
  step: StepContext,
  exit: Exit,
  tree: string,
  entry: { from: string },
): Promise<CheckResult<Implemented>> {
  const claims = isExit(exit, 'TestsPassed')
  if (!claims && !isExit(exit, 'RequestRetry')) return { problems: [] }
  const { problems: touched, changes, putBack } = await inspectWorktree(node, 'impl', entry.from, tree)
  // RequestRetry keeps the files, except those that the agent may not touch.
  if (!claims) return { problems: [], found: { commit: await keepFiles(node, tree, entry.from, putBack) } }
  const request = { kind: 'impl', tree, from: entry.from, agent: node.deps.agentFor('impl').name, changes }
  const problems = [...touched, ...(await strangeCommit(node, exit.payload.commitHash))]
  if (problems.length > 0) return { problems, putBack }
  const commit = await makeCommit(node, request)
  const verified = await verify(node, step, whatToVerify(node, commit, 'claim'))
  const wrong = claimProblems(verified)
  if (wrong.length > 0) return { problems: wrong }
  const broken = await brokenTests(node, step, commit, verified)
  if (broken.problems.length > 0) return broken
  await keepCommit(node, step, request, commit)
  return { problems: [], found: { commit, verified } }
}

export function whatToVerify(node: Node, commit: string, purpose: string): ToVerify {
  const given = (node.state.scaffold?.childSpecs ?? []).flatMap(({ acceptanceCriteria }) => acceptanceCriteria)
  return {
    commit,
    purpose,
    own: ownTestFiles(node),
    ownTests: node.state.plan.map(({ plannedTestName }) => plannedTestName),
    named: node.state.named,
    planned: true,
    ...(node.state.scaffold?.contractSuite ? { contractSuite: node.state.scaffold.contractSuite } : {}),
    ...(node.state.dropped.length > 0 && given.length > 0 ? { forgiven: (test) => isOfDropped(node, test) } : {}),
  }
}

export function ownTestFiles(node: Node): string[] {
  return node.state.testFiles.length > 0 ? node.state.testFiles : []
}

/** Why a claim of passing tests does not hold, for the agent that made it. */
export function claimProblems({ verdict, output, tests, contract }: Verified): Problem[] {
  if (verdict.verdict === 'passed') return []
  if (verdict.verdict === 'not-run') return [{ rule: 'VF4', message: 'no test was run' }]
  const what = {
    setup: 'the set-up fails',
    build: 'it does not build',
    test: 'the tests do not pass',
    contract: 'the contract suite does not pass',
  }[verdict.step]
  const message = `${what} in a clean checkout:\n${output}`
  const ran = verdict.step === 'test' ? tests : verdict.step === 'contract' ? contract : []
  const failing = ran.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped').map(({ name }) => name)
  return [{ rule: 'VF4', message, ...(failing.length > 0 ? { tests: failing.slice(0, 50) } : {}) }]
}
