/** Facts about the users of a shared project, and what they did. Browser-safe. */
import { z } from 'zod'
import { roles } from '../../rules/team/roles.ts'
import { defineEvent } from '../events.ts'

export const userAdded = defineEvent(
  'user.added',
  1,
  z.object({ name: z.string(), role: z.enum(roles), email: z.string().optional() }),
)
export const userRemoved = defineEvent('user.removed', 1, z.object({ name: z.string() }))
/** A new token: the old one and its sessions are void. */
export const tokenReplaced = defineEvent('user.token-replaced', 1, z.object({ name: z.string() }))

/** The SHA-256 of a user's token. In a stream that nobody is served (US3). */
export const credentialStored = defineEvent('credential.stored', 1, z.object({ name: z.string(), hash: z.string() }))

/** A request that changed something and wrote no fact with its actor otherwise. */
export const actionTaken = defineEvent(
  'action.taken',
  1,
  z.object({
    /** The route's name in the OpenAPI document. */
    action: z.string(),
    /** What it was done to: the parameters of the route's path. */
    target: z.record(z.string(), z.string()),
  }),
)
