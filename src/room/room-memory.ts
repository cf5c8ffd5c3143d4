/** What a room remembers at the time of a message: what was said, who spoke last, what it was about. Read from the log. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, replyPosted, roundResolved } from './events.ts'
import { RoomTails } from './room-tails.ts'
import { transcriptItem } from './view.ts'

const itemsTold = 20
const roundsTold = 5

/** What was before a message never changes: it is read once for each run that answers one. */
export class RoomMemories {
  readonly #store: Store
  readonly #tails: RoomTails
  readonly #memories = new Map<string, Promise<RoomMemory>>()
  /** Where in the log a message stands, for those that this process has seen posted. */
  readonly #posted = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
    this.#tails = new RoomTails(store)
    store.subscribe((event) => {
      // A session does not look back.
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

  /** `events` are those before a message, in their order. */
  constructor(events: StoredEvent[]) {
    this.#events = events
  }

  lastResponder(): string | undefined {
    return this.#events.findLast((event) => replyPosted.is(event))?.actor
  }

  /** The talk so far as messages: an agent's own words are its own, everyone else's carry their name. */
  talk(agent: string): AgentMessage[] {
    const talk: AgentMessage[] = []
    for (const event of this.#events) {
      const item = transcriptItem(event)
      if (!item || item.sender === 'router' || item.text.trim() === '') continue
      if (item.sender === agent) talk.push({ role: 'assistant', content: item.text })
      else talk.push({ role: 'user', content: item.sender === 'you' ? item.text : `[${item.sender}] ${item.text}` })
    }
    // Providers take no talk that begins with the agent's own words.
    const told = talk.slice(-itemsTold)
    const start = told.findIndex((message) => message.role === 'user')
    return start < 0 ? [] : told.slice(start)
  }

  /** RD9: topic, last responder, recent angles. It goes into the proposal question and nowhere else. */
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

  /** RD10: each of the last rounds with its mode, primary and second. */
  rounds(): string {
    return this.#rounds()
      .map(({ data }) => roundInBrief(data))
      .join('\n')
  }

  #rounds() {
    return this.#events.filter((event) => roundResolved.is(event)).slice(-roundsTold)
  }
}

/** One line for people and prompts, the primary first: `PARALLEL: gpt and claude (parallel)`. */
function roundInBrief({ mode, rule, responders }: { mode: string; rule: string; responders: string[] }): string {
  const [primary, ...seconds] = responders
  const order = mode === 'synthesis' ? 'then' : 'and'
  return `${mode.toUpperCase()}: ${primary}${seconds.length > 0 ? ` ${order} ${seconds.join(` ${order} `)}` : ''} (${rule})`
}

/** Its own run is asked for it: a forked one has not posted it. */
async function postedAt(store: Store, message_id: string): Promise<number | undefined> {
  const [posted] = await store.read({ run: `message-${message_id}`, types: [messagePosted.type], limit: 1 })
  return posted?.seq
}
