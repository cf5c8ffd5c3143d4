/** What a room knows at the time of a message: earlier messages, the last responder, the topic. Read from the log. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { lastLines, type TalkLine, talkNote, talkWindow } from '../rules/room/talk-window.ts'
import { judgedIn } from '../rules/room/wording/judged.ts'
import type { WindowLimits } from '../rules/turns/transcript-window.ts'
import { attachedText } from './attached-text.ts'
import { agentMessageSent, messagePosted, replyPosted, roundResolved } from './events.ts'
import type { RoomSummaries, RoomSummary } from './room-summary.ts'
import { maxEvents, RoomTails } from './room-tails.ts'
import { countMessages, type Said, talkLine } from './talk-line.ts'

const maxRounds = 5
const maxSpeakers = 20

export interface RoomMemoriesOptions {
  summaries: RoomSummaries
  countTokens(text: string): number
  window: WindowLimits
}

/** Caches memories per run: the events before a message never change. */
export class RoomMemories {
  readonly #store: Store
  readonly #options: RoomMemoriesOptions
  readonly #tails: RoomTails
  readonly #memories = new Map<string, Promise<RoomMemory>>()
  /** The `seq` of each message that this process saw posted. */
  readonly #posted = new Map<string, number>()

  constructor(store: Store, options: RoomMemoriesOptions) {
    this.#store = store
    this.#options = options
    this.#tails = new RoomTails(store)
    store.subscribe((event) => {
      if (messagePosted.is(event)) this.#posted.set(event.data.message_id, event.seq)
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
    const events = await this.#tails.before(room, seq)
    const lines = await Promise.all(events.flatMap((event) => this.#line(event) ?? []))
    const summary = await this.#options.summaries.latest(room)
    return new RoomMemory(events, {
      ...this.#options,
      lines,
      before: seq,
      // A message that was posted before the summary was made does not use it if it is part of it.
      summary: summary && (seq === undefined || summary.through < seq) ? summary : undefined,
      total:
        events.length < maxEvents
          ? lines.filter(({ aside }) => !aside).length
          : await countMessages(this.#store, room, seq),
    })
  }

  #line(event: StoredEvent): Promise<RememberedLine> | null {
    if (agentMessageSent.is(event)) return Promise.resolve(asideLine(event))
    const line = talkLine(event)
    if (!line) return null
    if (!messagePosted.is(event) || !event.data.attachments) return Promise.resolve(line)
    return attachedText(this.#store, event.data).then((whole) => ({ ...line, whole }))
  }
}

/** `aside`: a message outside the conversation, which only its sender and its recipient (none: everybody) know. */
type RememberedLine = Said & TalkLine & { aside?: { to?: string } }

function asideLine({ seq, data }: StoredEvent<{ from: string; to?: string; content: string }>): RememberedLine {
  const { from, to, content } = data
  return { seq, from, text: content, aside: to === undefined ? {} : { to } }
}

interface Talk {
  lines: RememberedLine[]
  summary?: RoomSummary
  /** How many messages the room had, shown or not. */
  total: number
  before: number | undefined
  countTokens(text: string): number
  window: WindowLimits
}

export class RoomMemory {
  readonly #events: StoredEvent[]
  readonly #talk: Talk

  /** `events` are the events before the message, in order. */
  constructor(events: StoredEvent[], talk: Talk) {
    this.#events = events
    this.#talk = talk
  }

  /** The `seq` of the message, if it was posted. */
  get before(): number | undefined {
    return this.#talk.before
  }

  /** RD16: how many earlier messages the agent is not shown word for word. */
  hidden(agent: string, inSession: boolean): number {
    const { summary, total } = this.#talk
    const { shown } = this.#window(inSession ? this.#outsideSessions(agent) : this.#knownTo(agent))
    return Math.max(summary?.messages ?? 0, total - shown.filter(({ aside }) => !aside).length)
  }

  lastResponder(): string | undefined {
    return this.#events.findLast((event) => replyPosted.is(event))?.actor
  }

  /** Who said the recent lines, oldest first; with `judged`, all that dispatch reads of the talk (DP9). */
  speakers(): string[] {
    return this.#talk.lines
      .filter(({ aside }) => !aside)
      .slice(-maxSpeakers)
      .map(({ from }) => from)
  }

  /** Those whose words the last answers judged (DP9). */
  judged(agents: readonly string[]): string[] {
    const lines = this.#talk.lines.filter(({ aside }) => !aside).slice(-maxSpeakers)
    return judgedIn(
      lines.map(({ from, text }) => ({ sender: from, text })),
      agents,
    )
  }

  /** Whether the last line is an agent's turn in a collaboration. */
  endsInSession(): boolean {
    const last = this.#talk.lines.findLast(({ aside }) => !aside)
    return last?.session_id !== undefined && last.from !== 'you'
  }

  /** The conversation as chat messages: the agent's own as `assistant`, all others prefixed with the sender's name. `canRead`: it has the tool for what is not shown. */
  talk(agent: string, canRead: boolean): AgentMessage[] {
    const { shown, note } = this.#window(this.#knownTo(agent), canRead)
    const talk = shown.map(({ from, text, aside }): AgentMessage => {
      if (from === agent)
        return {
          role: 'assistant',
          content: aside ? `[to ${aside.to ?? 'all'}, outside the conversation] ${text}` : text,
        }
      if (aside)
        return {
          role: 'user',
          content: `[${from}, to ${aside.to ? 'you alone' : 'all'}, outside the conversation] ${text}`,
        }
      return { role: 'user', content: from === 'you' ? text : `[${from}] ${text}` }
    })
    if (note !== undefined) return [{ role: 'user', content: `[room] ${note}` }, ...talk]
    // Providers refuse a conversation that begins with an assistant message.
    const start = talk.findIndex((message) => message.role === 'user')
    return start < 0 ? [] : talk.slice(start)
  }

  /** RD4: the last lines, in short. */
  lastLines(): string {
    return lastLines(this.#talk.lines.filter(({ aside }) => !aside))
  }

  /** TN7: what was said in the room before a session, without other sessions; AM1: with the agent messages that the agent knows. */
  beforeSession(agent: string, canRead: boolean): { note?: string; lines: { from: string; text: string }[] } {
    const { shown, note } = this.#window(this.#outsideSessions(agent), canRead)
    const lines = shown.map(({ from, text, aside }) => {
      const to = aside && (aside.to === agent ? 'you alone' : (aside.to ?? 'all'))
      return { from: to === undefined ? from : `${from}, to ${to}, outside the conversation`, text }
    })
    return { ...(note === undefined ? {} : { note }), lines }
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

  /** RD16: the lines since the summary that fit, and a note about the rest. */
  #window(lines: RememberedLine[], canRead = false): { shown: RememberedLine[]; note: string | undefined } {
    const { summary, total, countTokens, window } = this.#talk
    const recent = summary ? lines.filter(({ seq }) => seq > summary.through) : lines
    const shown = talkWindow(recent, countTokens, window)
    const isTalk = ({ aside }: RememberedLine) => !aside
    const elsewhere = this.#talk.lines.filter(isTalk).length - lines.filter(isTalk).length
    const omitted = Math.max(0, total - (summary?.messages ?? 0) - shown.filter(isTalk).length - elsewhere)
    return { shown, note: talkNote(summary, omitted, canRead) }
  }

  #outsideSessions(agent: string): RememberedLine[] {
    return this.#knownTo(agent).filter(({ session_id }) => session_id === undefined)
  }

  #knownTo(agent: string): RememberedLine[] {
    return this.#talk.lines.filter(({ from, aside }) => !aside || from === agent || (aside.to ?? agent) === agent)
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
  for (const run of [`message-${message_id}`, `session-${message_id}`]) {
    const [posted] = await store.read({ run, types: [messagePosted.type], limit: 1 })
    if (posted) return posted.seq
  }
  return undefined
}
