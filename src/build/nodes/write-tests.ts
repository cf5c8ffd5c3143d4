/** The test author writes tests; Convene sees them fail before anything is implemented. VF2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { BackEdgeReason } from '../../rules/build/back-edge.ts'
import type { Exit, ExitPayload, PlannedTest } from '../../rules/build/exits.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { strangeReviews } from '../../rules/build/reviewed-criteria.ts'
import { findTests, type TestFacts } from '../../rules/build/test-facts.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { weakenedProblem } from '../../rules/evidence/outdated-tests.ts'
import { droppedTests, passedAtOnce } from '../../rules/evidence/planned-tests.ts'
import { complaints, redByExitCode } from '../../rules/evidence/red-by-exit-code.ts'
import { removedTests } from '../../rules/evidence/removed-tests.ts'
import { testsRed } from '../../rules/evidence/tests-red.ts'
import { withTypeTests } from '../../rules/evidence/type-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { FailedPart } from '../../workspace/test-results/test-run.ts'
import { describeTestRun, testsAt } from '../clean-checkout.ts'
import { complaintsSince, failedParts, isSamePart, meansOneOf, testsAtBase } from '../judge-tests.ts'
import type { TestResult } from '../kept-test-results.ts'
import type { Node } from '../node.ts'
import { describeReason } from '../reasons.ts'
import { testFilesAmong, typeTestsAt } from '../test-files.ts'
import { judgedTestsAt } from '../tests/judged-tests-at.ts'
import { oldTestsAt } from '../tests/old-tests.ts'
import { idleTests, sourcesOf, testsOfBase } from '../tests/solo-tests.ts'
import { withFilesOf } from '../tests/with-files-of.ts'
import { askUntilVerified, type CheckResult, isExit, type VerifiedReply } from '../work/ask-until-verified.ts'
import { keepCommit, makeCommit } from '../work/commit-work.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { untestedWork } from '../work/reviewed.ts'
import { unwrittenFiles } from '../work/unwritten-files.ts'
import { inProject, inRepository } from '../workspace.ts'
import { strangeCommit } from './scaffold.ts'

interface Tested {
  commit: string
  /** The commit on which the new tests failed. */
  red: string
  named: boolean
  /** The planned tests, under the names under which they ran. */
  found: PlannedTest[]
  hinted: string[]
  promised: { file: string; name: string }[]
  /** Tests of new criteria that passed before the code was written: others of their criterion failed, or the scaffold brings it. */
  passedBefore: string[]
  /** Planned tests of earlier rounds that it replaced. */
  dropped: PlannedTest[]
  /** After a review: those that passed on the code that it saw. */
  passedAtOnce: string[]
  /** The test files that were written, wherever they are. */
  testFiles: string[]
}

/** `planned` are the tests to write now; earlier ones exist already. */
export async function writeTests(
  node: Node,
  planned: readonly PlannedTest[],
  reason: BackEdgeReason | undefined,
  /** The ref for the commit: not the node's branch while children are being merged into that. */
  ref: string,
): Promise<VerifiedReply<Tested> | { exhausted: Problem[] }> {
  const wanted = planned.map(({ criterionId }) => criterionId)
  // A criterion that needs another test is not called covered.
  const covered = node.state.plan.map(({ criterionId }) => criterionId).filter((id) => !wanted.includes(id))
  const held = await askUntilVerified<Tested>(node, {
    place: 'tdd:write-tests',
    kind: 'write-tests',
    role: 'tdd',
    prompt: 'write-tests',
    values: {
      spec: node.state.spec,
      scaffold: node.state.scaffold,
      plan: planned,
      keep: node.state.kept(),
      reviewed: node.state.reviewed().map(({ id }) => id),
      covered: [...new Set(covered)],
      ...(reason ? { reason: describeReason(reason) } : {}),
    },
    thread: node.state.thread,
    memory: 'tdd',
    from: node.state.startOf('tdd'),
    check: (step, exit, tree) =>
      checkTests(node, step, exit, tree!, { planned, ref, isReviewed: reason?.kind === 'critique' }),
  })
  if (!('exhausted' in held) && isExit(held.exit, 'TestsReady')) {
    const { commit, ...seen } = held.found!
    const { keep, review, objection } = held.exit.payload
    node.state.testsWritten(planned, { head: commit, ...seen, keep: keep ?? [], review: review ?? [] })
    node.state.objected('The test author objects', objection)
  }
  return held
}

