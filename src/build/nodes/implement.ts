/** The implementer writes the code; it counts as done when the tests pass in a clean checkout of its commit. VF3, VF4. */
import type { StepContext } from '../../kernel/engine.ts'
import { type BackEdgeReason, backEdgeReason } from '../../rules/build/back-edge.ts'
import type { Critique, Exit, ExitPayload } from '../../rules/build/exits.ts'
import { isLastAttempt } from '../../rules/build/graph.ts'
import { type CheckStep, checkSteps } from '../../rules/build/verification.ts'
import { isRed } from '../../rules/evidence/claimed-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { observerOf } from '../issue-observer.ts'
import type { Node } from '../node.ts'
import { describeReason } from '../reasons.ts'
import { isOfDropped } from '../tests/tested-criteria.ts'
import { type ToVerify, type Verified, verify } from '../verify.ts'
import {
  askUntilVerified,
  type CheckResult,
  type Exhausted,
  isExit,
  type VerifiedReply,
  type VerifiedTask,
} from '../work/ask-until-verified.ts'
import { bentSettings } from '../work/bent-settings.ts'
import { keepCommit, makeCommit } from '../work/commit-work.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { keepFiles } from '../work/keep-files.ts'
import { strangeCommit } from './scaffold.ts'
import { takeUpFiles } from './take-up-files.ts'

interface Implemented {
  commit: string
  verified?: Verified
}

export async function implement(
  node: Node,
  reason: BackEdgeReason | undefined,
  critiques: readonly Critique[],
): Promise<VerifiedReply<Implemented> | Exhausted> {
  const takenUp = await takeUpFiles(node)
  const { head } = node.state
  let left = node.state.startOf('impl')
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
        passedAtOnce: node.state.passedAtOnce,
        reason: [reason && reason.kind !== 'critique' ? describeReason(reason) : '', takenUp]
          .filter(Boolean)
          .join('\n\n'),
      },
      thread: node.state.thread,
      memory: 'impl',
      from: left,
      ...countedAttempts(node),
      check: (step, exit, tree) => checkImplementation(node, step, exit, tree!, critiques),
    },
    (exit, found, attempt) => {
      const reason = retryReason(node, exit, attempt)
      if (reason === null) return null
      left = found?.commit ?? left
      return { from: left, reason }
    },
  )
  if (!('exhausted' in held) && !isExit(held.exit, 'TestsPassed') && held.found)
    node.state.leftUnfinished('impl', held.found.commit)
  node.state.countAttempts('exhausted' in held ? node.caps.attempts : held.attempt)
  if (!('exhausted' in held) && isExit(held.exit, 'TestsPassed')) {
    node.state.implemented(held.found!.commit, held.found!.verified)
    tellOf(node, held.exit.payload, { hasChanged: held.found!.commit !== head, isReviewed: critiques.length > 0 })
  }
  if (!('exhausted' in held)) node.state.attemptsRefused(held.past)
  return held
}

