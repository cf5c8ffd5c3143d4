/** `engine`: where the log and the runs are kept. */
import { z } from 'zod'

export const engineSchema = z.strictObject({
  url: z
    .string()
    .min(1)
    .optional()
    .describe('A Postgres database to share with other machines (CONVENE_DATABASE_URL wins). Without it: .convene/.'),
  schema: z
    .string()
    .regex(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/, 'lower-case letters, digits and underscores')
    .default('convene')
    .describe("The database schema that holds Convene's tables."),
})
