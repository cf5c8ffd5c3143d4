/** Rebases a node's work onto what siblings merged. The sibling's version wins; only mechanical edits are accepted. RB1, RB2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { ChangeEntry, Exit, ExitPayload, ImpactLevel } from '../../rules/build/exits.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { trailersOf } from '../../rules/merge/commit-message.ts'
import { mechanical } from '../../rules/merge/mechanical.ts'
import { needsRebaser } from '../../rules/merge/merge-verdict.ts'
import { danglingImports, leftMarkers } from '../../rules/merge/rebase-left.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { problemText } from '../../rules/schema/problem-text.ts'
import { rebaseFinished, replyRefused } from '../events.ts'
import { eventHeader, type Node, subjectOf, testsOf } from '../node.ts'
import { type Verified, verify } from '../verify.ts'
import { askUntilVerified, type CheckResult, isExit } from '../work/ask-until-verified.ts'
import { keepCommit, makeCommit } from '../work/commit-work.ts'
import { impactBetween } from '../work/impact-between.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { factsAt, inProject, inRepository } from '../workspace.ts'
import { claimProblems, whatToVerify } from './implement.ts'
import { mergeKeepingBoth } from './merge-keeping-both.ts'
import { strangeCommit } from './scaffold.ts'

export type Rebased =
  | { kind: 'same' }
  | { kind: 'rebased'; exit: Exit<'RebaseClean' | 'RebaseAdapted'>; asked: boolean }
  | { kind: 'conflict'; exit: Exit<'RebaseConflict'>; onto: string }
  | { kind: 'exhausted'; problems: Problem[] }

interface SiblingChanges {
  head: string
  author: string
  impactLevel: ImpactLevel
  changes: ChangeEntry[]
}

/** Call it between two asks, when no agent is working on the node. */
export async function rebaseIfNeeded(node: Node): Promise<Rebased> {
  const { run } = node
  const news = await run.step('look at parent', () => siblingChanges(node))
  if (!news) return { kind: 'same' }
  const joined = await run.step('join with siblings', (step) => join(node, step, news))
  if (joined.commit !== null) {
    node.state.rebased(news.head, joined.commit)
    return { kind: 'rebased', exit: { name: 'RebaseClean', payload: { newBase: news.head } }, asked: false }
  }
  return askRebaser(node, news, joined)
}

/** What the parent's branch gained since the last rebase. Read from git: after a crash an event may be missing for its commit. */
async function siblingChanges(node: Node): Promise<SiblingChanges | null> {
  const { workspace, input } = node
  const { base } = node.state
  const head = await workspace.repository.resolve(input.into)
  if (head === null || head === base) return null
  const since = await workspace.repository.commits(base, head, { firstParent: true })
  const authors = since.flatMap(({ body }) => trailersOf(body).filter(({ key }) => key === 'Convene-Spec'))
  const author = [...new Set(authors.map(({ value }) => value))].join(', ') || 'someone else'
  const { impactLevel, changes } = await impactBetween(workspace, base, head)
  return { head, author, impactLevel, changes }
}

interface Joined {
  /** Null if a rebaser has to work on it first. */
  commit: string | null
  /** The commit the rebaser starts from: the merged tree, with conflict markers if there are conflicts. */
  start: string
  conflicts: string[]
}

async function join(node: Node, step: StepContext, news: SiblingChanges): Promise<Joined> {
  const { workspace, deps } = node
  const { repository } = workspace
  if (node.state.head === node.state.base) return { commit: news.head, start: news.head, conflicts: [] }
  const { tree, clashes: conflicts } = await mergeKeepingBoth(node, news.head, node.state.head)
  const changes = await repository.changes(node.state.head, tree)
  const parents = [node.state.head, news.head]
  const agent = deps.agentFor('rebaser').name
  const request = { kind: 'rebase', tree, from: node.state.head, agent, changes, parents }
  const start = await makeCommit(node, request)
  if (needsRebaser({ impact: news.impactLevel, conflict: conflicts.length > 0 }))
    return { commit: null, start, conflicts: conflicts.map((path) => inProject(workspace, path) ?? path) }
  await keepCommit(node, step, request, start)
  step.emit(finished(node, news, start, [], false))
  return { commit: start, start, conflicts: [] }
}

