/** What a room remembers at the time of a message: what was said, who spoke last, what it was about. Read from the log. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, replyPosted, roomStream, roundResolved } from './events.ts'
import { transcriptItem } from './view.ts'

/** How far back the log is read; a room may have tens of thousands of events. */
const eventsRead = 200
const itemsTold = 20
const roundsTold = 5

export class RoomMemory {
  readonly #events: StoredEvent[]

  private constructor(events: StoredEvent[]) {
    this.#events = events
  }

  /** Everything before the message that started `run`. */
  static async before(store: Store, room: string, run: string): Promise<RoomMemory> {
    const posted = (await store.read({ run, limit: 10 })).find((event) => messagePosted.is(event))
    return new RoomMemory(await store.read({ stream: roomStream(room), before: posted?.seq, last: eventsRead }))
  }

  lastResponder(): string | undefined {
    return this.#events.findLast((event) => replyPosted.is(event))?.actor
  }

  /** The talk so far as messages: an agent's own words are its own, everyone else's carry their name. */
  talk(agent: string): AgentMessage[] {
    const talk: AgentMessage[] = []
    for (const event of this.#events) {
      const item = transcriptItem(event)
      if (!item || item.sender === 'router') continue
      if (item.sender === agent) talk.push({ role: 'assistant', content: item.text })
      else talk.push({ role: 'user', content: item.sender === 'you' ? item.text : `[${item.sender}] ${item.text}` })
    }
    return talk.slice(-itemsTold)
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
      .map(({ data }) => describeRound(data))
      .join('\n')
  }

  #rounds() {
    return this.#events.filter((event) => roundResolved.is(event)).slice(-roundsTold)
  }
}

/** One line for people and prompts: `PARALLEL: gpt first, claude second (parallel)`. */
export function describeRound({
  mode,
  rule,
  responders,
}: {
  mode: string
  rule: string
  responders: string[]
}): string {
  const [primary, ...seconds] = responders
  const order = mode === 'synthesis' ? 'then' : 'and'
  return `${mode.toUpperCase()}: ${primary}${seconds.length > 0 ? ` ${order} ${seconds.join(` ${order} `)}` : ''} (${rule})`
}
