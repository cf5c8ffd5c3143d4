/** Routes for the log, its payloads and the rules. Browser-safe. */
import { z } from 'zod'
import type { StoredEvent } from '../../kernel/events.ts'
import { type Routes, schemaOf } from './route.ts'

const position = z.coerce.number().int().min(0)
const pageSize = z.coerce.number().int().min(1).max(10_000)

export const event = schemaOf<StoredEvent>({
  seq: z.int(),
  id: z.string(),
  ts: z.iso.datetime(),
  type: z.string(),
  version: z.int(),
  stream: z.string(),
  run: z.string().optional(),
  feature: z.string().optional(),
  actor: z.string().optional(),
  data: z.unknown(),
  payload_ref: z.string().optional(),
})

export const logRoutes = {
  'GET /api/events': {
    name: 'events',
    errors: [404],
    role: 'viewer',
    summary:
      'Read the log: as server-sent events from `after` or `Last-Event-ID` on, else from now; or one page of it with `Accept: application/json`.',
    query: z.object({
      after: position.describe('Only events after this seq').optional(),
      room: z.string().optional(),
      run: z.string().optional(),
      feature: z.string().optional(),
      actor: z.string().optional(),
      types: z.string().describe('Event types, separated by commas').optional(),
      text: z.string().max(500).describe('Text that must occur in the type or the data').optional(),
      limit: pageSize.describe('Of a page: at most this many events; default 1000').optional(),
      before: position.describe('Of a page: only events before this seq').optional(),
      last: pageSize.describe('Of a page: return only the last N').optional(),
    }),
    response: z.object({
      events: z.array(event),
      next: z.int().nullable().describe('The `after` of the next page; null on the last one'),
    }),
    media: {
      'text/event-stream':
        'Each event as `id: <seq>` with its JSON as `data`. Text that an agent is still writing comes as `event: delta` without an id, `{ask, attempt, offset, text}`; a higher attempt replaces the text of a lower one.',
    },
  },
  'GET /api/payloads/:ref': {
    name: 'readPayload',
    role: 'viewer',
    summary: 'Read a payload by its hash, in full or in part.',
    query: z.object({
      start: position.describe('First byte').optional(),
      end: position.describe('The byte after the last one').optional(),
    }),
    media: { 'text/plain': 'The bytes of the payload.' },
  },
  'POST /api/decide/:rule': {
    name: 'decide',
    role: 'viewer',
    summary: 'Apply one of the ten rules to an input. The same input gives the same decision on every machine.',
    body: z.unknown(),
    response: z.record(z.string(), z.unknown()),
  },
} as const satisfies Routes
