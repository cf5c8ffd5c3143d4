/** Merges a finished node into the branch above it: one at a time, verified before the branch moves. MG1–MG4. */
import type { StepContext } from '../kernel/engine.ts'
import { trailersOf } from '../rules/commit-message.ts'
import type { ChangeEntry, Exit, ExitPayload, ImpactLevel } from '../rules/exits.ts'
import { impact } from '../rules/impact.ts'
import { type MergeVerdict, mergeStyle, mergeVerdict } from '../rules/merge-verdict.ts'
import type { Problem } from '../rules/problem.ts'
import type { TestFacts } from '../rules/test-facts.ts'
import { shortName } from './branches.ts'
import { firstLine, messageOf } from './commit-work.ts'
import { mergeCompleted } from './events.ts'
import { leaveForecast } from './forecast.ts'
import { whatToVerify } from './implement.ts'
import { inspect, looksLikeTest } from './inspect.ts'
import { type Node, placeOf, whose } from './node.ts'
import { strangeCommit } from './scaffold.ts'
import { runTests, type Verified, verify } from './verify.ts'
import { isExit, workAt } from './work-at.ts'
import { factsAt, inProject } from './workshop.ts'

export interface Merged {
  commit: string
  impactLevel: ImpactLevel
  changes: ChangeEntry[]
}

export type MergeResult =
  | { kind: 'merged'; merged: Merged }
  | { kind: 'rejected'; exit: Exit<'MergeRejected'> }
  | { kind: 'exhausted'; problems: Problem[] }

type Tried = { merged: Merged } | { rejected: ExitPayload<'MergeRejected'> }

/** Expects the node to stand on the head of the branch that it is merged into, and the queue to be its own. */
export async function mergeNode(node: Node): Promise<MergeResult> {
  const tried = await node.run.step('merge', (step) => tryMerge(node, step, node.head))
  if ('merged' in tried) {
    leaveForecast(node)
    return { kind: 'merged', merged: tried.merged }
  }
  return askMerger(node, tried.rejected)
}

async function askMerger(node: Node, rejected: ExitPayload<'MergeRejected'>): Promise<MergeResult> {
  const held = await workAt<Tried>(node, {
    place: 'merger',
    kind: 'merge',
    role: 'merger',
    prompt: 'merge',
    values: {
      spec: node.spec,
      parent: node.input.parent?.spec.id ?? shortName(node.input.into),
      details: rejected.details,
      failingTests: rejected.failingTests,
    },
    thread: node.thread,
    from: node.head,
    check: async (step, exit, tree) => {
      if (!isExit(exit, 'MergeComplete')) return { problems: [] }
      const inspection = await inspect(node, 'merger', node.head, tree!)
      const problems = [...inspection.problems, ...(await strangeCommit(node, exit.payload.mergeCommit))]
      if (problems.length > 0) return { problems }
      const tried = await tryMerge(node, step, tree!)
      if ('merged' in tried) return { problems: [], found: tried }
      return { problems: [{ rule: 'MG2', message: tried.rejected.details }] }
    },
  })
  if ('exhausted' in held) return { kind: 'exhausted', problems: held.exhausted }
  if (isExit(held.exit, 'MergeRejected')) return { kind: 'rejected', exit: held.exit }
  if (!held.found || !('merged' in held.found)) return { kind: 'exhausted', problems: [] }
  leaveForecast(node)
  return { kind: 'merged', merged: held.found.merged }
}

