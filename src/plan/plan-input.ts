/** The input and result of a plan. */
import type { Mode } from '../rules/plan/mode.ts'

export interface GivenAnswer {
  /** Part of the question's text. */
  match: string
  answer: string
}

export interface PlanInput {
  /** Names its folder below `.convene/plans/`. */
  plan: string
  feature: string
  goal: string
  mode: Mode
  /** RK4: why `auto` chose the mode. */
  sizing?: string
  /** RK4: the request is not scored. */
  small?: boolean
  preset?: string
  answers: GivenAnswer[]
  /** Continue with stated assumptions instead of asking. */
  yes: boolean
  /** Replies about the goal from the room it came from. */
  heard?: { agent: string; text: string }[]
}

export interface PlanResult {
  status: 'done' | 'failed'
  reason?: string
  plan: string
  feature: string
  folder: string
  degraded: boolean
  issues: number
  assumptions: string[]
  /** RV5: contradictions that nobody has settled. Absent in plans of an earlier version. */
  contradictions?: string[]
  /** PH6: HIGH and MEDIUM questions that nobody has answered. */
  open_questions?: string[]
}
