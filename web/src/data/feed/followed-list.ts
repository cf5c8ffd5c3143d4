/** A list that is re-read when an event may have changed it, but only while a page shows it. */
import { useEffect } from 'react'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { type Settable, useWatched, watched } from '../watched.ts'
import type { Listener } from './live.ts'

export interface ListState<Lines> {
  /** Null: not read yet. */
  lines: Lines | null
  problem?: string
}

export interface FollowedListOptions<Lines> {
  read(): Promise<Lines>
  isChangedBy(event: StoredEvent): boolean
}

/** Events come in bursts; the list is read once for each burst, however long it lasts. */
const gatherMs = 250

export class FollowedList<Lines> implements Listener {
  readonly state: Settable<ListState<Lines>> = watched<ListState<Lines>>({ lines: null })
  readonly #options: FollowedListOptions<Lines>
  #shown = 0
  #reading: Promise<void> | null = null
  #again = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: FollowedListOptions<Lines>) {
    this.#options = options
  }

  /** Follows the list until the function it returns is called. */
  show(): () => void {
    this.#shown += 1
    if (this.#shown === 1) void this.read()
    return () => {
      this.#shown -= 1
    }
  }

  /** A failure keeps what is shown already. */
  read(): Promise<void> {
    if (this.#reading) this.#again = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  event(event: StoredEvent): void {
    if (this.#options.isChangedBy(event)) this.#readSoon()
  }

  opened(): void {
    this.#readSoon()
  }

  async #read(): Promise<void> {
    do {
      this.#again = false
      try {
        this.state.set({ lines: await this.#options.read() })
      } catch (error) {
        if (this.state.get().lines === null)
          this.state.set({ lines: null, problem: error instanceof Error ? error.message : String(error) })
      }
    } while (this.#again)
  }

  #readSoon(): void {
    if (this.#shown === 0) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.read()
    }, gatherMs)
  }
}

/** A list's state, followed while the component is mounted. */
export function useList<Lines>(list: FollowedList<Lines>): ListState<Lines> {
  useEffect(() => list.show(), [list])
  return useWatched(list.state)
}