interface Found {
  commit: string
  /** Edits that were not mechanical: they turn the rebase into a conflict. */
  violations: Problem[]
  verified?: Verified
}

async function askRebaser(node: Node, news: SiblingChanges, { start, conflicts }: Joined): Promise<Rebased> {
  const held = await askUntilVerified<Found>(node, {
    place: 'rebaser',
    kind: 'rebase',
    role: 'rebaser',
    prompt: 'rebase',
    values: { spec: node.state.spec, event: news, conflicts },
    thread: node.state.thread,
    from: start,
    check: (step, exit, tree) => checkRebase(node, step, exit, tree!, news, start, conflicts),
  })
  if ('exhausted' in held) return { kind: 'exhausted', problems: held.exhausted }
  const { exit, found } = held
  if (isExit(exit, 'RebaseConflict')) return { kind: 'conflict', exit, onto: news.head }
  if (found!.violations.length > 0) {
    // A rebase that changed logic counts as a conflict.
    const refused = { ...subjectOf(node), kind: 'rebase', attempt: held.attempt, problems: found!.violations }
    await node.run.append(replyRefused.create(eventHeader(node), refused))
    const payload = semantic(node, conflicts, found!.violations)
    return { kind: 'conflict', exit: { name: 'RebaseConflict', payload }, onto: news.head }
  }
  node.state.rebased(news.head, found!.commit)
  if (found!.verified) node.state.verifiedAgain(found!.verified)
  return { kind: 'rebased', exit: exit as Exit<'RebaseClean' | 'RebaseAdapted'>, asked: true }
}

async function checkRebase(
  node: Node,
  step: StepContext,
  exit: Exit,
  tree: string,
  news: SiblingChanges,
  start: string,
  conflicts: string[],
): Promise<CheckResult<Found>> {
  if (isExit(exit, 'RebaseConflict')) return { problems: [] }
  const { workspace, deps } = node
  const given = isExit(exit, 'RebaseClean') || isExit(exit, 'RebaseAdapted') ? exit.payload.newBase : null
  const inspection = await inspectWorktree(node, 'rebaser', start, tree)
  const problems = [
    ...(await markersIn(node, news, tree, [...conflicts, ...inspection.paths])),
    ...inspection.problems,
    ...(await strangeCommit(node, given)),
  ]
  if (problems.length > 0) return { problems, putBack: inspection.putBack }
  const { dangling, violations } = await editsOf(node, news, tree, [...conflicts, ...inspection.paths])
  if (dangling.length > 0) return { problems: dangling }
  const changes = await workspace.repository.changes(node.state.head, tree)
  const agent = deps.agentFor('rebaser').name
  const request = { kind: 'rebase', tree, from: node.state.head, agent, changes, parents: [node.state.head, news.head] }
  const commit = await makeCommit(node, request)
  if (violations.length > 0) return { problems: [], found: { commit, violations } }
  // RebaseClean claims that the tests are still green.
  const isClaim = isExit(exit, 'RebaseClean') && node.state.verified !== undefined
  const verified = isClaim ? await verify(node, step, whatToVerify(node, commit, 'rebase', news.head)) : undefined
  const wrong = verified ? claimProblems(verified) : []
  if (wrong.length > 0)
    return {
      problems: wrong.map((one) => ({ rule: 'RB1', message: `RebaseClean does not hold: ${problemText(one)}` })),
    }
  await keepCommit(node, step, request, commit)
  step.emit(finished(node, news, commit, conflicts, true))
  return { problems: [], found: { commit, violations, ...(verified ? { verified } : {}) } }
}

