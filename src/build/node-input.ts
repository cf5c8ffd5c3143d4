/** The input of a node's run: its spec, its position in the tree, and what it starts from. */
import type { AgentMessage, AskKind } from '../kernel/agent.ts'
import type { ChangeEntry, Critique, ExitPayload, KeptCriterion, PlannedTest } from '../rules/build/exits.ts'
import type { Counts, GraphLimits } from '../rules/build/graph.ts'
import type { Spec } from '../rules/build/spec.ts'
import type { KnownAtStart } from '../rules/context/commands-in-force.ts'

export interface NodeInput {
  /** The run at the root of the build. */
  build: string
  feature: string
  spec: Spec
  /** Ids from the root to this node. */
  path: string[]
  /** The commit of the parent's branch that it starts from. */
  base: string
  /** The commit that the user had when the work began, if that is another: set-up is compared with it (TR3). */
  ground?: string
  /** The user's branch, if one agent builds alone: a repair that is committed there moves the work (VF4). */
  target?: string
  /** The branch that it is merged into. */
  into: string
  /** What the system prompt of every agent in the build says. */
  system: KnownAtStart | string
  parent?: ParentInput
  dependsOn?: string[]
  /** What a parent or a person tells a node that is retried; it says who. */
  guidance?: string
  /** Paths that a person allowed it to edit (VF3). */
  allowed?: readonly string[]
  /** A merged child that its parent sends back to its tests. */
  again?: SentBackWork
  /** A failed child that is retried: its accepted work is kept (GR3). */
  kept?: KeptWork
  /** `<feature>#<n>`, for a build that implements an issue, and its title. */
  issue?: { name: string; title: string; smart: boolean; isTargetGuessed?: boolean }
  /** A part of such a build: its commits name the issue too. */
  issueTrailer?: string
  /** Caps that override the project's settings. */
  caps?: Partial<GraphLimits>
  /** Fail instead of asking a person when the node is stuck. */
  unattended?: boolean
}

/** The conversation of one role over a node's life. `told` are the kinds of task that it has been given. */
export interface RoleThread {
  messages: AgentMessage[]
  /** The same conversation with its tool calls and results, by reference. */
  ref?: string
  told: AskKind[]
}

/** The test author is also the reviewer: it remembers the tests it wrote. */
export type RoleThreads = Partial<Record<'scaffold' | 'tdd' | 'impl', RoleThread>>

export interface ParentInput {
  run: string
  spec: Spec
  path: string[]
  /** Interface files of this parent and those above it. */
  interfaces: string[]
  /** Contract suites and tests of the nodes above, which this node may not change. */
  tests: string[]
  /** The parent's planning conversation, for judging this child. */
  thread: AgentMessage[]
}

/** What is known of a node once its tests are accepted. */
interface TestedWork {
  scaffold: ExitPayload<'InitWork'>
  thread: AgentMessage[]
  threads?: RoleThreads
  plan: PlannedTest[]
  testFiles: string[]
  hinted?: string[]
  keep?: KeptCriterion[]
  review?: KeptCriterion[]
  named: boolean
}

export interface SentBackWork extends TestedWork {
  counts: Counts
  critiques: Critique[]
  additionalTests: PlannedTest[]
}

/** The accepted work of a failed node. */
export interface KeptWork extends TestedWork {
  /** Where the retry starts, and why. */
  place: 'tdd:write-tests' | 'impl'
  why: string
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
  | {
      status: 'merged'
      commit: string
      changes: ChangeEntry[]
      impactLevel: string
      again: SentBackWork
      /** The commit that it stands on, if a repair moved it there. */
      movedOnto?: string
    }
  /** Given up: a cap was reached, an exit said so, or a person decided. */
  | {
      status: 'failed'
      reason: string
      exit: string
      capped?: string
      detail: string
      kept?: KeptWork
      /** Why nothing is kept. */
      fromScratch?: string
      /** Paths that were put back, and that a person may allow. */
      mayAllow?: readonly string[]
    }
