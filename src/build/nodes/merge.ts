/** Merges a finished node into the branch above it: one at a time, verified before the branch moves. MG1–MG4. */
import { posix } from 'node:path'
import type { StepContext } from '../../kernel/engine.ts'
import type { ChangeEntry, Exit, ExitPayload, ImpactLevel } from '../../rules/build/exits.ts'
import { type TestFacts, testKey } from '../../rules/build/test-facts.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { isRed } from '../../rules/evidence/claimed-tests.ts'
import { subjectStyle } from '../../rules/merge/commit-subject.ts'
import { type MergeVerdict, mergeStyle, mergeVerdict } from '../../rules/merge/merge-verdict.ts'
import { writeMessage } from '../../rules/merge/write-message.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { moveBranch } from '../../workspace/merge/move-branch.ts'
import { integrationBranch, shortName } from '../branches.ts'
import { buildStream, mergeCompleted, taskPut, warningGiven } from '../events.ts'
import { testsAtBase } from '../judge-tests.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { isOfDropped } from '../tests/tested-criteria.ts'
import { type Verified, verify } from '../verify.ts'
import { askUntilVerified, isExit } from '../work/ask-until-verified.ts'
import { commitOfStep, messageOf, stepMark } from '../work/commit-work.ts'
import { leaveForecast } from '../work/forecast.ts'
import { impactBetween } from '../work/impact-between.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { withoutIdleSuites } from '../work/without-idle-suites.ts'
import { inProject } from '../workspace.ts'
import { whatToVerify } from './implement.ts'
import { strangeCommit } from './scaffold.ts'

export interface Merged {
  commit: string
  impactLevel: ImpactLevel
  changes: ChangeEntry[]
}

export type MergeResult =
  | { kind: 'merged'; merged: Merged }
  | { kind: 'rejected'; exit: Exit<'MergeRejected'> }
  | { kind: 'exhausted'; problems: Problem[] }
  /** A sibling was merged first: the node has to rebase and retry. */
  | { kind: 'overtaken' }

type MergeAttempt =
  | { merged: Merged }
  | { rejected: ExitPayload<'MergeRejected'> }
  | { overtaken: true }
  /** A person has the branch checked out, with changes that are in the way. */
  | { hindered: string }

/** Requires that the node is based on the head of the target branch and holds its merge queue. */
export async function mergeNode(node: Node): Promise<MergeResult> {
  let isTriedNow = false
  const tried = await node.run.step('merge', (step) => {
    isTriedNow = true
    return tryMerge(node, step, node.state.head)
  })
  if ('merged' in tried) {
    leaveForecast(node)
    return { kind: 'merged', merged: tried.merged }
  }
  if ('hindered' in tried) await waitForCheckout(node, tried.hindered, isTriedNow)
  if ('rejected' in tried) return askMerger(node, tried.rejected)
  return { kind: 'overtaken' }
}

/** MG4: keeps the work on the node's branch and parks the run; `resume` tries the merge again. */
async function waitForCheckout({ run, deps }: Node, detail: string, isTriedNow: boolean): Promise<void> {
  await run.step('merge refused', (step) =>
    isTriedNow
      ? deps.parking.park(run, step, { code: 'dirty_checkout', message: `dirty_checkout: ${detail}` })
      : undefined,
  )
}

async function askMerger(node: Node, rejected: ExitPayload<'MergeRejected'>): Promise<MergeResult> {
  let isTriedNow = false
  const held = await askUntilVerified<MergeAttempt>(node, {
    place: 'merger',
    kind: 'merge',
    role: 'merger',
    prompt: 'merge',
    values: {
      spec: node.state.spec,
      parent: node.input.parent?.spec.id ?? shortName(node.input.into),
      details: rejected.details,
      failingTests: rejected.failingTests,
    },
    thread: node.state.thread,
    from: node.state.head,
    check: async (step, exit, tree) => {
      if (!isExit(exit, 'MergeComplete')) return { problems: [] }
      const inspection = await inspectWorktree(node, 'merger', node.state.head, tree!)
      const problems = [...inspection.problems, ...(await strangeCommit(node, exit.payload.mergeCommit))]
      if (problems.length > 0) return { problems, putBack: inspection.putBack }
      isTriedNow = true
      const tried = await tryMerge(node, step, tree!)
      if (!('rejected' in tried)) return { problems: [], found: tried }
      return { problems: [{ rule: 'MG2', message: tried.rejected.details }] }
    },
  })
  if ('exhausted' in held) return { kind: 'exhausted', problems: held.exhausted }
  if (isExit(held.exit, 'MergeRejected')) return { kind: 'rejected', exit: held.exit }
  if (held.found && 'hindered' in held.found) await waitForCheckout(node, held.found.hindered, isTriedNow)
  if (!held.found || !('merged' in held.found)) return { kind: 'overtaken' }
  leaveForecast(node)
  return { kind: 'merged', merged: held.found.merged }
}

