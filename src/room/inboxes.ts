/** Limits delivery of agent messages: none during a round, two at a time, the others queued in order. AM3, AM4. */
import {
  type AgentInbox,
  admitToInbox,
  emptyInbox,
  finishInInbox,
  type InboxLimits,
  releaseInbox,
} from '../rules/room/agent-inbox.ts'
import type { RoomActivity } from './room-activity.ts'

export class Inboxes {
  readonly #activity: RoomActivity
  readonly #limits: InboxLimits
  /** By room, then by agent. */
  readonly #rooms = new Map<string, Map<string, AgentInbox>>()
  readonly #waiting = new Map<string, { resolve(): void; reject(reason: Error): void }>()

  constructor(activity: RoomActivity, limits: InboxLimits) {
    this.#activity = activity
    this.#limits = limits
    activity.onQuiet((room) => {
      for (const agent of this.#rooms.get(room)?.keys() ?? []) this.#release(room, agent)
    })
  }

  /** Reserves a place for the message without waiting; `leave` must follow. Returns false if the inbox is full. */
  admit(room: string, agent: string, message: string): boolean {
    return this.#enter(room, agent, message, this.#limits).kind !== 'refuse'
  }

  /**
   * Resolves once the message may be delivered; rejects if it leaves before that. A message admitted before a restart
   * re-enters regardless of the limit: it already had a place.
   */
  async waitForDelivery(room: string, agent: string, message: string): Promise<void> {
    const ruling = this.#enter(room, agent, message, { ...this.#limits, queued: Number.POSITIVE_INFINITY })
    if (ruling.kind === 'deliver') return
    await new Promise<void>((resolve, reject) => this.#waiting.set(key(room, agent, message), { resolve, reject }))
  }

  /** Does nothing if the message is not in the inbox. */
  leave(room: string, agent: string, message: string): void {
    this.#waiting.get(key(room, agent, message))?.reject(new Error('the message was withdrawn'))
    this.#waiting.delete(key(room, agent, message))
    const inbox = this.#inbox(room, agent)
    const left = { inFlight: inbox.inFlight, queued: inbox.queued.filter((id) => id !== message) }
    this.#set(room, agent, finishInInbox(left, message))
    this.#release(room, agent)
  }

  #enter(room: string, agent: string, message: string, limits: InboxLimits) {
    const ruling = admitToInbox(this.#inbox(room, agent), message, this.#round(room), limits)
    this.#set(room, agent, ruling.inbox)
    return ruling
  }

  #release(room: string, agent: string): void {
    const { deliver, inbox } = releaseInbox(this.#inbox(room, agent), this.#round(room), this.#limits)
    this.#set(room, agent, inbox)
    for (const message of deliver) {
      this.#waiting.get(key(room, agent, message))?.resolve()
      this.#waiting.delete(key(room, agent, message))
    }
  }

  #round(room: string): { roundOpen: boolean } {
    return { roundOpen: this.#activity.isBusy(room) }
  }

  #inbox(room: string, agent: string): AgentInbox {
    return this.#rooms.get(room)?.get(agent) ?? emptyInbox
  }

  #set(room: string, agent: string, inbox: AgentInbox): void {
    const agents = this.#rooms.get(room) ?? new Map<string, AgentInbox>()
    if (inbox.inFlight.length + inbox.queued.length > 0) agents.set(agent, inbox)
    else agents.delete(agent)
    if (agents.size > 0) this.#rooms.set(room, agents)
    else this.#rooms.delete(room)
  }
}

function key(room: string, agent: string, message: string): string {
  return JSON.stringify([room, agent, message])
}
