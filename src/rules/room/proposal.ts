/** A proposal: an agent's angle, confidence and topics, before a round is decided. SPEC.md § DP1. */
import { z } from 'zod'

/** Accepts any number and clamps it later: an out-of-range 1.2 must not cost the agent its proposal. */
const confidence = z.preprocess((value) => {
  if (value === Number.POSITIVE_INFINITY) return 1
  return value === Number.NEGATIVE_INFINITY ? 0 : value
}, z.number())

export const proposalSchema = z.object({
  angle: z.string(),
  confidence,
  covers: z.array(z.string()),
  /** Whether this answer alone would be enough. DP10 reads it; the table does not. */
  solo_sufficient: z.boolean().optional(),
  builds_on_other: z.boolean().optional(),
  /** The conclusion in a sentence. Recorded and shown; no rule reads it. */
  gist: z.string().optional(),
})

export type Proposal = z.infer<typeof proposalSchema>

/** Proposals by agent name. Only own properties count. */
export type Proposals = Readonly<Record<string, Proposal>>

export const proposalsSchema = z
  .unknown()
  .superRefine((value, context) => {
    for (const name of Object.keys(Object(value))) {
      if (name !== '' && name !== '__proto__') continue
      const message = name === '' ? 'an agent must have a name' : `${name} cannot be an agent's name`
      context.addIssue({ code: 'custom', message, path: [name] })
    }
  })
  .pipe(z.record(z.string(), proposalSchema))
