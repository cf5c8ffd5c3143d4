/** The shape of `convene.yaml`: every key, its type, its range, its default and one line about it. */
import { z } from 'zod'
import { agentsSchema, rolesSchema } from './agents.ts'
import { authSchema } from './auth.ts'
import { buildSchema } from './build.ts'
import { engineSchema } from './engine.ts'
import { mcpSchema, telemetrySchema } from './integrations.ts'
import { budgetSchema, retrySchema } from './limits.ts'
import { planSchema } from './plan.ts'
import { roomSchema } from './room.ts'
import { sampleSchema } from './sample.ts'
import { coordinationSchema, forgeSchema, shipSchema } from './ship.ts'
import { sourceSchema } from './source.ts'

export const configSchema = z.strictObject({
  agents: agentsSchema.default({}).describe('The agents, by name.'),
  roles: rolesSchema.prefault({}).describe('Which agent does what, by the names above.'),
  room: roomSchema.prefault({}).describe('Rooms: who answers, timeouts and limits.'),
  plan: planSchema.prefault({}).describe('Planning: gates, panels and phases.'),
  build: buildSchema.prefault({}).describe("Building: the project's commands and the limits of the graph."),
  source: sourceSchema.prefault({}).describe('How agents read the project in rooms and plans.'),
  coordination: coordinationSchema.prefault({}).describe('What the issue loop does besides building.'),
  ship: shipSchema.prefault({}).describe('The issue loop.'),
  forge: forgeSchema.prefault({}).describe('Where issues are tracked.'),
  budget: budgetSchema.prefault({}).describe('Limits for one run and everything it starts.'),
  retry: retrySchema.prefault({}).describe('How failed calls to models are retried.'),
  mcp: mcpSchema.prefault({}).describe('The MCP server: convene mcp and /mcp.'),
  telemetry: telemetrySchema.prefault({}).describe('OpenTelemetry, on when OTEL_EXPORTER_OTLP_ENDPOINT is set.'),
  engine: engineSchema.prefault({}).describe('Where the log and the runs are kept.'),
  auth: authSchema
    .optional()
    .describe('Log in with OpenID Connect. Needs a shared database, and users that were added.'),
  project: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The project's name in a shared database. Without it: the repository's first commit."),
  repository: z
    .string()
    .min(1)
    .max(2000)
    .refine((url) => !url.startsWith('-') && !url.includes('::'), 'expected a URL or path that git can clone')
    .optional()
    .describe('The git URL that a team shares: with engine.url, parts of a build run on any machine.'),
  sample: sampleSchema.optional().describe('Marks a sample project: the goal that the start page offers to ship.'),
})

/** A complete configuration: every default filled in. Paths are as written until `loadConfig` resolves them. */
export type Config = z.output<typeof configSchema>
