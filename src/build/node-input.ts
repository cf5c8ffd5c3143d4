/** What one node of the build graph is given: its spec, where it stands in the tree, and what it starts from. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { ChangeEntry, Critique, ExitPayload, PlannedTest } from '../rules/build/exits.ts'
import type { Counts, GraphLimits } from '../rules/build/graph.ts'
import type { Spec } from '../rules/build/spec.ts'

export interface NodeInput {
  /** The run at the root of the build. */
  build: string
  feature: string
  spec: Spec
  /** Ids from the root, this one's the last. */
  path: string[]
  /** The commit of the parent's branch that it starts from. */
  base: string
  /** The branch that it is merged into. */
  into: string
  /** What every agent of the build is told first. */
  system: string
  parent?: ParentInput
  dependsOn?: string[]
  /** What a parent or a person says to a node that starts again. */
  guidance?: string
  /** A merged child that its parent sends back to its tests. */
  again?: SentBackWork
  /** A failed child that is tried again: what was accepted of its work stands (GR3). */
  kept?: KeptWork
  /** `<feature>#<n>`, for a build that implements an issue, and the subject of its top commit. */
  issue?: { name: string; subject: string; smart: boolean }
  /** A part of such a build: its commits name the issue too. */
  issueTrailer?: string
  /** Where the loops end, where that is not the project's own setting. */
  caps?: Partial<GraphLimits>
  /** Nobody is asked when it is stuck: the failure is for whoever started it. */
  unattended?: boolean
}

export interface ParentInput {
  run: string
  spec: Spec
  path: string[]
  /** Interface files of this parent and those above it. */
  interfaces: string[]
  /** Contract suites and tests above: nobody below may touch them. */
  tests: string[]
  /** The parent's planning conversation, for its judge. */
  thread: AgentMessage[]
}

export interface SentBackWork {
  scaffold: ExitPayload<'InitWork'>
  thread: AgentMessage[]
  plan: PlannedTest[]
  testFiles: string[]
  named: boolean
  counts: Counts
  critiques: Critique[]
  additionalTests: PlannedTest[]
}

/** What stands of a node that failed. */
export interface KeptWork {
  /** Where it goes on, and why it is there again. */
  place: 'tdd:write-tests' | 'impl'
  why: string
  scaffold: ExitPayload<'InitWork'>
  thread: AgentMessage[]
  plan: PlannedTest[]
  testFiles: string[]
  named: boolean
  seenRed: string[]
  red?: string
  base: string
  head: string
}

export interface MergedChild {
  id: string
  symbols: string[]
  changes: ChangeEntry[]
}

export type NodeOutcome =
  | { status: 'merged'; commit: string; changes: ChangeEntry[]; impactLevel: string; again: SentBackWork }
  /** Given up: by a cap, by an exit that says so, or by a person. */
  | {
      status: 'failed'
      reason: string
      exit: string
      capped?: string
      detail: string
      kept?: KeptWork
      /** Why nothing is kept. */
      fromScratch?: string
    }
