/** The shape of `convene.yaml`: every key, its type, its range, its default and one line about it. */
import { z } from 'zod'
import { agentsSchema, rolesSchema } from './agents.ts'
import { buildSchema } from './build.ts'
import { budgetSchema, retrySchema } from './limits.ts'
import { planSchema } from './plan.ts'
import { roomSchema } from './room.ts'
import { sampleSchema } from './sample.ts'
import { coordinationSchema, forgeSchema, shipSchema } from './ship.ts'

export const configSchema = z.strictObject({
  agents: agentsSchema.default({}).describe('Who can be asked, by name.'),
  roles: rolesSchema.prefault({}).describe('Who is asked for what; agents are named as above.'),
  room: roomSchema.prefault({}).describe('Talk: who answers, how long is waited, where it ends.'),
  plan: planSchema.prefault({}).describe('Planning: gates, panels and phases.'),
  build: buildSchema.prefault({}).describe("Building: the project's commands and the limits of the graph."),
  coordination: coordinationSchema.prefault({}).describe('What the issue loop does besides building.'),
  ship: shipSchema.prefault({}).describe('The issue loop.'),
  forge: forgeSchema.prefault({}).describe('Where issues live.'),
  budget: budgetSchema.prefault({}).describe('The most that one run may use, with all the runs it starts.'),
  retry: retrySchema.prefault({}).describe('How failed calls to models are tried again.'),
  sample: sampleSchema.optional().describe('A project to play with: the goal that its start page offers to ship.'),
})

/** A complete configuration: every default filled in. Paths are as written until `loadConfig` resolves them. */
export type Config = z.output<typeof configSchema>
