/** Events of a room whose agents are peers. Browser-safe. RD11. */
import { z } from 'zod'
import { defineEvent } from '../../kernel/events.ts'
import { proposalSchema } from '../../rules/room/proposal.ts'
import { peerFlags } from '../../rules/team/peer-round.ts'

const flags = z.array(z.enum(peerFlags))

/** A process answers for this agent from now on. */
export const peerJoined = defineEvent(
  'peer.joined',
  1,
  z.object({ room: z.string(), agent: z.string(), rulebook: z.string() }),
)

export const peerLeft = defineEvent('peer.left', 1, z.object({ room: z.string(), agent: z.string() }))

/** What a peer would say. Without `proposal` it could not tell, for this reason. */
export const proposalPosted = defineEvent(
  'proposal.posted',
  1,
  z.object({
    message_id: z.string(),
    agent: z.string(),
    rulebook: z.string(),
    proposal: proposalSchema.extend({ malformed: z.boolean().optional() }).optional(),
    reason: z.string().optional(),
    used: z.object({ calls: z.number(), tokens: z.number(), usd: z.number().nullable() }),
  }),
)

/** A peer answers this part, counted from 1. A claim with a higher epoch replaces it. */
export const partClaimed = defineEvent(
  'part.claimed',
  1,
  z.object({
    message_id: z.string(),
    part: z.number().int(),
    agent: z.string(),
    epoch: z.number().int(),
    flags: flags.optional(),
  }),
)

export const partFailed = defineEvent(
  'part.failed',
  1,
  z.object({
    message_id: z.string(),
    part: z.number().int(),
    agent: z.string(),
    epoch: z.number().int(),
    reason: z.string(),
    message: z.string(),
  }),
)

/** Others have answered, and this part is no longer waited for. */
export const partDropped = defineEvent(
  'part.dropped',
  1,
  z.object({ message_id: z.string(), part: z.number().int(), epoch: z.number().int(), agent: z.string() }),
)

/** Nobody who is present can answer: those who are absent are waited for. */
export const roundStalled = defineEvent(
  'round.stalled',
  1,
  z.object({ message_id: z.string(), failed: z.array(z.string()) }),
)

/** By this peer's rulebook the recorded inputs of the round lead to another decision. The recorded one holds. */
export const roundDisputed = defineEvent(
  'round.disputed',
  1,
  z.object({
    message_id: z.string(),
    agent: z.string(),
    mode: z.string(),
    rule: z.string(),
    responders: z.array(z.string()),
  }),
)
