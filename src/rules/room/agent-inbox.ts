/** When a message between agents is delivered: not during a round, and to each agent only a few at a time. SPEC.md § AM3, AM4. */

/** One agent's messages by id, in the order they came. */
export interface AgentInbox {
  inFlight: readonly string[]
  queued: readonly string[]
}

export interface InboxLimits {
  in_flight: number
  queued: number
}

export const emptyInbox: AgentInbox = { inFlight: [], queued: [] }

export const defaultInboxLimits: InboxLimits = { in_flight: 2, queued: 20 }

export type InboxRuling =
  | { kind: 'deliver'; inbox: AgentInbox }
  | { kind: 'queue'; because: 'round' | 'busy'; inbox: AgentInbox }
  | { kind: 'refuse'; because: 'full'; inbox: AgentInbox }

/** A refusal goes back to the sender. A message that is already here is not taken twice. */
export function admitToInbox(
  inbox: AgentInbox,
  message: string,
  { roundOpen }: { roundOpen: boolean },
  limits: InboxLimits = defaultInboxLimits,
): InboxRuling {
  if (inbox.inFlight.includes(message)) return { kind: 'deliver', inbox }
  const because = roundOpen ? 'round' : 'busy'
  if (inbox.queued.includes(message)) return { kind: 'queue', because, inbox }
  // Who waits goes first: a free place is not for the newcomer while the queue holds others.
  if (!roundOpen && inbox.queued.length === 0 && inbox.inFlight.length < limits.in_flight) {
    return { kind: 'deliver', inbox: { ...inbox, inFlight: [...inbox.inFlight, message] } }
  }
  if (inbox.queued.length >= limits.queued) return { kind: 'refuse', because: 'full', inbox }
  return { kind: 'queue', because, inbox: { ...inbox, queued: [...inbox.queued, message] } }
}

/** Takes a finished message out, for what waits behind it. */
export function finishInInbox(inbox: AgentInbox, message: string): AgentInbox {
  return { ...inbox, inFlight: inbox.inFlight.filter((id) => id !== message) }
}

/** What can be delivered now, first come first: called when a round ends and when a message is finished. */
export function releaseInbox(
  inbox: AgentInbox,
  { roundOpen }: { roundOpen: boolean },
  limits: InboxLimits = defaultInboxLimits,
): { deliver: string[]; inbox: AgentInbox } {
  const free = roundOpen ? 0 : Math.max(0, limits.in_flight - inbox.inFlight.length)
  const deliver = inbox.queued.slice(0, free)
  return { deliver, inbox: { inFlight: [...inbox.inFlight, ...deliver], queued: inbox.queued.slice(free) } }
}
