/** Routes for plans. Browser-safe. */
import { z } from 'zod'
import type { PlanAdvice, PlanReport } from '../../plan/pipeline/plans.ts'
import type { PlanLine, PlanView } from '../../plan/view.ts'
import type { Budget } from '../../rules/budget/budget.ts'
import { askedModes, modes } from '../../rules/plan/mode.ts'
import { phaseIds } from '../../rules/plan/phase-table.ts'
import { riskCategories } from '../../rules/plan/risk-words.ts'
import { type Routes, schemaOf, viewOf } from './route.ts'
import { chosenId, cost, question, seq, workStatus } from './shared.ts'

const mode = z.enum(modes)

/** Body fields that plans and ships share. */
export const goalFields = {
  goal: z.string(),
  mode: z.enum(askedModes).describe('auto sizes the plan by its goal').optional(),
  preset: z.string().optional(),
  answers: z
    .array(z.strictObject({ match: z.string().min(1), answer: z.string().min(1) }))
    .describe('Answers prepared in advance: the first whose `match` occurs in a question answers it')
    .optional(),
  yes: z.boolean().describe('Ask nothing: assume, and list the assumptions in the plan').optional(),
}

const suggestion = z.object({ mode, message: z.string() }).nullable()
const estimate = z.object({ mode, calls: z.number(), tokens: z.number(), cost: z.number().nullable() })
const estimates = z.array(estimate)

const planLine = schemaOf<PlanLine>({
  id: z.string(),
  plan: z.string(),
  goal: z.string(),
  status: workStatus,
  reason: z.string().optional(),
  mode: mode.nullable(),
  degraded: z.boolean(),
  rehearsal: z.boolean(),
  at: z.enum(phaseIds).nullable().describe('The current phase'),
  phases: z.int(),
  done: z.int(),
  issues: z.int(),
  questions: z.int(),
  cost,
  started: z.string().optional(),
  finished: z.string().optional(),
})

const planReport = schemaOf<PlanReport>({
  run: z.string(),
  plan: z.string(),
  feature: z.string(),
  folder: z.string(),
  status: workStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  degraded: z.boolean(),
  issues: z.number(),
  assumptions: z.array(z.string()).optional(),
  contradictions: z.array(z.string()).describe('Contradictions of the plan that nobody has settled').optional(),
  open_questions: z.array(z.string()).describe('HIGH and MEDIUM questions that nobody has answered').optional(),
  questions: z.array(question).optional(),
  risk_flags: z.array(z.string()),
  suggestion,
  estimates,
  warnings: z.array(z.string()),
  cost,
})

export const planRoutes = {
  'GET /api/plans': {
    name: 'listPlans',
    role: 'viewer',
    summary: 'List the plans, newest first, and the presets a plan can use.',
    response: z.object({
      plans: z.array(planLine),
      presets: z.array(z.object({ name: z.string(), description: z.string().optional() })),
      preset: z.string().describe('The preset used when a request names none'),
    }),
  },
  'POST /api/plans': {
    name: 'startPlan',
    role: 'member',
    summary: 'Plan a goal.',
    body: z.strictObject({ ...goalFields, id: chosenId('plan') }),
    status: 202,
    response: z.object({ id: z.string(), plan: z.string() }),
  },
  'POST /api/plans/advice': {
    name: 'advisePlan',
    role: 'viewer',
    summary: 'Get the risks of a goal and the estimated cost of each mode. Starts nothing.',
    body: z.strictObject({ goal: z.string(), preset: z.string().optional() }),
    response: schemaOf<PlanAdvice>({
      flags: z.array(z.enum(riskCategories)),
      suggestion,
      estimates,
      auto: z
        .object({ mode, because: z.string(), estimate })
        .describe('What mode `auto` would choose, why, and what the plan would then take'),
      mode: z.enum(askedModes).describe('The mode of a request that names none'),
    }),
  },
  'GET /api/plans/:plan': {
    name: 'getPlan',
    role: 'viewer',
    summary: 'Get the folded view of a plan: phases, scores, votes, findings and decisions.',
    response: viewOf<PlanView & { seq: number; budget: Budget }>({
      id: z.string(),
      goal: z.string(),
      status: workStatus,
      seq,
    }),
  },
  'GET /api/plans/:plan/report': {
    name: 'reportPlan',
    role: 'viewer',
    summary: 'Get a summary of a plan.',
    response: planReport,
  },
  'GET /api/plans/:plan/files': {
    name: 'listPlanFiles',
    role: 'viewer',
    summary: 'List the files of a plan.',
    response: z.object({ files: z.array(z.string()) }),
  },
  'GET /api/plans/:plan/files/:file': {
    name: 'readPlanFile',
    role: 'viewer',
    summary: 'Read a file of a plan. Write a slash in its name as %2F.',
    response: z.object({ text: z.string() }),
  },
} as const satisfies Routes
