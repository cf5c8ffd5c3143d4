/**
 * Folds of the log that are read again and again. Each is kept in memory and catches up with what was written since; a
 * long one can also be saved to disk, so that a new process does not fold its whole history again.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Fold } from '../fold.ts'
import { privateFile, privateFolder } from '../private-files.ts'
import { SerialQueue } from '../serial-queue.ts'
import type { EventQuery, Store } from '../store.ts'

export interface CachedFoldsOptions<State> {
  fold(key: string): Fold<State>
  /** Which events the fold of `key` needs. */
  query(key: string): EventQuery
  /** Called after each catch-up with the stretch of the log it covered: `after` excluded, `through` included. */
  caughtUp?(key: string, state: State, covered: { after: number; through: number }): Promise<void>
  /** A state for which this returns false is folded anew each time. */
  isWorthKeeping?(state: State): boolean
  /** Drop the least recently read beyond this many. Unlimited unless given. */
  maxEntries?: number
  disk?: {
    file(key: string): string
    /** Identifies the code of the fold: a state that another version saved is ignored. */
    version(): string
    /** Save when this many events are not on disk yet. */
    everyEvents: number
  }
}

export interface LogPosition {
  /** The log has been folded up to here. */
  seq: number
  /** The last event that the state contains; the state is the same as long as this is. */
  lastEvent: number
}

interface Entry<State> {
  state: State
  /** The log has been folded up to here. */
  seq: number
  /** The last event in the state. */
  last?: { seq: number; id: string }
  unsaved: number
  isFinal: boolean
}

/** Events read at once; other work runs in between. */
const pageSize = 20_000

export class CachedFolds<State> {
  readonly #store: Store
  readonly #options: CachedFoldsOptions<State>
  /** Least recently read first. */
  readonly #entries = new Map<string, Entry<State>>()
  readonly #queue = new SerialQueue()

  constructor(store: Store, options: CachedFoldsOptions<State>) {
    this.#store = store
    this.#options = options
  }

  /**
   * Catches up, then returns what `take` makes of the state. Later reads change the state in place, so `take` copies what
   * it needs. `isFinal` promises that nothing more will be written for this key.
   */
  read<Value>(
    key: string,
    take: (state: State, at: LogPosition) => Value,
    { isFinal = false }: { isFinal?: boolean } = {},
  ): Promise<Value> {
    return this.#queue.run(key, async () => {
      const entry = this.#entries.get(key) ?? (await this.#saved(key)) ?? this.#fresh(key)
      if (!entry.isFinal) await this.#catchUp(key, entry)
      entry.isFinal ||= isFinal
      this.#keep(key, entry)
      return take(entry.state, { seq: entry.seq, lastEvent: entry.last?.seq ?? 0 })
    })
  }

  async #catchUp(key: string, entry: Entry<State>): Promise<void> {
    const { fold, query, caughtUp } = this.#options
    const { evolve } = fold(key)
    const after = entry.seq
    const through = await this.#store.lastSeq()
    while (entry.seq < through) {
      const page = await this.#store.read({ ...query(key), after: entry.seq, before: through + 1, limit: pageSize })
      for (const event of page) {
        entry.state = evolve(entry.state, event)
        entry.last = { seq: event.seq, id: event.id }
      }
      entry.unsaved += page.length
      entry.seq = page.length < pageSize ? through : page.at(-1)!.seq
      if (entry.seq < through) await new Promise<void>((resolve) => setImmediate(resolve))
    }
    await caughtUp?.(key, entry.state, { after, through: entry.seq })
  }

  #keep(key: string, entry: Entry<State>): void {
    const { isWorthKeeping, maxEntries = Number.POSITIVE_INFINITY, disk } = this.#options
    this.#entries.delete(key)
    if (isWorthKeeping && !isWorthKeeping(entry.state)) return
    this.#entries.set(key, entry)
    for (const [oldest] of this.#entries) if (this.#entries.size > maxEntries) this.#entries.delete(oldest)
    if (disk && entry.unsaved >= disk.everyEvents) save(disk.file(key), disk.version(), entry)
  }

  #fresh(key: string): Entry<State> {
    return { state: this.#options.fold(key).initial(), seq: 0, unsaved: 0, isFinal: false }
  }

  /** What an earlier process saved, unless the log was replaced since: its event at that place then has another id. */
  async #saved(key: string): Promise<Entry<State> | null> {
    const { disk, query } = this.#options
    const saved = disk && readSaved<State>(disk.file(key), disk.version())
    if (!saved) return null
    const { seq, event, view: state } = saved
    const [last] = await this.#store.read({ ...query(key), after: seq - 1, before: seq + 1 })
    return last?.id === event ? { state, seq, last: { seq, id: event }, unsaved: 0, isFinal: false } : null
  }
}

interface Saved<State> {
  form: string
  seq: number
  event: string
  view: State
}

function readSaved<State>(file: string, version: string): Saved<State> | null {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved<State>
    return saved.form === version ? saved : null
  } catch {
    return null
  }
}

function save<State>(file: string, version: string, entry: Entry<State>): void {
  entry.unsaved = 0
  const { state, last } = entry
  const staging = `${file}.writing`
  try {
    mkdirSync(dirname(file), privateFolder)
    const saved: Saved<State> = { form: version, seq: last!.seq, event: last!.id, view: state }
    writeFileSync(staging, JSON.stringify(saved), privateFile)
    renameSync(staging, file)
  } catch {
    // The disk may be full. Nothing is lost: the next process folds the log again.
  }
}
