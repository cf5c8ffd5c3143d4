/** Routes for ships: a goal planned, built and merged. Browser-safe. */
import { z } from 'zod'
import { type ShipView, shipStages } from '../../ship/ship/ship-view.ts'
import type { ShipReport } from '../../ship/ship/ships.ts'
import type { ShipSettings } from '../../ship/ship-settings.ts'
import { goalFields } from './plans.ts'
import { type Routes, schemaOf, viewOf } from './route.ts'
import { chosenId, cost, question, seq, startedResponse, workStatus } from './shared.ts'

const shipFields = {
  run: z.string(),
  status: workStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  goal: z.string(),
  feature: z.string(),
  plan: z.string(),
  branch: z.string(),
  issues: z.array(
    schemaOf<ShipReport['issues'][number]>({
      number: z.int(),
      title: z.string(),
      state: z.string(),
      reason: z.string().optional(),
      commit: z.string().optional(),
    }),
  ),
  left: z.array(z.int()).describe('Issues that are not done').optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  questions: z.array(question).optional(),
  merged: z.boolean().optional(),
  cost: cost.optional(),
  seconds: z.number().optional(),
}

export const shipRoutes = {
  'GET /api/ships': {
    name: 'listShips',
    role: 'viewer',
    summary: 'List the ships.',
    response: z.object({
      ships: z.array(z.object({ id: z.string(), goal: z.string(), feature: z.string(), status: z.string() })),
    }),
  },
  'POST /api/ships': {
    name: 'ship',
    role: 'member',
    summary: 'Plan, build and merge a goal.',
    body: z.strictObject({
      ...goalFields,
      merge: z.boolean().optional(),
      smart: z.boolean().describe('Let a coordinator pick the next issue').optional(),
      look: z.boolean().describe('Ask before building the planned issues, unless `yes` is set').optional(),
      room: z.string().describe('Announce the goal and its progress in this room').optional(),
      discuss: z.boolean().describe("false: do not ask the room's agents about the goal first").optional(),
      id: chosenId('ship'),
    }),
    status: 202,
    response: startedResponse,
    errors: [404],
  },
  'GET /api/ships/:ship': {
    name: 'getShip',
    role: 'viewer',
    summary: 'Get a summary of a ship and its progress.',
    response: schemaOf<ShipReport & { progress: ShipView; seq: number }>({
      ...shipFields,
      progress: viewOf<ShipView>({ run: z.string(), stage: z.enum(shipStages), status: z.string() }),
      seq,
    }),
  },
  'GET /api/ships/:ship/report': {
    name: 'reportShip',
    role: 'viewer',
    summary: 'Get a summary of a ship.',
    response: schemaOf<ShipReport>(shipFields),
  },
  'GET /api/ship-settings': {
    name: 'shipSettings',
    role: 'viewer',
    summary: 'Get the limits that features and ships run under, and the forge they report to.',
    response: schemaOf<ShipSettings>({
      budget: z.record(z.string(), z.number().nullable()),
      attempts: z.int(),
      max_unreviewed: z.int().nullable(),
      forge: schemaOf<ShipSettings['forge']>({
        repo: z.string().nullable(),
        off: z.string().describe('Why the forge is not used; null while it is').nullable(),
        issues_url: z.string().nullable(),
      }),
    }),
  },
} as const satisfies Routes