async function checkTests(
  node: Node,
  step: StepContext,
  exit: Exit,
  tree: string,
  { planned, ref, isReviewed }: { planned: readonly PlannedTest[]; ref: string; isReviewed: boolean },
): Promise<CheckResult<Tested>> {
  if (!isExit(exit, 'TestsReady')) return { problems: [] }
  const { workspace, deps } = node
  const { testFiles } = exit.payload
  const left = exit.payload.review ?? []
  const wanted = planned.filter(({ criterionId }) => !left.some((one) => one.criterionId === criterionId))
  const inspection = await inspectWorktree(node, 'tdd', node.state.head, tree, { testFiles })
  const { changes, paths } = inspection
  const removed = await removedFiles(node, changes)
  const putBack = { ...inspection.putBack, paths: [...inspection.putBack.paths, ...removed.map(({ path }) => path)] }
  const inTree = testFiles.map((path) => inRepository(workspace, path))
  const listed = await workspace.repository.listFiles(tree, inTree)
  const missing = testFiles.filter((_, index) => !listed.some((file) => isWithin(file, inTree[index]!)))
  const problems = [
    ...inspection.problems,
    ...(await strangeCommit(node, exit.payload.testsCommit)),
    ...missing.map((path) => ({ rule: 'VF2', message: 'a test file that does not exist', path })),
    ...removed.map(({ problem }) => problem),
    ...strangeReviews(node.state.spec.acceptanceCriteria, left),
    ...(left.length > 0 && wanted.length === 0 && node.state.plan.every((test) => planned.includes(test))
      ? await untestedWork(node, await workspace.repository.changes(node.state.base, tree), tree)
      : []),
  ]
  if (problems.length > 0) return { problems, putBack }
  const agent = deps.agentFor('tdd').name
  const request = { kind: 'test', tree, from: node.state.head, agent, changes }
  const commit = await makeCommit(node, request)
  const red = node.state.red === undefined ? commit : await withFilesOf(node, node.state.red, commit, paths)
  const files = [...new Set([...testFiles, ...(await testFilesAmong(node, tree, paths))])]
  const {
    problems: unseen,
    seen,
    ...result
  } = await seenRed(node, step, { red, planned: wanted, files, reply: exit.payload, changed: paths })
  const wrong = [...unseen, ...(await idleTests(node, tree, files))]
  if (wrong.length > 0) return { problems: wrong, ...(seen === undefined ? {} : { seen }) }
  await keepCommit(node, step, request, commit, ref)
  const passedAtOnce =
    isReviewed && result.named ? await passedOnCode(node, step, { commit, files, found: result.found }) : []
  return { problems: [], found: { commit, red, testFiles: files, passedAtOnce, ...result } }
}

/** GR3: what a review asks for may hold already, on the code that it saw. */
async function passedOnCode(
  node: Node,
  step: StepContext,
  { commit, files, found }: { commit: string; files: readonly string[]; found: readonly PlannedTest[] },
): Promise<string[]> {
  if (found.length === 0) return []
  const ran = await testsAt(node, step, { commit, purpose: 'review', isBuilt: true }, { paths: [...files] })
  return ran.names === 'reported' ? passedAtOnce(found, ran.tests) : []
}