/** `work` is the node's commit, or a tree in which a merger has joined the pieces. */
async function tryMerge(node: Node, step: StepContext, work: string): Promise<Tried> {
  const { shop, input } = node
  const { repository } = shop
  const mark = `Convene-Step: ${step.key}`
  const head = await repository.resolve(input.into)
  // A crash may have come between the branch's move and this step's record: the commit says whose it is.
  const earlier = head === null ? null : await mergedBefore(node, head, step.key)
  if (earlier) return { merged: await told(node, step, earlier.parent, earlier.hash) }
  const tree = await repository.treeOf(work)
  const parents = mergeStyle({ children: node.children.length }) === 'squash' ? [node.base] : [node.base, node.head]
  const subject = input.issue?.subject ?? `feat(${input.spec.id}): ${firstLine(input.spec.description)}`
  const message = messageOf(node, subject, authorsOf(node), [mark])
  const commit = await repository.commit({ tree, parents, message, at: node.around.clock.now() })
  const verdict = await verdictOn(node, step, commit, tree)
  if (!verdict.merged) {
    const { reason, details, failingTests } = verdict
    return { rejected: { reason, details, failingTests } }
  }
  const moved = await repository.updateRef(input.into, commit, head)
  if (!moved) {
    const details = `${shortName(input.into)} was moved by someone else while the merge was verified`
    return { rejected: { reason: 'IntegrationFailure', details, failingTests: [] } }
  }
  return { merged: await told(node, step, node.base, commit) }
}

async function verdictOn(node: Node, step: StepContext, commit: string, tree: string): Promise<MergeVerdict> {
  // The very same tree was verified for the claim already: running it again would tell nothing new.
  const seen =
    node.verified?.tree === tree ? node.verified : await verify(node, step, whatToVerify(node, commit, 'merge'))
  const last = seen.runs.at(-1) ?? {}
  const flaky = seen.verdict.verdict === 'passed'
  const facts = {
    ...(last.build === undefined ? {} : { build: last.build }),
    own: flaky ? 0 : (last.test ?? 1),
    ...(last.contract === undefined ? {} : { contract: flaky ? 0 : last.contract }),
    after: seen.tests,
    ownTests: seen.parsed ? node.plan.map(({ plannedTestName }) => plannedTestName) : [],
    pendingTests: [],
  }
  if (last.setup) {
    const details = `the set-up fails in the merged tree (exit code ${last.setup})`
    return { merged: false, reason: 'BuildFailure', details, failingTests: [] }
  }
  const verdict = mergeVerdict({ ...facts, before: await testsBefore(node, step, seen) })
  if (verdict.merged || !seen.output) return verdict
  return { ...verdict, details: `${verdict.details}\n${seen.output.slice(-3000)}` }
}

/** What was green on the branch before; only asked for where something is red now. */
async function testsBefore(node: Node, step: StepContext, seen: Verified): Promise<TestFacts[]> {
  const isRed = seen.tests.some(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
  if (!seen.parsed || !isRed) return []
  const { shop, input } = node
  const slot = await shop.worktrees.acquire(input.build, node.base)
  try {
    const tree = await shop.repository.treeOf(node.base)
    const ran = await runTests(node, step, slot, { commit: node.base, tree, purpose: 'before' })
    return ran.tests
  } finally {
    shop.worktrees.release(slot)
  }
}

/** MG3, from the syntax trees of what the merge touched; tests are nobody's interface. */
async function told(node: Node, step: StepContext, before: string, commit: string): Promise<Merged> {
  const { shop, input } = node
  const changes = await shop.repository.changes(before, commit)
  const files = changes.flatMap(({ path }) => inProject(shop, path) ?? []).filter((path) => !looksLikeTest(path))
  const found = impact(await factsAt(shop, before, files), await factsAt(shop, commit, files))
  const author = input.spec.id
  const { impactLevel, unparsed } = found
  step.emit(
    mergeCompleted.create(placeOf(node), {
      ...whose(node),
      into: shortName(input.into),
      mergeCommit: commit,
      author,
      impactLevel,
      changes: found.changes,
      unparsed,
    }),
  )
  return { commit, impactLevel, changes: found.changes }
}

async function mergedBefore(node: Node, head: string, key: string): Promise<{ hash: string; parent: string } | null> {
  for (const { hash, parents, body } of await node.shop.repository.commits(node.base, head)) {
    const isOurs = trailersOf(body).some((trailer) => trailer.key === 'Convene-Step' && trailer.value === key)
    if (isOurs) return { hash, parent: parents[0] ?? node.base }
  }
  return null
}

function authorsOf(node: Node): string[] {
  return (['scaffold', 'tdd', 'impl'] as const).map((role) => node.around.agentFor(role).name)
}
