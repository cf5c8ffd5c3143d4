/** API calls about plans. */
import type { PlanLine, PlanView } from '../../../../src/plan/view.ts'
import type { Budget } from '../../../../src/rules/budget/budget.ts'
import type { Estimate } from '../../../../src/rules/plan/estimate.ts'
import type { Mode } from '../../../../src/rules/plan/mode.ts'
import type { RiskAdvice } from '../../../../src/rules/plan/risk.ts'
import { request } from '../request.ts'

export interface PlanBody {
  id: string
  goal: string
  mode: Mode
  preset?: string
  yes: boolean
}

export interface PlanAdvice extends RiskAdvice {
  estimates: Estimate[]
}

/** The teams a plan can have, and the one that is taken where none is named. */
export interface Teams {
  presets: { name: string; description?: string }[]
  preset: string
}

export const listPlans = () => request<{ plans: PlanLine[] } & Teams>('/plans')

/** As it was at `seq`; `budget` is what its runs may use together. */
export const getPlan = (plan: string) => request<PlanView & { seq: number; budget?: Budget }>(`/plans/${name(plan)}`)

export const startPlan = (body: PlanBody) => request<{ id: string; plan: string }>('/plans', body)

export const advisePlan = (goal: string, preset?: string) =>
  request<PlanAdvice>('/plans/advice', { goal, ...(preset === undefined ? {} : { preset }) })

export const getPlanFolder = async (plan: string) =>
  (await request<{ folder: string }>(`/plans/${name(plan)}/report`)).folder

export const readPlanFile = async (plan: string, file: string) =>
  (await request<{ text: string }>(`/plans/${name(plan)}/files/${encodeURIComponent(file)}`)).text

const name = encodeURIComponent