/** MG1, GR3: the summary is for the commit; an objection, or all that is said where nothing changed, is for the reviewer. */
export function tellOf(
  { state }: Node,
  { summary, objection }: ExitPayload<'TestsPassed'>,
  { hasChanged, isReviewed }: { hasChanged: boolean; isReviewed: boolean },
): void {
  state.summarised(summary, hasChanged)
  if (objection?.trim()) state.objected('The implementer objects', objection)
  else if (isReviewed && !hasChanged) state.objected('The implementer changed nothing and says', summary)
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

/** Compared with what the implementer first found: what it did before a retry counts as its own. */
async function checkImplementation(
  node: Node,
  step: StepContext,
  exit: Exit,
  tree: string,
  critiques: readonly Critique[],
): Promise<CheckResult<Implemented>> {
  const from = node.state.head
  const { problems: touched, changes, putBack } = await inspectWorktree(node, 'impl', from, tree, { critiques })
  // An attempt that ends otherwise keeps its files, except those that the agent may not touch.
  if (!isExit(exit, 'TestsPassed'))
    return { problems: [], putBack, found: { commit: await keepFiles(node, tree, from, putBack) } }
  const request = { kind: 'impl', tree, from, agent: node.deps.agentFor('impl').name, changes }
  const problems = [...touched, ...(await strangeCommit(node, exit.payload.commitHash))]
  // One refusal lists everything that is wrong, so the tests run beside what it may not change.
  if (problems.length > 0) {
    const left = await keepFiles(node, tree, from, putBack)
    const verified = await verify(node, step, { ...whatToVerify(node, left, 'claim'), once: true })
    return { problems: [...problems, ...claimProblems(verified)], putBack, ...seenOf(verified) }
  }
  const commit = await makeCommit(node, request)
  const verified = await verify(node, step, whatToVerify(node, commit, 'claim'))
  const wrong = claimProblems(verified)
  if (wrong.length > 0) return { problems: wrong, ...seenOf(verified) }
  const claim = { ...whatToVerify(node, commit, 'claim'), tree }
  const settings = await bentSettings(node, step, claim, { isAlone: false })
  if (settings) return settings
  await keepCommit(node, step, request, commit)
  return { problems: [], found: { commit, verified } }
}

/** `base` is the commit that the work is compared with. */
export function whatToVerify(node: Node, commit: string, purpose: string, base = node.state.base): ToVerify {
  const names = node.state.plan.map(({ plannedTestName }) => plannedTestName)
  return {
    commit,
    purpose,
    base,
    own: ownTestFiles(node),
    criteria: node.state.testedCriteria(),
    keep: node.state.kept(),
    ownTests: names.filter((name) => !node.state.hinted.includes(name)),
    newTests: node.state.plan
      .filter(({ criterionId }) => !node.state.kept().includes(criterionId))
      .map(({ plannedTestName }) => plannedTestName),
    hinted: names.filter((name) => node.state.hinted.includes(name)),
    named: node.state.named,
    planned: true,
    ...(node.state.scaffold?.contractSuite ? { contractSuite: node.state.scaffold.contractSuite } : {}),
    ...(node.state.dropped.length > 0 ? { forgiven: (test) => isOfDropped(node, test) } : {}),
  }
}

export function ownTestFiles(node: Node): string[] {
  return node.state.testFiles.length > 0 ? node.state.testFiles : []
}

/** Why a claim of passing tests does not hold, for the agent that made it: everything that was found, at once. */
export function claimProblems({ verdict, runs, output, failing, contract, broken }: Verified): Problem[] {
  if (verdict.verdict === 'passed') return []
  if (verdict.verdict === 'not-run') return [{ rule: 'VF4', message: 'no test was run' }]
  const turned = broken.map((name) => ({
    rule: 'VF4',
    message: `the test "${name}" passed before this work and fails now`,
  }))
  const last = runs.at(-1)!
  const isTurnedAlone = (step: CheckStep) => step === 'test' && failing.length === 0 && turned.length > 0
  const failed = checkSteps.filter((step) => last[step] && !isTurnedAlone(step))
  const problems = failed.map((step, index): Problem => {
    const names = step === 'test' ? failing : step === 'contract' ? contract.filter(isRed).map(({ name }) => name) : []
    const named = names.length === 0 ? '' : ` (${listed(names)})`
    const message = `${failureOf[step]} in a clean checkout${named}${index === 0 ? `:\n${output}` : ''}`
    return { rule: 'VF4', message, ...(names.length > 0 ? { tests: names.slice(0, 50) } : {}) }
  })
  return [...problems, ...turned]
}

function listed(names: readonly string[]): string {
  const more = names.length > mostListed ? `, and ${names.length - mostListed} more` : ''
  return names.slice(0, mostListed).join(', ') + more
}

const mostListed = 3

const failureOf: Record<CheckStep, string> = {
  setup: 'the set-up fails',
  build: 'it does not build',
  checks: 'a check of the test command fails',
  test: 'the tests do not pass',
  contract: 'the contract suite does not pass',
}

/** What was run, where no problem says it. */
export function seenOf({ output, broken, failing }: Verified): { seen?: string } {
  return broken.length > 0 && failing.length === 0 ? { seen: output } : {}
}