/** Existing tests may not be removed: the merge would be refused (MG2), and no later place could restore them. */
async function removedFiles(
  { workspace, state: { base } }: Node,
  changes: readonly TreeChange[],
): Promise<{ path: string; problem: Problem }[]> {
  const gone = changes.filter(
    ({ path, status }) => status === 'deleted' && looksLikeTest(inProject(workspace, path) ?? path),
  )
  const old = await workspace.repository.listFiles(
    base,
    gone.map(({ path }) => path),
  )
  const message = 'tests that were there before may not be removed'
  return old.map((path) => ({ path, problem: { rule: 'VF3', message, path: inProject(workspace, path) ?? path } }))
}

interface RedRun extends Pick<Tested, 'named' | 'found' | 'hinted' | 'promised' | 'passedBefore' | 'dropped'> {
  problems: Problem[]
  /** What was run, in words. */
  seen?: string
}

async function seenRed(
  node: Node,
  step: StepContext,
  work: {
    red: string
    planned: readonly PlannedTest[]
    files: string[]
    reply: ExitPayload<'TestsReady'>
    changed: readonly string[]
  },
): Promise<RedRun> {
  const { red: commit, planned, files, changed } = work
  // Without new tests, a change may only have replaced those of an earlier round.
  const hasEarlier = changed.length > 0 && files.length > 0 && node.state.plan.length > 0
  if (planned.length === 0 && !hasEarlier) return { problems: [], ...unnamed(planned) }
  if (files.length === 0)
    return { problems: [{ rule: 'VF2', message: 'no test file was written' }], ...unnamed(planned) }
  return judgedTestsAt(node, step, { commit, purpose: 'red' }, files, (ran) => judgeRed(node, step, { ...work, ran }))
}

async function judgeRed(
  node: Node,
  step: StepContext,
  { red: commit, planned, files, reply, changed, ran }: Parameters<typeof seenRed>[2] & { ran: TestResult },
): Promise<RedRun> {
  const seen = describeTestRun(ran)
  const reformatted = (ran.rewritten ?? [])
    .map((path) => inProject(node.workspace, path) ?? path)
    .filter((path) => files.includes(path))
    .map((path) => ({
      rule: 'VF2',
      message: 'the test command rewrites it (a formatter?); leave it as the command does',
      path,
    }))
  if (reformatted.length > 0) return { problems: reformatted, ...unnamed(planned), seen }
  const keep = [...node.state.kept(), ...(reply.keep ?? []).map(({ criterionId }) => criterionId)]
  if (ran.names !== 'reported') {
    if (planned.length === 0) return { problems: [], ...unnamed(planned), seen }
    const areAllKept = planned.every(({ criterionId }) => keep.includes(criterionId))
    const problems = redByExitCode({
      exitCode: ran.exitCode,
      isEmpty: ran.isEmpty ?? false,
      areAllKept,
      failedPart: ran.failedPart,
      files,
      seen,
    })
    return { problems, ...unnamed(planned), seen }
  }
  const written = await unwrittenFiles(node, commit, ran.tests)
  const criteria = planned.map(({ criterionId }) => criterionId)
  const typed = await typeTestsAt(node.workspace, { commit, base: node.state.base }, files)
  const tests = withTypeTests(ran, typed, { criteria, keep })
  const dropped = droppedBy(node, { planned, files, ran: tests })
  const earlier = node.state.plan.filter((test) => !planned.includes(test) && !dropped.includes(test))
  const seenBefore = earlier.filter(({ plannedTestName }) => node.state.seenRed.includes(plannedTestName))
  const earlierRed = seenBefore.map(({ criterionId }) => criterionId)
  const edited = files.filter((path) => changed.includes(path))
  const before = (await testsOfBase(node, step, edited)) ?? []
  const facts = {
    planned,
    ran: tests,
    ...written,
    keep,
    seen: earlierRed,
    final: reply.tests ?? [],
    files,
    changed,
    before,
  }
  const onScaffold = testsRed(facts)
  const { problems, found, hinted, promised, passedBefore } = onScaffold.isTooGreen
    ? testsRed({ ...facts, onBase: await testsOnBase(node, step, commit, files, changed) })
    : onScaffold
  const left = [...found, ...earlier]
  const untested = dropped.filter(({ criterionId }) => !left.some((test) => test.criterionId === criterionId))
  const removed = untested.map(({ criterionId, plannedTestName }) => ({
    rule: 'VF2',
    message: `${plannedTestName} is gone, and no other test is planned for ${criterionId}: put it back`,
  }))
  const lint = await Promise.all(failedParts(ran).map((part) => complaintsAbout(node, step, part, files)))
  const lost = await removedCases(node, { commit, edited, before, ran: ran.tests })
  const { weakened } = await oldTestsAt(node, commit, edited)
  // One that is red now demands what is new.
  const isGreen = (title: string) => {
    const found = findTests(tests, title)
    return found.length > 0 && found.every(({ outcome }) => outcome === 'passed')
  }
  const isSaid = (path: string) => lost.some((one) => one.path === path)
  const less = weakened
    .filter(({ path, title }) => !isSaid(path) && isGreen(title))
    .map(({ path, title }) => weakenedProblem(title, path))
  const all = [...lost, ...less, ...problems, ...removed, ...lint.flat()]
  return { problems: all, named: true, found, hinted, promised, passedBefore, dropped, seen }
}

