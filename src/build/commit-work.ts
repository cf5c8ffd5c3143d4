/** The orchestrator commits: what an agent left becomes a commit, with where it came from written into it. */
import type { StepContext } from '../kernel/engine.ts'
import { mergeTrailers } from '../rules/merge-verdict.ts'
import { oneLine } from '../rules/one-line.ts'
import { workCommitted } from './events.ts'
import { forecastConflicts } from './forecast.ts'
import type { Inspection } from './inspect.ts'
import { type Node, placeOf, whose } from './node.ts'
import { inProject } from './workshop.ts'

export interface CommitRequest {
  kind: string
  tree: string
  /** The commit it is made on. */
  from: string
  agent: string
  changes: Inspection['changes']
  parents?: string[]
}

/** Makes the commit; no branch knows it yet. Where nothing changed it is the one that it started from. */
export async function makeCommit(node: Node, request: CommitRequest): Promise<string> {
  const { shop, around, input } = node
  const { tree, from, kind, parents } = request
  if (request.changes.length === 0 && !parents) return from
  const message = messageOf(node, `${kind}(${input.spec.id}): ${firstLine(input.spec.description)}`, [request.agent])
  return shop.repository.commit({ tree, parents: parents ?? [from], message, at: around.clock.now() })
}

/** The work holds: a branch keeps it, and others are told. */
export async function keepCommit(
  node: Node,
  step: StepContext,
  { kind, tree, from, changes }: CommitRequest,
  commit: string,
  ref = node.branch,
): Promise<void> {
  if (commit === from) return
  const { shop } = node
  await shop.repository.setRef(ref, commit)
  const files = changes.map(({ path, status }) => ({ path: inProject(shop, path) ?? path, status }))
  step.emit(workCommitted.create(placeOf(node), { ...whose(node), kind, commit, tree, parent: from, files }))
  await forecastConflicts(node, step, commit)
}

export function messageOf(node: Node, subject: string, agents: readonly string[], more: string[] = []): string {
  const { input } = node
  const trailers = mergeTrailers({
    run: input.build,
    node: input.path.join('/'),
    spec: input.spec.id,
    criteria: node.spec.acceptanceCriteria.map(({ id }) => id),
    ...(issueOf(node) ? { issue: issueOf(node) } : {}),
  })
  const authors = [...new Set(agents)].map((agent) => `Co-authored-by: ${agent} <${mailbox(agent)}@agents.invalid>`)
  return `${subject}\n\n${[...trailers, ...more, ...authors].join('\n')}\n`
}

export function firstLine(text: string): string {
  return oneLine(text, 60)
}

function mailbox(agent: string): string {
  return agent.replace(/[^A-Za-z0-9._-]/g, '-')
}

function issueOf({ input }: Node): string | undefined {
  return input.issue?.name ?? input.issueTrailer
}
