/** What the runs of a plan need from outside. */
import type { Prompts } from '../agents/prompts/prompts.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { Engine } from '../kernel/engine.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { TokenPrice } from '../rules/plan/estimate.ts'
import type { Staff } from './plan-settings.ts'
import type { ProjectFacts } from './project-facts.ts'

export interface PlanDeps extends AskDeps {
  /** Null where the configuration no longer has one of that name. */
  agent(name: string): Agent | null
  /** Who coordinates (syntheses, scores, issues), who sits on panels in turn, who reviews as an expert. */
  staff(): Staff
  /** What a token costs on average; absent where a price is not known. */
  price?: TokenPrice
  prompts: Prompts
  settings: Config['plan']
  /** What the tree of runs that a plan belongs to may use. */
  budget: Config['budget']
  /** `.convene/plans/`. */
  folder: string
  /** What the repository says about itself, without a model. */
  facts(): Promise<ProjectFacts>
  /** Whether anything else in the project goes by this name: in the log, on a branch or in a commit. */
  isFeatureTaken(feature: string): Promise<boolean>
  /** What is recorded of runs: a fork of a plan reads what it took over. */
  journal: Pick<Engine, 'steps' | 'get'>
  activity: RunActivity
  countTokens(text: string): number
}
