/** The tree that a finished build leaves behind: without contract suites that nobody runs. MG5. */
import type { StepContext } from '../../kernel/engine.ts'
import { idleSuites } from '../../rules/merge/idle-suites.ts'
import { buildStream, scaffoldAccepted, warningGiven } from '../events.ts'
import { eventHeader, type Node } from '../node.ts'
import type { Verified } from '../verify.ts'
import { inProject, inRepository } from '../workspace.ts'

/** Of the root alone: while a build goes on, its suites still judge parts. */
export async function withoutIdleSuites(node: Node, step: StepContext, tree: string, seen: Verified): Promise<string> {
  const { deps, input, workspace, state } = node
  if (input.parent !== undefined) return tree
  const { repository, project } = workspace
  const accepted = await deps.store.read({ stream: buildStream(input.build), types: [scaffoldAccepted.type] })
  const suites = accepted.flatMap((event) => (scaffoldAccepted.is(event) ? (event.data.contractSuite ?? []) : []))
  if (suites.length === 0) return tree
  const changes = await repository.changes(state.base, tree)
  const idle = idleSuites({
    suites,
    added: changes.flatMap(({ path, status }) => (status === 'added' ? (inProject(workspace, path) ?? []) : [])),
    ran: seen.tests,
    names: seen.names,
    hasCommand: project.contract !== undefined,
  })
  if (idle.length === 0) return tree
  const text = `left out, because the test command does not run it: ${idle.join(', ')}`
  step.emit(warningGiven.create(eventHeader(node), { text }))
  return repository.treeWith(
    tree,
    idle.map((path) => ({ path: inRepository(workspace, path), from: state.base })),
  )
}
