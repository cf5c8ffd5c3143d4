/**
 * One collaboration, as one peer plays it: it takes its own turns. Whose turn it is follows from the log (TN), and a turn is written only
 * while it is the current one. An absent speaker is waited for.
 */

import { askFinished } from '../../kernel/ask/ask-events.ts'
import type { NewEvent, StoredEvent } from '../../kernel/events.ts'
import { handoffPosted, messagePosted, replyPosted, sessionEnded, sessionStarted } from '../events.ts'
import { askTurn, type SessionInput, type Turn, type Utterance } from '../session.ts'
import type { PeerPlace } from './peer-place.ts'
import { peerRun } from './peer-run.ts'
import { permit } from './post-proposal.ts'

export const sessionRun = (session_id: string) => `session-${session_id}`

export class SessionPlay {
  readonly #place: PeerPlace
  readonly #message_id: string
  readonly #run: string
  readonly #events = new Map<number, StoredEvent>()
  readonly #ended = new AbortController()
  #taking: number | undefined

  constructor(place: PeerPlace, message_id: string, text: string) {
    this.#place = place
    this.#message_id = message_id
    this.#run = sessionRun(message_id)
    place.report({ event: 'seen', message_id, text })
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted
  }

  see(event: StoredEvent): void {
    this.#events.set(event.seq, event)
  }

  advance(): void {
    const session = readSession([...this.#events.values()])
    if (session === null) return
    const { turn } = session
    if (turn === null) this.#end()
    else if (turn.speaker === this.#place.agent && this.#taking !== turn.round) this.#begin(session.input, turn)
  }

  #begin(input: SessionReading['input'], turn: Turn): void {
    this.#taking = turn.round
    this.#take(input, turn).then(
      () => this.advance(),
      (error) => {
        if (!this.isOver) this.#place.fail(error)
      },
    )
  }

  async close(): Promise<void> {
    this.#end()
  }

  async #take(given: SessionReading['input'], turn: Turn): Promise<void> {
    const { deps, agent, room, report } = this.#place
    const message_id = this.#message_id
    const part = turn.round
    report({ event: 'claimed', message_id, part, epoch: 1 })
    const signal = this.#ended.signal
    await permit(this.#place, { run: this.#run, message_id }, signal)
    const all = await deps.store.read({ run: this.#run })
    const { transcript, began } = readSession(all)!
    const input = { ...given, room }
    const tokens = all.reduce((sum, event) => sum + (askFinished.is(event) ? tokensOf(event.data.usage) : 0), 0)
    let isWritten = false
    const run = peerRun({
      store: deps.store,
      runId: `${this.#run}/${agent}`,
      position: turn.round,
      startedAt: began,
      signal,
      write: async (events) => {
        const written = await deps.store.appendFrom(this.#run, (now) => {
          const current = readSession(now)?.turn
          const isCurrent = current?.round === turn.round && current.speaker === agent
          return events
            .filter((event) => isCurrent || event.type === askFinished.type)
            .map((event, n) => keyed(this.#run, turn.round, event, n))
        })
        isWritten = written.some(({ type }) => type !== askFinished.type)
      },
    })
    const minutes = input.autopilot ? (deps.clock.now() - began) / 60_000 : 0
    await askTurn(run, deps, input, turn, transcript, { tokens, minutes })
    report({ event: 'answered', message_id, part, result: isWritten ? 'answered' : 'superseded' })
  }

  #end(): void {
    if (this.isOver) return
    this.#ended.abort(new Error('the session is over'))
    this.#place.deps.memories.forget(`${this.#run}/${this.#place.agent}`)
  }
}

/** What is said in the room belongs to the session's run; what a call cost to the peer's. */
function keyed(run: string, round: number, event: NewEvent, n: number): NewEvent {
  return event.type === askFinished.type ? event : { ...event, run, key: { run, step: `peers turn ${round}`, n } }
}

interface SessionReading {
  input: Omit<SessionInput, 'room'>
  transcript: Utterance[]
  began: number
  /** Null once the session has ended. */
  turn: Turn | null
}

/** Null until the session has started. */
function readSession(events: readonly StoredEvent[]): SessionReading | null {
  let reading: SessionReading | null = null
  let attachments: SessionInput['attachments']
  for (const event of events) {
    if (messagePosted.is(event)) attachments = event.data.attachments
    else if (sessionStarted.is(event)) {
      const { speaker } = event.data
      const input = { ...event.data, ...(attachments ? { attachments } : {}) }
      reading = { input, transcript: [], began: Date.parse(event.ts), turn: { speaker, round: 1 } }
    } else if (!reading) continue
    else if (replyPosted.is(event)) reading.transcript.push({ from: event.data.agent, text: event.data.text })
    else if (handoffPosted.is(event)) {
      const { to, task, round } = event.data
      reading.transcript.push({ from: `router to ${to}`, text: task })
      if (reading.turn) reading.turn = { speaker: to, task, round: round! }
    } else if (sessionEnded.is(event)) reading.turn = null
  }
  return reading
}

function tokensOf({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): number {
  return inputTokens + outputTokens
}
