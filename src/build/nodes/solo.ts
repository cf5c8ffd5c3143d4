/** The solo strategy: one agent writes interface, tests and code of a small spec; the same evidence is required. SPEC.md § GR, VF. */
import type { Run, StepContext } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { type BackEdgeReason, backEdgeReason, refusal, refusedApproval } from '../../rules/build/back-edge.ts'
import type { Exit, KeptCriterion } from '../../rules/build/exits.ts'
import { nextStep } from '../../rules/build/graph.ts'
import { strangeReviews } from '../../rules/build/reviewed-criteria.ts'
import { importsInQuestion, type UnsafeImport } from '../../rules/build/unsafe-imports.ts'
import { type ApprovalFacts, approvalProblems } from '../../rules/build/verification.ts'
import { type OutdatedTest, outdatedTests } from '../../rules/evidence/outdated-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { problemText } from '../../rules/schema/problem-text.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { BuildDeps } from '../deps.ts'
import { observerOf } from '../issue-observer.ts'
import type { Node } from '../node.ts'
import { openNode } from '../node.ts'
import type { NodeInput, NodeOutcome } from '../node-input.ts'
import { describeReason, exitDetail } from '../reasons.ts'
import { forTestsAmong, testFilesAmong } from '../test-files.ts'
import type { Lost } from '../tests/baseline-tests.ts'
import { oldTestsAt } from '../tests/old-tests.ts'
import { bentTests, idleTests, soloRed, untested } from '../tests/solo-tests.ts'
import { type Verified, verify } from '../verify.ts'
import { approveImports } from '../work/approve-imports.ts'
import { askUntilVerified, type CheckResult, isExit } from '../work/ask-until-verified.ts'
import { bentSettings } from '../work/bent-settings.ts'
import { keepCommit, makeCommit } from '../work/commit-work.ts'
import { capReason, escalate, type Trouble } from '../work/escalate.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { keepFiles } from '../work/keep-files.ts'
import { ownCodeFacts } from '../work/own-code-facts.ts'
import { untestedWork } from '../work/reviewed.ts'
import { inRepository } from '../workspace.ts'
import { claimProblems, countedAttempts, retryReason, seenOf, tellOf } from './implement.ts'
import { mergeNode } from './merge.ts'
import { rebaseIfNeeded } from './rebase.ts'
import { strangeCommit } from './scaffold.ts'
import { reviewSolo, type SoloReview } from './solo-review.ts'

interface Built {
  commit: string
  testFiles: string[]
  verified?: Verified
  /** The number of tests it wrote, if the runner names them. */
  written?: number
  /** Their names. */
  tests?: string[]
  keep?: KeptCriterion[]
  review?: KeptCriterion[]
  /** Imports that a person has to decide about. */
  unsafe?: UnsafeImport[]
  /** Tests that were there before and fail in their old version, with its reasons. */
  outdated?: OutdatedTest[]
}

export async function buildSolo(run: Run, deps: BuildDeps, input: NodeInput): Promise<NodeOutcome> {
  const node = openNode(run, deps, await deps.workspace(), input)
  let reason: BackEdgeReason | undefined
  for (;;) {
    const outcome = await oneGo(node, reason)
    const { base } = node.input
    if ('status' in outcome)
      return outcome.status === 'merged' && base !== input.base ? { ...outcome, movedOnto: base } : outcome
    reason = outcome.reason
  }
}

