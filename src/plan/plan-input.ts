/** What a plan is started with. */
import type { Mode } from '../rules/plan/mode.ts'

export interface GivenAnswer {
  /** A part of the question it is for. */
  match: string
  answer: string
}

export interface PlanInput {
  /** Names its folder below `.convene/plans/`. */
  plan: string
  feature: string
  goal: string
  mode: Mode
  preset?: string
  answers: GivenAnswer[]
  /** Goes on with stated assumptions instead of asking. */
  yes: boolean
  /** What was said about the goal before, in the room it came from. */
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
}
