/** Routes for durable runs. Browser-safe. */
import { z } from 'zod'
import type { Origin } from '../../runs/origin.ts'
import type { RunOverview } from '../../runs/overview.ts'
import type { Difference, Replayed } from '../../runs/replay.ts'
import type { ListedRun, RunListing, RunWithJournal } from '../../runs/runs.ts'
import { type Routes, schemaOf, viewOf } from './route.ts'
import { cost, seq } from './shared.ts'

const runFields = {
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  code: z.string().optional(),
  parked: z.literal(true).describe('`resume` continues it').optional(),
  unrecorded: z.literal(true).describe('Nothing can be written, so no event says that it does not continue').optional(),
  parent: z.string().optional(),
  steps: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const run = schemaOf<RunListing>(runFields)

const listedRun = schemaOf<ListedRun>({
  ...runFields,
  title: z.string().optional(),
  feature: z.string().optional(),
  issue: z.int().optional(),
  room: z.string().optional(),
  cost: cost.describe('Of the run itself, without its children').optional(),
})

const runWithJournal = schemaOf<RunWithJournal>({
  ...runFields,
  result: z.unknown().optional(),
  journal: z.array(
    schemaOf<RunWithJournal['journal'][number]>({
      position: z.int(),
      name: z.string(),
      kind: z.string(),
      state: z.string(),
      at: z.iso.datetime(),
    }),
  ),
})

const origin = schemaOf<Origin>({
  commit: z.string().nullable(),
  subject: z.string().optional(),
  author: z.string().optional(),
  issue: z.object({ feature: z.string(), number: z.number() }).nullable(),
  node: z.string().optional(),
  spec: z.string().optional(),
  criteria: z.array(z.string()),
  context: z.string().optional(),
  words: schemaOf<Origin['words']>({
    title: z.string().optional(),
    criteria: z.array(z.object({ id: z.string(), text: z.string() })),
    decisions: z.array(z.object({ decision: z.string(), by: z.string(), grounds: z.string().optional() })),
    checks: z.array(z.string()),
  }).describe('The same for a person'),
  run: z.string().nullable(),
  events: z.array(
    schemaOf<Origin['events'][number]>({
      seq: z.number(),
      ts: z.string(),
      type: z.string(),
      actor: z.string().optional(),
      summary: z.string(),
    }),
  ),
  cost: cost.optional(),
})

export const runRoutes = {
  'GET /api/runs': {
    name: 'listRuns',
    role: 'viewer',
    summary: 'List the durable runs, newest first.',
    query: z.object({
      unrecorded: z.literal('true').describe('Only top-level runs of which nothing can be recorded').optional(),
    }),
    response: z.object({ runs: z.array(listedRun) }),
  },
  'GET /api/runs/:run': {
    name: 'getRun',
    role: 'viewer',
    summary: 'Get a run with its steps and its result.',
    response: runWithJournal,
  },
  'GET /api/runs/:run/overview': {
    name: 'overviewRun',
    role: 'viewer',
    summary: 'Get a run and its children at a glance: spans over time and totals.',
    response: viewOf<RunOverview>({
      run: z.string(),
      seq,
      events: z.int(),
      runs: z.array(z.looseObject({ id: z.string(), kind: z.string(), status: z.string() })),
      lanes: z.array(z.looseObject({ run: z.string(), kind: z.string() })),
    }),
  },
  'POST /api/runs/:run/stop': {
    name: 'stopRun',
    role: 'member',
    summary: 'Stop a run. It cleans up before it ends.',
    status: 202,
    response: run,
    errors: [409],
  },
  'POST /api/runs/:run/resume': {
    name: 'resumeRun',
    role: 'member',
    summary: 'Resume a run that was stopped, interrupted or parked.',
    status: 202,
    response: run,
    errors: [409],
  },
  'POST /api/runs/:run/fork': {
    name: 'forkRun',
    role: 'member',
    summary: 'Start a new run from the first steps of another.',
    body: z.strictObject({
      from: z
        .union([z.number().int().min(0), z.string().min(1)])
        .describe('Position or name of the first step to run again')
        .optional(),
    }),
    status: 202,
    response: run,
    errors: [409],
  },
  'POST /api/runs/:run/replay': {
    name: 'replayRun',
    role: 'viewer',
    summary: 'Make every decision of a run again from the log, and list those that differ today.',
    response: schemaOf<Replayed>({
      run: z.string(),
      decisions: z.number(),
      differences: z.array(
        schemaOf<Difference>({ seq: z.number(), type: z.string(), was: z.unknown(), is: z.unknown() }),
      ),
    }),
  },
  'GET /api/why': {
    name: 'why',
    role: 'viewer',
    summary: 'Find where an event, a commit or a line of a file came from.',
    query: z.object({ what: z.string().min(1).describe('Event id or seq, commit, or `file:line`') }),
    response: origin,
    errors: [404],
  },
} as const satisfies Routes
