/** Routes for comparisons: one spec built, or one goal planned, by one agent alone and by Convene. Browser-safe. */
import { z } from 'zod'
import { specSchema } from '../../rules/build/spec.ts'
import { askedModes } from '../../rules/plan/mode.ts'
import type { ComparisonReport } from '../../ship/compare/comparisons.ts'
import { type Routes, schemaOf } from './route.ts'
import { chosenId, cost, question, startedResponse, workStatus } from './shared.ts'

type Side = ComparisonReport['sides'][number]

const side = schemaOf<Side>({
  strategy: z.enum(['solo', 'graph', 'one-call', 'plan']),
  run: z.string(),
  status: z.enum(['done', 'failed']),
  reason: z.string().optional(),
  branch: z.string().optional(),
  commit: z.string().nullable(),
  cost,
  seconds: z.number(),
  tests: z.object({ passed: z.int(), failed: z.int() }).describe('The last run of the tests').nullable(),
  evidence: z.object({
    commands: z.int().describe('Commands that Convene ran itself'),
    refusals: z.int().describe('Replies that it sent back'),
  }),
  diff: z.object({ files: z.int(), added: z.int(), removed: z.int() }),
  planned: z
    .object({
      issues: z.array(
        z.object({
          number: z.int(),
          title: z.string(),
          criteria: z.array(z.string()),
          depends_on: z.array(z.int()),
        }),
      ),
      folder: z.string().optional(),
      design: z.string().optional(),
      degraded: z.boolean().optional(),
    })
    .optional(),
})

export const comparisonRoutes = {
  'POST /api/comparisons': {
    name: 'compare',
    role: 'member',
    summary:
      'Build a spec twice, by one agent alone and by the graph, each on its own branch; or plan a goal twice, in one reply and in all phases.',
    body: z.union([
      z.strictObject({ spec: specSchema, id: chosenId('compare') }),
      z.strictObject({
        goal: z.string().trim().min(1),
        build: z.boolean().optional().describe('Build the goal instead of planning it'),
        mode: z.enum(askedModes).optional(),
        yes: z.boolean().optional(),
        id: chosenId('compare'),
      }),
    ]),
    status: 202,
    response: startedResponse,
    errors: [409],
  },
  'GET /api/comparisons/:comparison/report': {
    name: 'reportComparison',
    role: 'viewer',
    summary: 'Get both sides of a comparison: cost, time, tests, evidence and size of the change.',
    response: schemaOf<ComparisonReport>({
      run: z.string(),
      status: workStatus,
      reason: z.string().optional(),
      code: z.string().optional(),
      spec: z.string(),
      goal: z.string().optional(),
      sides: z.array(side),
      questions: z.array(question).optional(),
    }),
  },
} as const satisfies Routes
