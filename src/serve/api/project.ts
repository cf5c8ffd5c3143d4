/** Routes for the server itself, its project and its agents. Browser-safe. */
import { z } from 'zod'
import type { WaitingRun, WorkerDescription } from '../../kernel/workers.ts'
import { modes } from '../../rules/plan/mode.ts'
import type { ProjectDescription, SampleDescription } from '../../sample.ts'
import { type Routes, schemaOf } from './route.ts'

export const agent = z.object({
  name: z.string(),
  provider: z.string(),
  model: z.string().optional(),
  rehearsal: z.boolean().describe('Plays a script instead of calling a model'),
  helper: z.boolean().optional().describe('Serves only the roles that name it'),
})

const projectResponse = schemaOf<ProjectDescription>({
  name: z.string(),
  command: z.string().describe('How to run this Convene in a shell'),
  sample: schemaOf<SampleDescription>({
    goal: z.string(),
    mode: z.enum(modes),
    answers: z.array(z.object({ match: z.string(), answer: z.string() })),
    played: z.boolean(),
  }).nullable(),
})

export const projectRoutes = {
  'GET /api/health': {
    name: 'health',
    role: 'public',
    summary: 'Check that the server is up. Needs no token.',
    response: z.object({
      ok: z.literal(true),
      version: z.string(),
      login: z.literal(true).describe('Users log in at /login').optional(),
    }),
  },
  'GET /api/openapi.json': {
    name: 'describe',
    role: 'viewer',
    summary: 'Get this API as an OpenAPI 3.1 document.',
    response: z.record(z.string(), z.unknown()),
  },
  'GET /api/project': {
    name: 'getProject',
    role: 'viewer',
    summary: 'Get the project; for a sample project, also the goal it offers.',
    response: projectResponse,
  },
  'POST /api/sample/reset': {
    name: 'resetSample',
    role: 'member',
    summary: "Reset a sample project's branch to its first commit, so that its goal can be shipped again.",
    response: projectResponse,
    errors: [409],
  },
  'GET /api/workers': {
    name: 'listWorkers',
    role: 'viewer',
    summary:
      'List the processes that share this project (without a shared database, this one) and the runs that wait for one.',
    response: z.object({
      workers: z.array(
        schemaOf<WorkerDescription>({
          id: z.string(),
          host: z.string(),
          pid: z.number(),
          started: z.string(),
          capacity: z.number().nullable().describe('How many runs it takes at once; null without a limit'),
          busy: z.number(),
          agents: z.array(z.string()),
          version: z.string(),
          alive: z.boolean(),
        }),
      ),
      waiting: z
        .array(schemaOf<WaitingRun>({ run: z.string(), kind: z.string(), since: z.iso.datetime() }))
        .describe('Runs that no living process executes, oldest first'),
    }),
  },
  'GET /api/agents': {
    name: 'listAgents',
    role: 'viewer',
    summary: 'List the agents.',
    response: z.object({ agents: z.array(agent) }),
  },
} as const satisfies Routes
