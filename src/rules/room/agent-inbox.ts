/** Decides when a message between agents is delivered: never during a round, and a few per agent at a time. SPEC.md § AM3, AM4. */

/** One agent's message ids, in order of arrival. */
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

/** The sender hears of a refusal. A message that is already in the inbox is not added again. */
export function admitToInbox(
  inbox: AgentInbox,
  message: string,
  { roundOpen }: { roundOpen: boolean },
  limits: InboxLimits = defaultInboxLimits,
): InboxRuling {
  if (inbox.inFlight.includes(message)) return { kind: 'deliver', inbox }
  const because = roundOpen ? 'round' : 'busy'
  if (inbox.queued.includes(message)) return { kind: 'queue', because, inbox }
  // First come, first served: a new message never overtakes the queue.
  if (!roundOpen && inbox.queued.length === 0 && inbox.inFlight.length < limits.in_flight) {
    return { kind: 'deliver', inbox: { ...inbox, inFlight: [...inbox.inFlight, message] } }
  }
  if (inbox.queued.length >= limits.queued) return { kind: 'refuse', because: 'full', inbox }
  return { kind: 'queue', because, inbox: { ...inbox, queued: [...inbox.queued, message] } }
}

/** Removes a finished message, which frees its slot. */
export function finishInInbox(inbox: AgentInbox, message: string): AgentInbox {
  return { ...inbox, inFlight: inbox.inFlight.filter((id) => id !== message) }
}

/** The messages to deliver now, oldest first. Call it when a round ends and when a message is finished. */
export function releaseInbox(
  inbox: AgentInbox,
  { roundOpen }: { roundOpen: boolean },
  limits: InboxLimits = defaultInboxLimits,
): { deliver: string[]; inbox: AgentInbox } {
  const free = roundOpen ? 0 : Math.max(0, limits.in_flight - inbox.inFlight.length)
  const deliver = inbox.queued.slice(0, free)
  return { deliver, inbox: { inFlight: [...inbox.inFlight, ...deliver], queued: inbox.queued.slice(free) } }
}