/** The scaffold may bring what a test checks, such as an export: such a test is red only where the scaffold is not. */
async function testsOnBase(
  node: Node,
  step: StepContext,
  red: string,
  files: readonly string[],
  changed: readonly string[],
): Promise<readonly TestFacts[]> {
  const commit = await withFilesOf(node, node.state.base, red, changed)
  const { names, tests } = await testsAt(node, step, { commit, purpose: 'before' }, { paths: [...files] })
  return names === 'reported' ? tests : []
}

async function removedCases(
  node: Node,
  {
    commit,
    edited,
    before,
    ran,
  }: { commit: string; edited: string[]; before: readonly TestFacts[]; ran: readonly TestFacts[] },
): Promise<Problem[]> {
  const { workspace, input } = node
  const isReliable = (test: TestFacts) => !workspace.seenTests.isUnreliable(input.build, test)
  return removedTests({ sources: await sourcesOf(node, commit, edited), before: before.filter(isReliable), ran })
}

function droppedBy(
  { state }: Node,
  { planned, files, ran }: { planned: readonly PlannedTest[]; files: readonly string[]; ran: readonly TestFacts[] },
): PlannedTest[] {
  const isEarlier = (test: PlannedTest) =>
    !planned.includes(test) &&
    state.seenRed.includes(test.plannedTestName) &&
    !state.hinted.includes(test.plannedTestName)
  const before = state.verified?.tests ?? []
  return droppedTests({ earlier: state.plan.filter(isEarlier), before, testFiles: state.testFiles, files, ran })
}

function unnamed(planned: readonly PlannedTest[]): Omit<RedRun, 'problems'> {
  return { named: false, found: [...planned], hinted: [], promised: [], passedBefore: [], dropped: [] }
}

/** What a linter says about the tests, and did not say on the base: nobody but their author can repair it. */
async function complaintsAbout(
  node: Node,
  step: StepContext,
  part: FailedPart,
  files: readonly string[],
): Promise<Problem[]> {
  const { base } = node.state
  const before = failedParts(await testsAtBase(node, step, base))
  if (!before.some((one) => isSamePart(one, part))) {
    const all = part.complaints?.length ? part.complaints.map(({ shown }) => shown) : [part.excerpt ?? '']
    return all.flatMap((seen) => complaints({ failedPart: part, files, seen })).slice(0, 1)
  }
  const fresh = await complaintsSince(node, step, { base, part, isChanged: meansOneOf(files, part) })
  return fresh.flatMap(({ shown }) => complaints({ failedPart: part, files, seen: shown })).slice(0, 1)
}
