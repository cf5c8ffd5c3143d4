/**
 * One room's conversation, kept up to date. Its latest part is read and shown first, the rest after it, and both follow the
 * live connection: a room of thousands of messages opens at once.
 */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { isRunOver } from '../../data/ask-events.ts'
import { getRun } from '../../data/calls/rooms.ts'
import { lastEvents } from '../../data/feed/event-pages.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader, type LogReaderOptions } from '../../data/feed/log-reader.ts'
import { StoresById } from '../../data/feed/stores-by-id.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { ApiError } from '../../data/request.ts'
import { type Settable, watched } from '../../data/watched.ts'
import { conversation, runningMessages, runOver } from './conversation.ts'
import type { Conversation } from './conversation-types.ts'

export interface RoomState {
  phase: 'loading' | 'ready' | 'failed'
  problem?: string
  conversation: Conversation
  /** Only the latest part is loaded. */
  partial: boolean
  /** Incremented with every change; the conversation is changed in place. */
  revision: number
}

interface Reading {
  conversation: Conversation
  reader: LogReader
}

/** Checks at most this many of the latest messages that look unfinished. */
const mostAskedAbout = 20

export class RoomStore {
  readonly id: string
  readonly state: Settable<RoomState>
  #shown: Reading
  #whole: Reading | null = null
  #partial = false
  readonly #publishSoon = frameBatch(() => this.#publish('ready'))

  constructor(id: string) {
    this.id = id
    this.#shown = this.#reading({ first: () => this.#readEnd(), firstTaken: () => this.#publish('ready') })
    this.state = watched<RoomState>({
      phase: 'loading',
      conversation: this.#shown.conversation,
      partial: false,
      revision: 0,
    })
  }

  /** Reads the events that are missing. Safe to call at any time. */
  async catchUp(): Promise<void> {
    try {
      await this.#shown.reader.catchUp()
      this.#publish('ready')
      await this.#closeWhatEndedUnheard()
      if (this.#partial) await this.#readWhole()
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      this.#publish('failed', error instanceof ApiError ? error.message : String(error))
    }
  }

  receive(event: StoredEvent): void {
    if (!isRunOver(event) && event.stream !== `room:${this.id}`) return
    const changed = [this.#shown, this.#whole]
      .filter((reading) => reading !== null)
      .map((reading) => {
        if (!isRunOver(event)) return reading.reader.receive(event)
        runOver(reading.conversation, event.run)
        return true
      })
    if (changed.includes(true) && this.state.get().phase === 'ready') this.#publishSoon()
  }

  #reading(options: Pick<LogReaderOptions, 'first' | 'firstTaken' | 'pause'>): Reading {
    const state = conversation.initial()
    const take = (event: StoredEvent) => conversation.evolve(state, event)
    return {
      conversation: state,
      reader: new LogReader({ room: this.id, lastSeq: () => state.lastSeq, take, ...options }),
    }
  }

  async #readEnd(): Promise<StoredEvent[]> {
    const { events, isTail } = await lastEvents(this.id)
    this.#partial = isTail
    return events
  }

  async #readWhole(): Promise<void> {
    this.#whole ??= this.#reading({ pause: idle })
    const whole = this.#whole
    await whole.reader.catchUp()
    if (this.#whole !== whole) return
    this.#shown = whole
    this.#whole = null
    this.#partial = false
    this.#publish('ready')
    await this.#closeWhatEndedUnheard()
  }

  /** A run's end is in the run's own stream, so what looks unfinished here may have ended before this page opened. */
  async #closeWhatEndedUnheard(): Promise<void> {
    const state = this.#shown.conversation
    const unfinished = runningMessages(state).slice(-mostAskedAbout)
    const ended = await Promise.all(
      unfinished.map(async ({ run }) => {
        const found = run === undefined ? null : await getRun(run).catch(() => null)
        if (!found || found.status === 'running') return false
        runOver(state, run)
        return true
      }),
    )
    if (ended.includes(true)) this.#publish('ready')
  }

  #publish(phase: RoomState['phase'], problem?: string): void {
    const { revision } = this.state.get()
    this.state.set({
      phase,
      ...(problem === undefined ? {} : { problem }),
      conversation: this.#shown.conversation,
      partial: this.#partial,
      revision: revision + 1,
    })
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30))
}

const stores = new StoresById((id) => {
  live.followRoom(id)
  return new RoomStore(id)
})

live.listen(stores)

export const roomStore = (id: string) => stores.get(id)
