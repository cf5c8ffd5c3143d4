/** The dependencies of a build's runs. */
import type { Prompts } from '../agents/prompts/prompts.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { Semaphore } from '../kernel/semaphore.ts'
import type { BuildRole } from '../rules/build/staffing.ts'
import type { IssueObserver } from './issue-observer.ts'
import type { MergeQueues } from './merge-queues.ts'
import type { ProjectWorkspace } from './workspace.ts'

export interface BuildDeps extends AskDeps {
  agentFor(role: BuildRole): Agent
  /** Why that agent has the role (GR13). */
  groundsFor(role: BuildRole): string
  prompts: Prompts
  settings: Config['build']
  /** The repository, its worktrees and commands; opened on first use, since not every project builds. */
  workspace(): Promise<ProjectWorkspace>
  /** Whether the parts of a build may run on other machines: their commits travel by a common repository. */
  isSpread: boolean
  /** Limits how many agents work at once. */
  semaphore: Semaphore
  queues: MergeQueues
  activity: RunActivity
  /** Ends the parts of a run that are still working; their results are no longer needed. */
  endParts(run: string): Promise<void>
  /** Set if the build implements an issue: receives failed attempts and advises on the next one. */
  issueObserver?: IssueObserver
  countTokens(text: string): number
}
