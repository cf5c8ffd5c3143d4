/** What a room knows at the time of a message: earlier messages, the last responder, the topic. Read from the log. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, replyPosted, roundResolved } from './events.ts'
import { RoomTails } from './room-tails.ts'
import { transcriptItem } from './view.ts'

const maxItems = 20
const maxRounds = 5

/** Caches memories per run: the events before a message never change. */
export class RoomMemories {
  readonly #store: Store
  readonly #tails: RoomTails
  readonly #memories = new Map<string, Promise<RoomMemory>>()
  /** The `seq` of each message that this process saw posted. */
  readonly #posted = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
    this.#tails = new RoomTails(store)
    store.subscribe((event) => {
      // Sessions do not use the room's memory.
      if (messagePosted.is(event) && event.data.session_id === undefined)
        this.#posted.set(event.data.message_id, event.seq)
    })
  }

  before(message: { room: string; message_id: string }, run: string): Promise<RoomMemory> {
    const known = this.#memories.get(run)
    if (known) return known
    const memory = this.#read(message)
    this.#memories.set(run, memory)
    return memory
  }

  forget(run: string): void {
    this.#memories.delete(run)
  }

  async #read({ room, message_id }: { room: string; message_id: string }): Promise<RoomMemory> {
    const seq = this.#posted.get(message_id) ?? (await postedAt(this.#store, message_id))
    this.#posted.delete(message_id)
    return new RoomMemory(await this.#tails.before(room, seq))
  }
}

export class RoomMemory {
  readonly #events: StoredEvent[]

  /** `events` are the events before the message, in order. */
  constructor(events: StoredEvent[]) {
    this.#events = events
  }

  lastResponder(): string | undefined {
    return this.#events.findLast((event) => replyPosted.is(event))?.actor
  }

  /** Who said the recent lines, oldest first: all that dispatch reads of the talk (DP9). */
  speakers(): string[] {
    return this.#events
      .flatMap((event) => transcriptItem(event)?.sender ?? [])
      .filter((sender) => sender !== 'router')
      .slice(-maxItems)
  }

  /** The conversation as chat messages: the agent's own as `assistant`, all others prefixed with the sender's name. */
  talk(agent: string): AgentMessage[] {
    const talk: AgentMessage[] = []
    for (const event of this.#events) {
      const item = transcriptItem(event)
      if (!item || item.sender === 'router' || item.text.trim() === '') continue
      if (item.sender === agent) talk.push({ role: 'assistant', content: item.text })
      else talk.push({ role: 'user', content: item.sender === 'you' ? item.text : `[${item.sender}] ${item.text}` })
    }
    // Providers refuse a conversation that begins with an assistant message.
    const recent = talk.slice(-maxItems)
    const start = recent.findIndex((message) => message.role === 'user')
    return start < 0 ? [] : recent.slice(start)
  }

  /** RD9: topic, last responder, recent angles. Used only in the proposal prompt. */
  register(): string {
    const rounds = this.#rounds()
    if (rounds.length === 0) return ''
    const angles = rounds.flatMap(({ data }) =>
      Object.entries(data.proposals).map(([name, { angle }]) => `${name}: ${angle}`),
    )
    const topics = new Set(rounds.flatMap(({ data }) => data.proposals[data.winner]?.covers ?? []))
    return [
      topics.size > 0 ? `- topics: ${[...topics].slice(-8).join(', ')}` : '',
      `- last to answer: ${this.lastResponder() ?? 'nobody'}`,
      angles.length > 0 ? `- recent angles: ${angles.slice(-8).join('; ')}` : '',
    ]
      .filter(Boolean)
      .join('\n')
  }

  /** RD10: mode, primary and second agent of each recent round. */
  rounds(): string {
    return this.#rounds()
      .map(({ data }) => roundInBrief(data))
      .join('\n')
  }

  #rounds() {
    return this.#events.filter((event) => roundResolved.is(event)).slice(-maxRounds)
  }
}

/** One line for people and prompts, the primary first: `PARALLEL: gpt and claude (parallel)`. */
function roundInBrief({ mode, rule, responders }: { mode: string; rule: string; responders: string[] }): string {
  const [primary, ...seconds] = responders
  const order = mode === 'synthesis' ? 'then' : 'and'
  return `${mode.toUpperCase()}: ${primary}${seconds.length > 0 ? ` ${order} ${seconds.join(` ${order} `)}` : ''} (${rule})`
}

/** Reads the message's original run: a fork has not posted the message itself. */
async function postedAt(store: Store, message_id: string): Promise<number | undefined> {
  const [posted] = await store.read({ run: `message-${message_id}`, types: [messagePosted.type], limit: 1 })
  return posted?.seq
}