/** `work` is the node's commit, or the tree a merger made. */
async function tryMerge(node: Node, step: StepContext, work: string): Promise<MergeAttempt> {
  const { workspace, input } = node
  const { repository } = workspace
  const head = await repository.resolve(input.into)
  const earlier = head === null ? null : await commitOfStep(node, node.state.base, head, step.key)
  if (earlier) return { merged: await recordMerge(node, step, earlier.parent, earlier.hash) }
  // Queues live in memory: after a restart a sibling may have been merged since this node last rebased.
  if (head !== null && head !== node.state.base) return { overtaken: true }
  const tree = await repository.treeOf(work)
  const parents =
    mergeStyle({ children: node.state.children.length }) === 'squash'
      ? [node.state.base]
      : [node.state.base, node.state.head]
  const message = messageOf(node, await inOwnStyle(node), await authorsOf(node), [stepMark(step)])
  const commitOf = (tree: string) => repository.commit({ tree, parents, message, at: node.deps.clock.now() })
  const whole = await commitOf(tree)
  const { verdict, seen } = await verdictOn(node, step, whole, tree)
  if (!verdict.merged) {
    const { reason, details, failingTests } = verdict
    return { rejected: { reason, details, failingTests } }
  }
  const left = await withoutIdleSuites(node, step, tree, seen)
  const commit = left === tree ? whole : await commitOf(left)
  const moved = await moveTo(node, step, commit, head)
  if (moved.kind === 'refused') return { hindered: moved.detail }
  // The branch moved meanwhile, perhaps by a git process that outlived a killed Convene.
  if (moved.kind === 'elsewhere') return tryMerge(node, step, work)
  return { merged: await recordMerge(node, step, node.state.base, commit) }
}

/** MG1: subject and body as the repository's own commits have them, from the issue's or the spec's title. */
async function inOwnStyle({ workspace, input, state }: Node): Promise<string> {
  const { spec, issue } = input
  const subjects = await workspace.repository.subjects(state.base, recentCommits)
  return writeMessage({
    title: issue?.title ?? spec.description.trim().split('\n')[0]!,
    description: spec.description,
    criteria: state.spec.acceptanceCriteria,
    summary: state.summary,
    style: subjectStyle(subjects),
    area: posix.basename(spec.targetPath).replace(/\..*$/, '') || spec.id,
  })
}

const recentCommits = 60

/** A person may have the feature's branch checked out, so it moves together with the checkout. */
async function moveTo({ workspace, input }: Node, { recovered }: StepContext, to: string, from: string | null) {
  const ref = input.into
  if (ref === integrationBranch(input.feature)) return moveBranch(workspace.repository, { ref, to, from, recovered })
  const isMoved = await workspace.repository.updateRef(ref, to, from)
  return { kind: isMoved ? ('moved' as const) : ('elsewhere' as const) }
}

async function verdictOn(
  node: Node,
  step: StepContext,
  commit: string,
  tree: string,
): Promise<{ verdict: MergeVerdict; seen: Verified }> {
  // The claim verified the same tree already.
  const seen =
    node.state.verified?.tree === tree
      ? node.state.verified
      : await verify(node, step, whatToVerify(node, commit, 'merge'))
  const last = seen.runs.at(-1) ?? {}
  const holds = seen.verdict.verdict === 'passed'
  const forgiven = seen.tests.filter((test) => isRed(test) && isOfDropped(node, test))
  const facts = {
    ...(last.build === undefined ? {} : { build: last.build }),
    own: holds ? 0 : (last.test ?? 1),
    ...(last.contract === undefined ? {} : { contract: holds ? 0 : last.contract }),
    ...(last.checks && !holds && seen.tests.length === 0 ? { checks: last.checks } : {}),
    after: seen.tests,
    // A claim that holds has seen each of them pass.
    ownTests: holds || seen.names !== 'reported' ? [] : node.state.plan.map(({ plannedTestName }) => plannedTestName),
    excused: seen.excused.map(({ test }) => test),
    pendingTests: forgiven.map(testKey),
    outdated: node.state.outdated,
    isUnreliable: (test: TestFacts) => node.workspace.seenTests.isUnreliable(node.input.build, test),
  }
  if (last.setup) {
    const details = `the set-up fails in the merged tree (exit code ${last.setup})`
    return { verdict: { merged: false, reason: 'BuildFailure', details, failingTests: [] }, seen }
  }
  const verdict = mergeVerdict({ ...facts, before: await testsBefore(node, step, seen) })
  if (verdict.merged && forgiven.length > 0) {
    const text = `tests of criteria that were dropped stay red: ${forgiven.map(testKey).join(', ')}`
    step.emit(warningGiven.create(eventHeader(node), { text }))
  }
  if (verdict.merged || !seen.output) return { verdict, seen }
  return { verdict: { ...verdict, details: `${verdict.details}\n${seen.output}` }, seen }
}

/** The tests before the merge; needed only if a test is red now or may have disappeared. */
async function testsBefore(node: Node, step: StepContext, seen: Verified): Promise<TestFacts[]> {
  const { workspace } = node
  const changes = await workspace.repository.changes(node.state.base, seen.tree)
  const mayLack = changes.some(
    ({ path, status }) => status !== 'added' && looksLikeTest(inProject(workspace, path) ?? path),
  )
  if (seen.names !== 'reported' || !(seen.tests.some(isRed) || mayLack)) return []
  return (await testsAtBase(node, step, node.state.base)).tests
}

async function recordMerge(node: Node, step: StepContext, before: string, commit: string): Promise<Merged> {
  const { workspace, input } = node
  const { impactLevel, changes, unparsed } = await impactBetween(workspace, before, commit)
  const author = input.spec.id
  step.emit(
    mergeCompleted.create(eventHeader(node), {
      ...subjectOf(node),
      into: shortName(input.into),
      mergeCommit: commit,
      author,
      impactLevel,
      changes,
      unparsed,
    }),
  )
  return { commit, impactLevel, changes }
}

/** MG1: the agents that were asked to write something for this node. */
async function authorsOf({ deps, input }: Node): Promise<string[]> {
  const asked = await deps.store.read({ stream: buildStream(input.build), types: [taskPut.type] })
  const isHere = (path: readonly string[]) => path.join('/') === input.path.join('/')
  return asked.flatMap((event) =>
    taskPut.is(event) && isHere(event.data.path) && writingKinds.has(event.data.kind) ? [event.data.agent] : [],
  )
}

const writingKinds = new Set(['scaffold', 'write-tests', 'implement', 'merge', 'rebase'])