async function oneGo(
  node: Node,
  reason: BackEdgeReason | undefined,
): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { head } = node.state
  let left = node.state.startOf('impl')
  const held = await askUntilVerified<Built>(
    node,
    {
      place: 'impl',
      kind: 'implement',
      role: 'impl',
      prompt: 'implement-alone',
      values: {
        spec: node.state.spec,
        ...(reason?.kind === 'critique' ? { critiques: reason.critiques, additional: reason.additionalTests } : {}),
        ...(reason && reason.kind !== 'critique' ? { reason: describeReason(reason) } : {}),
      },
      thread: [],
      memory: 'impl',
      open: ['SpecAmbiguity', 'BlockedDependency'],
      from: left,
      ...countedAttempts(node),
      check: (step, exit, tree) => checkAlone(node, step, exit, tree!),
    },
    (exit, found, attempt) => {
      const reason = retryReason(node, exit, attempt)
      if (reason === null) return null
      left = found?.commit ?? left
      return { from: left, reason }
    },
  )
  node.state.dropGuidance()
  node.state.countAttempts('exhausted' in held ? node.caps.attempts : held.attempt)
  // The agent has not seen the last refusal.
  if ('exhausted' in held) return usedUp(node, held.exhausted, refusal(held.exhausted))
  const { exit, found } = held
  node.state.attemptsRefused(held.past)
  if (!isExit(exit, 'TestsPassed')) {
    if (found) node.state.leftUnfinished('impl', found.commit)
    return notDone(node, exit, held.attempt)
  }
  node.state.implemented(found!.commit, found!.verified, found!.testFiles)
  tellOf(node, exit.payload, { hasChanged: found!.commit !== head, isReviewed: reason?.kind === 'critique' })
  node.state.callOutdated(found!.outdated ?? [])
  node.state.keepCriteria(found!.keep ?? [])
  node.state.leaveToReviewer(found!.review ?? [])
  await observerOf(node)?.testsWritten(node, found!.written || (found!.verified?.tests.length ?? 0))
  const unwanted = await approveImports(node, found!.unsafe ?? [])
  // Counts as a review that asks for more: an agent that keeps them is not asked for ever.
  if (unwanted.length > 0)
    return reviewed(node, { exit: refusedApproval(unwanted, node.input.spec.testPath), reason: refusal(unwanted) })
  const review = await reviewSolo(node, {
    commit: found!.commit,
    tests: found!.tests ?? [],
    outdated: found!.outdated ?? [],
  })
  if (review.kind === 'exhausted') return usedUp(node, review.problems)
  if (review.kind === 'sent-back') return reviewed(node, review)
  if (review.kind === 'rejected') return rejected(node, review.exit)
  await observerOf(node)?.implemented(node)
  return merged(node)
}

/** The review asks for more: the same agent goes on, up to the cap on reviews (GR4). */
async function reviewed(
  node: Node,
  { exit, reason }: Omit<Extract<SoloReview, { kind: 'sent-back' }>, 'kind'>,
): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { caps } = node
  node.state.countExit('tdd:review', exit.name)
  const { capped } = nextStep({ node: 'tdd', mode: 'review', exit: exit.name, counts: node.state.counts }, caps)
  if (!capped) return { reason }
  node.state.resetCount('reviews')
  const detail = exitDetail(exit)
  return trouble(node, { reason: capReason(capped, caps[capped]), exit: exit.name, capped, detail }, reason)
}

/** Unattended, a rejection is a failed attempt like any other. */
async function rejected(node: Node, exit: Exit<'Reject'>): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { reason: why } = exit.payload
  const problems = [{ rule: 'GR1', message: `the review rejects it: ${why}` }]
  if (node.input.unattended && node.state.attempts < node.caps.attempts) {
    const advice = await observerOf(node)?.attemptFailed(node, { attempt: node.state.attempts, problems, last: false })
    if (advice?.stop !== undefined) return usedUp(node, [{ rule: 'FA1', message: advice.stop }, ...problems])
    node.state.guide(advice?.guidance)
    return { reason: refusal(problems) }
  }
  const detail = exitDetail(exit)
  return trouble(node, { reason: `Reject: ${why}`, exit: 'Reject', detail }, refusal(problems))
}

async function merged(node: Node): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { run, deps, input } = node
  const leave = await deps.queues.enter(input.into, run.runId)
  try {
    for (;;) {
      const rebased = await rebaseIfNeeded(node)
      if (rebased.kind === 'exhausted') return await usedUp(node, rebased.problems)
      if (rebased.kind === 'conflict') {
        // There is no separate scaffold: the agent starts again on the new base.
        node.state.gaveWay(rebased.onto, rebased.onto)
        return { reason: backEdgeReason(rebased.exit) }
      }
      const result = await mergeNode(node)
      if (result.kind === 'overtaken') continue
      if (result.kind === 'merged') {
        const { commit, changes, impactLevel } = result.merged
        return { status: 'merged', commit, changes, impactLevel, again: nothingAgain(node) }
      }
      if (result.kind === 'exhausted') return await usedUp(node, result.problems)
      return await sentBack(node, result.exit)
    }
  } finally {
    leave()
  }
}

