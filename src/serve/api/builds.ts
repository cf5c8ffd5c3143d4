/** Routes for builds. Browser-safe. */
import { z } from 'zod'
import type { BuildReport } from '../../build/graph/builds.ts'
import type { BuildLine, BuildView } from '../../build/view.ts'
import { buildStrategies, specSchema } from '../../rules/build/spec.ts'
import { type Routes, schemaOf, viewOf } from './route.ts'
import { chosenId, cost, question, seq, startedResponse, workStatus } from './shared.ts'

const buildLine = schemaOf<BuildLine>({
  id: z.string(),
  spec: z.string(),
  description: z.string(),
  status: workStatus,
  strategy: z.enum(['graph', 'solo']).nullable(),
  rehearsal: z.boolean(),
  cost,
  nodes: z.number(),
  merged: z.number(),
  questions: z.number(),
  started: z.string().optional(),
  finished: z.string().optional(),
  reason: z.string().optional(),
})

const buildReport = schemaOf<BuildReport>({
  run: z.string(),
  status: workStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  branch: z.string(),
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  questions: z.array(question).optional(),
  merged: z.boolean().optional(),
})

export const buildRoutes = {
  'GET /api/builds': {
    name: 'listBuilds',
    role: 'viewer',
    summary: 'List the builds, newest first.',
    response: z.object({ builds: z.array(buildLine) }),
  },
  'POST /api/builds': {
    name: 'startBuild',
    role: 'member',
    summary: 'Build a spec into a verified branch.',
    body: z.strictObject({
      spec: specSchema,
      file: z.string().min(1).max(4096).optional().describe('where the spec was read from'),
      strategy: z.enum(buildStrategies).optional(),
      merge: z.boolean().optional(),
      id: chosenId('build'),
    }),
    status: 202,
    response: startedResponse,
    errors: [409],
  },
  'GET /api/builds/:build': {
    name: 'getBuild',
    role: 'viewer',
    summary: 'Get the folded view of a build: its nodes, their asks and the evidence.',
    response: viewOf<BuildView & { seq: number }>({ id: z.string(), spec: z.string(), status: workStatus, seq }),
  },
  'GET /api/builds/:build/report': {
    name: 'reportBuild',
    role: 'viewer',
    summary: 'Get a summary of a build.',
    response: buildReport,
  },
  'GET /api/builds/:build/diffs/:commit': {
    name: 'diffBuild',
    role: 'viewer',
    summary: 'Get the diff of one commit of a build.',
    response: z.object({ text: z.string(), cut: z.boolean().describe('Too long to show in full') }),
  },
} as const satisfies Routes
