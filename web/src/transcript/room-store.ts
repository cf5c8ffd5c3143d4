/** One room's story, kept true: read from the log, then fed by the live connection. */
import type { StoredEvent } from '../../../src/kernel/events.ts'
import { isRunOver } from '../api/ask-facts.ts'
import { getRun } from '../api/calls.ts'
import { frameBatch } from '../api/frame-batch.ts'
import { LogReader } from '../api/log-reader.ts'
import { ApiError } from '../api/request.ts'
import { type Settable, watched } from '../api/watched.ts'
import { runningMessages, runOver, story } from './story.ts'
import type { Story } from './story-types.ts'

export interface RoomState {
  phase: 'loading' | 'ready' | 'failed'
  problem?: string
  story: Story
  /** Rises whenever the story has changed; the story itself is changed in place. */
  revision: number
}

/** What looks unfinished but has this many unfinished messages after it is not asked about. */
const mostAskedAbout = 20

export class RoomStore {
  readonly id: string
  readonly state: Settable<RoomState>
  readonly #story: Story = story.initial()
  readonly #reader: LogReader
  readonly #tellSoon = frameBatch(() => this.#tell('ready'))

  constructor(id: string) {
    this.id = id
    this.state = watched<RoomState>({ phase: 'loading', story: this.#story, revision: 0 })
    const lastSeq = () => this.#story.lastSeq
    this.#reader = new LogReader({ room: id, lastSeq, take: (event) => story.evolve(this.#story, event) })
  }

  async catchUp(): Promise<void> {
    try {
      await this.#reader.catchUp()
      this.#tell('ready')
      await this.#closeWhatEndedUnheard()
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      this.#tell('failed', error instanceof ApiError ? error.message : String(error))
    }
  }

  /** An event of this room, or the end of any run. */
  hear(event: StoredEvent): void {
    if (isRunOver(event)) runOver(this.#story, event.run)
    else if (!this.#reader.hear(event)) return
    if (this.state.get().phase === 'ready') this.#tellSoon()
  }

  /** A run's end is told in the run's own stream: what looks unfinished here may have ended before this page was there. */
  async #closeWhatEndedUnheard(): Promise<void> {
    const unfinished = runningMessages(this.#story).slice(-mostAskedAbout)
    const ended = await Promise.all(
      unfinished.map(async ({ run }) => {
        const found = run === undefined ? null : await getRun(run).catch(() => null)
        if (!found || found.status === 'running') return false
        runOver(this.#story, run)
        return true
      }),
    )
    if (ended.includes(true)) this.#tell('ready')
  }

  #tell(phase: RoomState['phase'], problem?: string): void {
    const { revision } = this.state.get()
    this.state.set({ phase, ...(problem === undefined ? {} : { problem }), story: this.#story, revision: revision + 1 })
  }
}
