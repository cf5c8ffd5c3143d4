/** The sessions of all rooms: their state, their transcripts, and stopping one. */
import type { Engine } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { foldEvents } from '../../kernel/fold.ts'
import { runForked } from '../../kernel/run-events.ts'
import type { Store } from '../../kernel/store.ts'
import { type Session, sessionList, type TranscriptItem, transcript } from '../view.ts'

export class Sessions {
  readonly #deps: { store: Store; engine: Engine }

  constructor(deps: { store: Store; engine: Engine }) {
    this.#deps = deps
  }

  /** The session with its part of the transcript. */
  async withItems(id: string): Promise<Session & { items: TranscriptItem[] }> {
    const session = await this.get(id)
    const events = await this.#eventsOf(id)
    const items = foldEvents(transcript, events).filter(({ session_id }) => session_id === id)
    return { ...session, items }
  }

  async get(id: string): Promise<Session> {
    const runs = await this.#runsOf(sessionRun(id))
    // Read the run's status first, so that the events include what it wrote at its end.
    const run = await this.#deps.engine.get(runs.at(-1)!)
    const session = foldEvents(sessionList, await this.#eventsOf(id)).get(id)
    if (!session)
      throw new ConveneError('unknown_session', `there is no session '${id}'`, { status: 404, path: 'session' })
    if (session.status === 'ended' || run?.status === 'running' || run?.status === 'needs-attention') return session
    return { ...session, status: 'ended', end_reason: run?.status === 'cancelled' ? 'canceled' : 'agent_failed' }
  }

  /** Does nothing if the session has ended. */
  async stop(id: string): Promise<Session> {
    const runs = await this.#runsOf(sessionRun(id))
    if ((await this.get(id)).status === 'running') await this.#deps.engine.stop(runs.at(-1)!)
    return this.get(id)
  }

  async #eventsOf(id: string): Promise<StoredEvent[]> {
    const runs = await this.#runsOf(sessionRun(id))
    const events = (await Promise.all(runs.map((one) => this.#deps.store.read({ run: one })))).flat()
    return events.sort((one, other) => one.seq - other.seq)
  }

  /** A run and its forks, in the order they were created: the last one continues the session. */
  async #runsOf(root: string): Promise<string[]> {
    const runs = [root]
    for (const event of await this.#deps.store.read({ types: [runForked.type] }))
      if (runForked.is(event) && event.run !== undefined && runs.includes(event.data.from)) runs.push(event.run)
    return runs
  }
}

export const sessionRun = (session: string) => `session-${session}`