/** Checks the conflicting files, and those the rebaser changed, for conflict markers. */
async function markersIn(
  { workspace, state: { head } }: Node,
  news: SiblingChanges,
  tree: string,
  files: readonly string[],
): Promise<Problem[]> {
  const wanted = [...new Set(files)]
  const paths = wanted.map((file) => inRepository(workspace, file))
  const [after, ours, theirs] = await Promise.all(
    [tree, head, news.head].map((at) => workspace.repository.readFiles(at, paths)),
  )
  const textIn = (texts: typeof after, path: string) => texts?.get(path)?.toString('utf8')
  return leftMarkers(
    wanted.flatMap((file, index) => {
      const path = paths[index]!
      const text = textIn(after, path)
      const sides = [ours, theirs].flatMap((texts) => textIn(texts, path) ?? [])
      return text === undefined ? [] : [{ file, text, sides }]
    }),
  )
}

/**
 * RB1 and RB2, on the syntax trees of every file that either side, or the rebase, changed. Tests may follow a changed
 * signature.
 */
async function editsOf(
  node: Node,
  news: SiblingChanges,
  tree: string,
  /** What was in conflict, and what the rebaser changed beyond that: the rest is git's merge. */
  edited: readonly string[],
): Promise<{ dangling: Problem[]; violations: Problem[] }> {
  const { workspace } = node
  const { repository } = workspace
  const changed = await Promise.all([
    repository.changes(node.state.base, node.state.head),
    repository.changes(node.state.base, news.head),
    repository.changes(news.head, tree),
  ])
  const files = [...new Set(changed.flat().flatMap(({ path }) => inProject(workspace, path) ?? []))]
  const [base, before, canon, after] = await Promise.all(
    [node.state.base, node.state.head, news.head, tree].map((at) => factsAt(workspace, at, files)),
  )
  const { violations } = mechanical({ base, before: before!, canon, after: after!, announced: news.changes })
  return {
    dangling: danglingImports({ base: base!, canon: canon!, after: after! }),
    violations: violations
      .filter(({ file }) => edited.includes(file))
      .map(({ file, symbol, why }) => ({ rule: 'RB2', message: `${symbol}: ${why}`, path: file })),
  }
}

function semantic(node: Node, conflicts: string[], violations: Problem[]): ExitPayload<'RebaseConflict'> {
  const found = violations.map(({ path, message }) => `${path}: ${message}`)
  return {
    conflictFile: conflicts[0] ?? violations[0]?.path ?? node.input.spec.targetPath,
    ourChange: 'the work of this node.',
    theirChange: 'what the sibling merged.',
    whyUnresolvable: `The rebase changed more than names, imports and signatures [RB2]: ${found.join('; ')}.`,
  }
}

function finished(node: Node, news: SiblingChanges, commit: string, conflicts: string[], adapted: boolean) {
  const { impactLevel, head } = news
  return rebaseFinished.create(eventHeader(node), {
    ...subjectOf(node),
    onto: head,
    commit,
    impactLevel,
    conflicts,
    adapted,
  })
}

/**
 * Gives up the node's code: returns the sibling's tree plus those of this node's tests that do not conflict with it. The
 * node is then scaffolded again on top of that.
 */
export async function giveWay(node: Node, step: StepContext, onto: string): Promise<string> {
  const { workspace, deps } = node
  const { repository } = workspace
  const theirs = await repository.changes(node.state.base, onto)
  const ours = await repository.changes(node.state.base, node.state.head)
  const isTaken = (path: string) => theirs.some((change) => change.path === path)
  const isTest = (path: string) => {
    const own = inProject(workspace, path)
    return own !== null && (looksLikeTest(own) || testsOf(node).some((test) => isWithin(own, test)))
  }
  const kept = ours
    .filter(({ path }) => isTest(path) && !isTaken(path))
    .map(({ path }) => ({ path, from: node.state.head }))
  if (kept.length === 0) return onto
  const tree = await repository.treeWith(await repository.treeOf(onto), kept)
  const changes = await repository.changes(onto, tree)
  const request = { kind: 'rebase', tree, from: onto, agent: deps.agentFor('rebaser').name, changes }
  const commit = await makeCommit(node, request)
  await keepCommit(node, step, request, commit)
  return commit
}
