/** Dependencies of the plan floor's runs. */
import type { Prompts } from '../agents/prompts/prompts.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { Engine } from '../kernel/engine.ts'
import type { ReadableSource } from '../kernel/project-source.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { TokenPrice } from '../rules/plan/estimate.ts'
import type { Staff } from './plan-settings.ts'
import type { ProjectFacts } from './project-facts.ts'

export interface PlanDeps extends AskDeps {
  /** Null if the configuration no longer has an agent of that name. */
  agent(name: string): Agent | null
  /** The coordinator (syntheses, scores, issues), the panel and the expert reviewers. */
  staff(): Staff
  /** The average price of a token; absent if a price is unknown. */
  price?: TokenPrice
  prompts: Prompts
  settings: Config['plan']
  /** The budget of the tree of runs a plan belongs to. */
  budget: Config['budget']
  /** `.convene/plans/`. */
  folder: string
  /** What agents read of the project. */
  source: ReadableSource
  /** Facts about the repository, gathered without a model. */
  facts(): Promise<ProjectFacts>
  /** RK4: the code files of the last commit that are no tests. */
  sources(): Promise<readonly string[]>
  /** RK4: of these names, those that the project has. */
  known(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Whether the log, a branch or a commit already uses this name. */
  isFeatureTaken(feature: string): Promise<boolean>
  /** Recorded steps of runs; a fork reads those of its original. */
  journal: Pick<Engine, 'steps' | 'get'>
  activity: RunActivity
  countTokens(text: string): number
}