function usedUp(node: Node, problems: readonly Problem[], next?: BackEdgeReason) {
  const { attempts } = node.caps
  const detail = problems.map(problemText).join('\n')
  const what = { reason: capReason('attempts', attempts), exit: 'Stuck', capped: 'attempts', detail }
  return trouble(node, what, next)
}

/** A rejected merge is built again, up to the same cap as in the graph (GR4). */
async function sentBack(node: Node, exit: Exit<'MergeRejected'>): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { caps } = node
  node.state.countExit('merger', exit.name)
  const { capped } = nextStep({ node: 'merger', exit: exit.name, counts: node.state.counts }, caps)
  if (!capped) return { reason: backEdgeReason(exit) }
  node.state.resetCount('merges')
  const what = {
    reason: capReason(capped, caps[capped]),
    exit: exit.name,
    capped,
    detail: exitDetail(exit),
  }
  return trouble(node, what, backEdgeReason(exit))
}

/** There is no scaffold to send an ambiguity back to, so it goes to a person. */
function notDone(node: Node, exit: Exit, attempt: number): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const { caps } = node
  const decision = nextStep({ node: 'impl', exit: exit.name as 'Stuck', attempt }, caps)
  const question = isExit(exit, 'SpecAmbiguity') ? exit.payload.question : undefined
  const capped = decision.capped
  return trouble(node, {
    reason: capped ? capReason(capped, caps[capped]) : `${decision.exit}: ${wordsOf(exit)}`,
    exit: decision.exit,
    detail: exitDetail(exit),
    ...(capped ? { capped } : {}),
    ...(question ? { question } : {}),
  })
}

/** `next` is what the agent is told if the person wants another attempt. */
async function trouble(
  node: Node,
  what: Trouble,
  next?: BackEdgeReason,
): Promise<NodeOutcome | { reason?: BackEdgeReason }> {
  const ruling = await escalate(node, { ...what, mayAllow: node.state.mayAllow() })
  const { reason, exit, capped, detail } = what
  if (ruling.kind === 'give-up')
    return { status: 'failed', reason: `given up: ${reason}`, exit, detail, ...(capped ? { capped } : {}) }
  node.state.answeredBy(ruling)
  return next ? { reason: next } : {}
}

