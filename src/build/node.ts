/** A node of the build graph in its run: its dependencies and its state. */
import type { Run } from '../kernel/engine.ts'
import type { EventHeader } from '../kernel/events.ts'
import type { GraphLimits } from '../rules/build/graph.ts'
import type { Spec } from '../rules/build/spec.ts'
import { nodeBranch } from './branches.ts'
import type { BuildDeps } from './deps.ts'
import { buildStream } from './events.ts'
import type { NodeInput } from './node-input.ts'
import { NodeState } from './node-state.ts'
import type { ProjectWorkspace } from './workspace.ts'

export interface Node {
  readonly run: Run
  readonly deps: BuildDeps
  readonly workspace: ProjectWorkspace
  readonly input: NodeInput
  readonly branch: string
  readonly caps: GraphLimits
  readonly state: Readonly<NodeState>
}

export function openNode(run: Run, deps: BuildDeps, workspace: ProjectWorkspace, input: NodeInput): Node {
  return {
    run,
    deps,
    workspace,
    input,
    branch: nodeBranch(input.feature, input.path),
    caps: { ...deps.settings.caps, ...input.caps },
    state: new NodeState(input),
  }
}

/** The work stands on a commit of the user's from here on, as if the user had had it from the start. */
export function moveOnto(node: Node, base: string): void {
  const open: { input: NodeInput } = node
  open.input = { ...node.input, base, ground: base }
  node.state.rebased(base, base)
}

/** What it takes to name the node an event is about. */
export interface EventSubject {
  run: Pick<Run, 'runId'>
  input: Pick<NodeInput, 'build' | 'feature' | 'path'> & { spec: Pick<Spec, 'id'> }
}

/** The header of an event about a node. */
export function eventHeader({ input, run }: EventSubject, actor?: string): EventHeader {
  return {
    stream: buildStream(input.build),
    run: run.runId,
    feature: input.feature,
    ...(actor === undefined ? {} : { actor }),
  }
}

/** The node an event is about, as event data. */
export const subjectOf = ({ input }: EventSubject) => ({ node: input.spec.id, path: input.path })

/** Interface files that are fixed for this node's implementer and everyone below it. */
export function interfacesOf({ state: { scaffold }, input }: Node): string[] {
  const own = scaffold ? [scaffold.interfaceFile, ...(scaffold.interfaces ?? []).map((one) => one.path)] : []
  return [...new Set([...own, ...(input.parent?.interfaces ?? [])])]
}

/** The contract suite, if the scaffold has one. */
export function suitesOf(scaffold: { contractSuite?: string | null } | undefined): string[] {
  return scaffold?.contractSuite ? [scaffold.contractSuite] : []
}

/** Test files and folders that an implementer may not touch: its own and those above. */
export function testsOf({ state: { scaffold, testFiles }, input }: Node): string[] {
  const own = [input.spec.testPath, ...testFiles, ...suitesOf(scaffold)]
  return [...new Set([...own, ...(input.parent?.tests ?? [])])]
}
