/** API calls about plans. */
import type { BodyOf, ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type PlanAdvice = ResponseOf<'POST /api/plans/advice'>
/** The presets a plan can use, and the default one. */
export type Teams = Pick<ResponseOf<'GET /api/plans'>, 'presets' | 'preset'>

export const listPlans = () => call('GET /api/plans')

/** As of `seq`; `budget` limits the plan and its child runs together. */
export const getPlan = (plan: string) => call('GET /api/plans/:plan', { params: { plan } })

export const startPlan = (body: BodyOf<'POST /api/plans'>) => call('POST /api/plans', { body })

export const advisePlan = (goal: string, preset?: string) =>
  call('POST /api/plans/advice', { body: { goal, ...(preset === undefined ? {} : { preset }) } })

export const getPlanFolder = async (plan: string) =>
  (await call('GET /api/plans/:plan/report', { params: { plan } })).folder

export const readPlanFile = async (plan: string, file: string) =>
  (await call('GET /api/plans/:plan/files/:file', { params: { plan, file } })).text
