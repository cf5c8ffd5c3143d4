/** Commits what an agent left in its worktree, with the run, node, spec and criteria in the commit's trailers. */
import type { StepContext } from '../../kernel/engine.ts'
import { trailersOf } from '../../rules/merge/commit-message.ts'
import { mergeTrailers } from '../../rules/merge/merge-verdict.ts'
import { shortSubject } from '../../rules/merge/short-subject.ts'
import { workCommitted } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { inProject } from '../workspace.ts'
import { forecastConflicts } from './forecast.ts'
import type { Inspection } from './inspect-worktree.ts'

export interface CommitRequest {
  kind: string
  tree: string
  /** The commit it is made on. */
  from: string
  agent: string
  changes: Inspection['changes']
  parents?: string[]
}

/** Creates the commit without moving a branch. If nothing changed, returns the commit it started from. */
export async function makeCommit(node: Node, request: CommitRequest): Promise<string> {
  const { workspace, deps, input } = node
  const { tree, from, kind, parents } = request
  if (request.changes.length === 0 && !parents) return from
  const message = messageOf(
    node,
    `${kind}(${input.spec.id}): ${shortSubject(input.spec.description.trim().split('\n')[0]!, 60)}`,
    [request.agent],
  )
  return workspace.repository.commit({ tree, parents: parents ?? [from], message, at: deps.clock.now() })
}

/** Accepts a commit: moves the branch to it, and emits the event and the forecast. */
export async function keepCommit(
  node: Node,
  step: StepContext,
  { kind, tree, from, changes, parents }: CommitRequest,
  commit: string,
  /** Null if a branch has it already. */
  ref: string | null = node.branch,
): Promise<void> {
  if (commit === from) return
  const { workspace } = node
  if (ref !== null) await workspace.repository.setRef(ref, commit)
  const files = changes.map(({ path, status }) => ({ path: inProject(workspace, path) ?? path, status }))
  step.emit(workCommitted.create(eventHeader(node), { ...subjectOf(node), kind, commit, tree, parent: from, files }))
  // A rebase commit has the new base as its second parent.
  await forecastConflicts(node, step, commit, parents?.[1])
}

/**
 * Adds a commit to the node's branch while parts are being merged into that, without losing theirs. Returns the branch's
 * new head, or null if both changed the same lines.
 */
export async function landCommit(node: Node, step: StepContext, commit: string, from: string): Promise<string | null> {
  const { repository } = node.workspace
  for (;;) {
    const head = (await repository.resolve(node.branch)) ?? from
    const earlier = await commitOfStep(node, from, head, step.key)
    if (earlier) return earlier.hash
    let landed = commit
    if (head !== from) {
      const { tree, conflicts } = await repository.merge(head, commit)
      if (conflicts.length > 0) return null
      if (tree === (await repository.treeOf(head))) return head
      const message = messageOf(node, `${node.input.spec.id} goes on with its parts`, [], [stepMark(step)])
      landed = await repository.commit({ tree, parents: [head, commit], message, at: node.deps.clock.now() })
    }
    if (await repository.updateRef(node.branch, landed, head)) return landed
  }
}

/** The trailer that says which step made a commit that moved a branch. */
export const stepMark = ({ key }: StepContext) => `Convene-Step: ${key}`

/** Finds the commit of a step that moved the branch but crashed before it was recorded. */
export async function commitOfStep(
  { workspace }: Node,
  from: string,
  head: string,
  key: string,
): Promise<{ hash: string; parent: string } | null> {
  for (const { hash, parents, body } of await workspace.repository.commits(from, head, { firstParent: true })) {
    const isOurs = trailersOf(body).some((trailer) => trailer.key === 'Convene-Step' && trailer.value === key)
    if (isOurs) return { hash, parent: parents[0] ?? from }
  }
  return null
}

export function messageOf(node: Node, subject: string, agents: readonly string[], more: string[] = []): string {
  const { input } = node
  const trailers = mergeTrailers({
    run: input.build,
    node: input.path.join('/'),
    spec: input.spec.id,
    criteria: node.state.spec.acceptanceCriteria.map(({ id }) => id),
    ...(issueOf(node) ? { issue: issueOf(node) } : {}),
  })
  const authors = [...new Set(agents)].map((agent) => `Co-authored-by: ${agent} <${mailbox(agent)}@agents.invalid>`)
  return `${subject}\n\n${[...trailers, ...more, ...authors].join('\n')}\n`
}

function mailbox(agent: string): string {
  return agent.replace(/[^A-Za-z0-9._-]/g, '-')
}

function issueOf({ input }: Node): string | undefined {
  return input.issue?.name ?? input.issueTrailer
}
