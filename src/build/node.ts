/** What is known of a node while its run goes through the graph: rebuilt from the journal after a restart. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { Run } from '../kernel/engine.ts'
import type { EventPlace } from '../kernel/events.ts'
import type { ExitPayload, PlannedTest } from '../rules/build/exits.ts'
import { type Counts, type GraphLimits, noCounts } from '../rules/build/graph.ts'
import type { Spec } from '../rules/build/spec.ts'
import { keptCriteria } from '../rules/build/tree.ts'
import { nodeBranch } from './branches.ts'
import type { BuildDeps } from './deps.ts'
import { buildStream } from './events.ts'
import type { MergedChild, NodeInput } from './node-input.ts'
import type { Verified } from './verify.ts'
import type { ProjectWorkspace } from './workspace.ts'

export interface Node {
  readonly run: Run
  readonly deps: BuildDeps
  readonly workspace: ProjectWorkspace
  readonly input: NodeInput
  readonly branch: string
  readonly caps: GraphLimits
  /** Less the criteria that were dropped. */
  spec: Spec
  /** The commit of the parent's branch that the work stands on. */
  base: string
  /** The work so far. */
  head: string
  counts: Counts
  /** The planning conversation: what test author and implementer start from (GR9). */
  thread: AgentMessage[]
  scaffold?: ExitPayload<'InitWork'>
  /** Planned tests of the criteria it keeps, with those that reviews added. */
  plan: PlannedTest[]
  testFiles: string[]
  /** The commit whose tests were seen red: the scaffold with the tests, and nothing implemented. */
  red?: string
  /** Names of the tests that were seen red. */
  seenRed: string[]
  /** Whether the runner tells tests by name. */
  named: boolean
  /** The last verification that held, and the tree it holds for. */
  verified?: Verified
  children: MergedChild[]
  /** Criteria of failed children that fall to this node. */
  takenOver: string[]
  dropped: string[]
  /** How often its implementer was asked, where that is counted over the whole build. */
  tries: number
  /** What a person said, until the next exit. */
  guidance?: string
}

export function openNode(run: Run, deps: BuildDeps, workspace: ProjectWorkspace, input: NodeInput): Node {
  const { again, kept } = input
  const earlier = again ?? kept
  return {
    run,
    deps,
    workspace,
    input,
    branch: nodeBranch(input.feature, input.path),
    caps: { ...deps.settings.caps, ...input.caps },
    spec: input.spec,
    base: kept?.base ?? input.base,
    head: kept?.head ?? input.base,
    counts: again?.counts ?? noCounts,
    thread: earlier?.thread ?? [],
    ...(earlier ? { scaffold: earlier.scaffold } : {}),
    plan: earlier?.plan ?? [],
    testFiles: earlier?.testFiles ?? [],
    ...(kept?.red === undefined ? {} : { red: kept.red }),
    seenRed: kept?.seenRed ?? again?.plan.map(({ plannedTestName }) => plannedTestName) ?? [],
    named: earlier?.named ?? false,
    children: [],
    takenOver: [],
    dropped: [],
    tries: 0,
    ...(input.guidance === undefined ? {} : { guidance: input.guidance }),
  }
}

export const nodeId = ({ input }: Node) => input.spec.id

/** As far as its events say whose they are. */
export interface Whose {
  run: Pick<Run, 'runId'>
  input: Pick<NodeInput, 'build' | 'feature' | 'path'> & { spec: Pick<Spec, 'id'> }
}

/** Where a node's events belong. */
export function placeOf({ input, run }: Whose, actor?: string): EventPlace {
  return {
    stream: buildStream(input.build),
    run: run.runId,
    feature: input.feature,
    ...(actor === undefined ? {} : { actor }),
  }
}

/** Whose fact it is. */
export const whose = ({ input }: Whose) => ({ node: input.spec.id, path: input.path })

/** The criteria that it tests and implements itself. */
export function ownCriteria({ spec, scaffold, takenOver }: Node): string[] {
  return keptCriteria(spec.acceptanceCriteria, scaffold?.childSpecs ?? [], takenOver).map(({ id }) => id)
}

/** Interface files that this node's implementer, and everyone below it, finds fixed. */
export function interfacesOf(node: Node): string[] {
  const own = node.scaffold
    ? [node.scaffold.interfaceFile, ...(node.scaffold.interfaces ?? []).map((one) => one.path)]
    : []
  return [...new Set([...own, ...(node.input.parent?.interfaces ?? [])])]
}

/** Test files and folders that an implementer may not touch: its own and those above. */
export function testsOf(node: Node): string[] {
  const own = [node.input.spec.testPath, ...node.testFiles, ...(node.scaffold ? [node.scaffold.contractSuite] : [])]
  return [...new Set([...own, ...(node.input.parent?.tests ?? [])])]
}
