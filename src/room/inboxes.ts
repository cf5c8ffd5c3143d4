/** When an agent may be written to: not during a round, two messages at a time, the others in order behind them. AM3, AM4. */
import {
  type AgentInbox,
  admitToInbox,
  emptyInbox,
  finishInInbox,
  type InboxLimits,
  releaseInbox,
} from '../rules/agent-inbox.ts'
import type { RoomActivity } from './room-activity.ts'

export class Inboxes {
  readonly #activity: RoomActivity
  readonly #limits: InboxLimits
  /** By room, then by agent. */
  readonly #rooms = new Map<string, Map<string, AgentInbox>>()
  readonly #waiting = new Map<string, () => void>()

  constructor(activity: RoomActivity, limits: InboxLimits) {
    this.#activity = activity
    this.#limits = limits
    activity.onQuiet((room) => {
      for (const agent of this.#rooms.get(room)?.keys() ?? []) this.#release(room, agent)
    })
  }

  /** Resolves once the message may be delivered; `leave` must follow. False where the inbox is full. */
  async enter(room: string, agent: string, message: string, signal: AbortSignal): Promise<boolean> {
    const ruling = admitToInbox(this.#inbox(room, agent), message, this.#round(room), this.#limits)
    this.#keep(room, agent, ruling.inbox)
    if (ruling.kind !== 'queue') return ruling.kind === 'deliver'
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(message, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return true
  }

  leave(room: string, agent: string, message: string): void {
    this.#waiting.delete(message)
    const inbox = this.#inbox(room, agent)
    const left = { inFlight: inbox.inFlight, queued: inbox.queued.filter((id) => id !== message) }
    this.#keep(room, agent, finishInInbox(left, message))
    this.#release(room, agent)
  }

  isFull(room: string, agent: string): boolean {
    return admitToInbox(this.#inbox(room, agent), 'one more', this.#round(room), this.#limits).kind === 'refuse'
  }

  #release(room: string, agent: string): void {
    const { deliver, inbox } = releaseInbox(this.#inbox(room, agent), this.#round(room), this.#limits)
    this.#keep(room, agent, inbox)
    for (const message of deliver) this.#waiting.get(message)?.()
  }

  #round(room: string): { roundOpen: boolean } {
    return { roundOpen: this.#activity.isBusy(room) }
  }

  #inbox(room: string, agent: string): AgentInbox {
    return this.#rooms.get(room)?.get(agent) ?? emptyInbox
  }

  #keep(room: string, agent: string, inbox: AgentInbox): void {
    const agents = this.#rooms.get(room) ?? new Map<string, AgentInbox>()
    agents.set(agent, inbox)
    this.#rooms.set(room, agents)
  }
}