async function checkAlone(node: Node, step: StepContext, exit: Exit, tree: string): Promise<CheckResult<Built>> {
  const from = node.state.head
  const { workspace, deps } = node
  // Compared with the base: its earlier attempts, and work that a merge sent back, count as its own.
  const inspection = await inspectWorktree(node, 'solo', node.state.base, tree)
  const since = from === node.state.base ? inspection.changes : await workspace.repository.changes(from, tree)
  const request = { kind: 'impl', tree, from, agent: deps.agentFor('impl').name, changes: since }
  const testFiles = await testFilesAmong(node, tree, inspection.paths)
  // An attempt that ends otherwise keeps its files, except those that the agent may not touch.
  if (!isExit(exit, 'TestsPassed')) {
    const commit = await keepFiles(node, tree, from, inspection.putBack)
    return { problems: [], putBack: inspection.putBack, found: { commit, testFiles } }
  }
  const facts = await ownCodeFacts(node, inspection.changes, tree)
  const left = exit.payload.review ?? []
  const reviewed = [...node.state.reviewed().map(({ id }) => id), ...left.map(({ criterionId }) => criterionId)]
  const criteria = node.state.ownCriteria().filter((id) => !reviewed.includes(id))
  const problems = [
    ...inspection.problems,
    ...(await idleTests(node, tree, testFiles)),
    ...unfinished(facts),
    ...(await strangeCommit(node, exit.payload.commitHash)),
    ...(await unwritten(node, tree)),
    ...strangeReviews(node.state.spec.acceptanceCriteria, left),
    ...(testFiles.length > 0 ? [] : await withoutTests(node, criteria, inspection.changes, tree)),
  ]
  const { putBack } = inspection
  if (testFiles.length === 0 && problems.length > 0) return { problems, putBack }
  // One refusal lists everything that is wrong, so the tests run beside what it may not change.
  const commit = problems.length > 0 ? await keepFiles(node, tree, from, putBack) : await makeCommit(node, request)
  const moved = exit.payload.keep ?? []
  const keep = [...node.state.kept(), ...moved.map(({ criterionId }) => criterionId)]
  const support = forTestsAmong(node, inspection.paths)
  const red = await soloRed(node, step, commit, { testFiles, support, keep, criteria })
  problems.push(...red.problems)
  const own = { own: testFiles, ownTests: red.names, hinted: red.hinted, named: red.names.length > 0 }
  const claim = { commit, purpose: 'claim', base: node.state.base, criteria, keep, ...own }
  const verified = await verify(node, step, { ...claim, once: problems.length > 0 })
  const wrong = claimProblems(verified)
  problems.push(...wrong)
  const written = { tree, testFiles, criteria, newAmong: red.newAmong }
  const { problems: lacking, skipped, tests, isTested } = await untested(node, step, written, verified)
  problems.push(...(wrong.length === 0 ? lacking : skipped))
  // A test file that was edited brings no test.
  const isLeft = testFiles.length > 0 && criteria.length === 0 && wrong.length === 0 && !isTested
  if (isLeft) problems.push(...(await untestedWork(node, inspection.changes, tree)))
  const bent: Lost =
    problems.length === 0
      ? await bentTests(node, step, commit, { changes: inspection.changes, outdated: exit.payload.outdated ?? [] })
      : { tests: [] }
  const isNew = (id: string) => criteria.includes(id) && !keep.includes(id)
  // Whether they would pass as they were was only seen where the old ones ran.
  const { weakened } = problems.length === 0 ? await oldTestsAt(node, commit, testFiles) : { weakened: [] }
  const old = outdatedTests(bent.tests, exit.payload.outdated ?? [], criteria.filter(isNew), weakened)
  problems.push(...old.problems)
  if (problems.length > 0) {
    const seen = bent.seen ?? seenOf(verified).seen ?? (red.problems.length > 0 ? red.seen : undefined)
    return { problems, putBack, ...(seen === undefined ? {} : { seen }) }
  }
  const settings = await bentSettings(node, step, { ...claim, tree }, { isAlone: true })
  if (settings) return settings
  await keepCommit(node, step, request, commit)
  const unsafe = importsInQuestion(facts.after, facts.before, deps.settings.allowed_imports)
  const found = {
    commit,
    testFiles,
    verified,
    written: tests.length,
    tests,
    keep: moved,
    review: left,
    unsafe,
    outdated: old.outdated,
  }
  return { problems: [], found }
}

/** Only work that changes nothing but documents or types, and whose criteria are all left to the reviewer, has no test. */
async function withoutTests(
  node: Node,
  criteria: readonly string[],
  changes: readonly TreeChange[],
  tree: string,
): Promise<Problem[]> {
  if (criteria.length === 0) return untestedWork(node, changes, tree)
  return [{ rule: 'VF5', message: `no test was written; they go to ${node.input.spec.testPath}` }]
}

/** In the graph stubs are refused when the review approves; here, before the review. */
function unfinished(facts: Pick<ApprovalFacts, 'after' | 'before'>): Problem[] {
  return approvalProblems({ criteria: [], coverage: [], ran: [], ...facts })
}

async function unwritten({ workspace, input }: Node, tree: string): Promise<Problem[]> {
  const { targetPath } = input.spec
  if (input.issue?.isTargetGuessed) return []
  const written = await workspace.repository.listFiles(tree, [inRepository(workspace, targetPath)])
  return written.length > 0 ? [] : [{ rule: 'VF5', message: 'the file to be written does not exist', path: targetPath }]
}

function nothingAgain(node: Node) {
  const scaffold = { interfaceFile: node.input.spec.targetPath, contractSuite: node.input.spec.testPath, testPlan: [] }
  return {
    scaffold,
    thread: [],
    plan: [],
    testFiles: [],
    named: false,
    counts: node.state.counts,
    critiques: [],
    additionalTests: [],
  }
}

function wordsOf(exit: Exit): string {
  if (isExit(exit, 'Stuck')) return exit.payload.diagnosis
  if (isExit(exit, 'BlockedDependency')) return `${exit.payload.missingSymbol} is missing`
  if (isExit(exit, 'SpecAmbiguity')) return exit.payload.question
  throw new ConveneError('internal', `${exit.name} does not end a build`, { exitCode: 1 })
}
