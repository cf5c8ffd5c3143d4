/** What the runs of a plan need from outside. */
import type { Prompts } from '../agents/prompts.ts'
import type { Agent } from '../kernel/agent.ts'
import type { AskSurroundings } from '../kernel/ask-in-run.ts'
import type { Attendance } from '../kernel/attendance.ts'
import type { Config } from '../kernel/config.ts'
import type { ProjectFacts } from './project-facts.ts'

export interface PlanSurroundings extends AskSurroundings {
  /** Who coordinates: writes syntheses, scores, issues. */
  coordinator(): Agent
  /** Who can sit on a panel, in order; parts are handed out round robin. */
  panel(): Agent[]
  /** Who reviews as an expert; the panel where nobody is named. */
  reviewers(): Agent[]
  prompts: Prompts
  settings: Config['plan']
  /** `.convene/plans/`. */
  folder: string
  /** What the repository says about itself, without a model. */
  facts(): Promise<ProjectFacts>
  attendance: Attendance
  countTokens(text: string): number
}
