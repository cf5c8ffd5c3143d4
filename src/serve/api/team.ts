/** Routes for the users of a shared project and what they did. Browser-safe. */
import { z } from 'zod'
import type { AuditEntry } from '../../app/audit.ts'
import type { User } from '../../kernel/users/users.ts'
import { roles } from '../../rules/team/roles.ts'
import { type Routes, schemaOf } from './route.ts'

const role = z.enum(roles)

const userFields = {
  name: z.string(),
  role: role.describe('Viewers read; members also talk, start, answer and stop; owners also change users and settings'),
}

const user = schemaOf<User>({ ...userFields, email: z.string().optional(), added: z.iso.datetime() })

const token = z.string().describe('Shown once: Convene keeps only its hash')

const entry = schemaOf<AuditEntry>({
  seq: z.int(),
  ts: z.iso.datetime(),
  actor: z.string().describe("A user, or `you` for the holder of the server's own token"),
  action: z.string(),
  target: z.record(z.string(), z.string()),
})

export const teamRoutes = {
  'GET /api/me': {
    name: 'me',
    role: 'viewer',
    summary: 'Say who you are and what you may do.',
    response: z.object({
      ...userFields,
      shared: z.boolean().describe('Whether the project has users of its own'),
    }),
  },
  'GET /api/users': {
    name: 'listUsers',
    role: 'owner',
    summary: 'List the users.',
    response: z.object({ users: z.array(user) }),
  },
  'POST /api/users': {
    name: 'addUser',
    role: 'owner',
    recorded: true,
    summary: 'Add a user. Needs a shared database.',
    body: z.strictObject({
      name: z.string(),
      role,
      email: z.email().describe('For a login by OpenID Connect, if it differs from the name').optional(),
    }),
    status: 201,
    response: z.object({ user, token }),
    errors: [409],
  },
  'POST /api/users/:user/token': {
    name: 'replaceToken',
    role: 'owner',
    recorded: true,
    summary: 'Give a user a new token. The old one and open sessions end.',
    response: z.object({ token }),
    errors: [409],
  },
  'POST /api/users/:user/remove': {
    name: 'removeUser',
    role: 'owner',
    recorded: true,
    summary: 'Remove a user: their token and their sessions end at once.',
    response: z.object({ removed: z.string() }),
    errors: [409],
  },
  'GET /api/audit': {
    name: 'audit',
    role: 'owner',
    summary: 'List who did what and when, newest first.',
    query: z.object({
      before: z.coerce.number().int().min(0).describe('Only what happened before this seq').optional(),
      limit: z.coerce.number().int().min(1).max(1000).describe('At most this many entries; default 100').optional(),
      actor: z.string().optional(),
    }),
    response: z.object({
      entries: z.array(entry),
      next: z.int().nullable().describe('The `before` of the next page; null on the last one'),
    }),
  },
} as const satisfies Routes
