/** In which room the work of a run or a feature began, read from the log. */
import { runForked, runStarted } from '../kernel/run-events.ts'
import type { Store } from '../kernel/store.ts'
import { floorOf } from '../rules/team/floors.ts'
import { featureRunStarted, shipStarted } from '../ship/events.ts'
import { oneSpelling } from '../ship/feature-name.ts'

/** A room's id; null for work that belongs to no room; undefined while the log does not tell. */
export type RoomOfWork = string | null | undefined

const mostKept = 10_000
const roomPrefix = 'room:'

export class RunRooms {
  readonly #store: Store
  readonly #known = new Map<string, string | null>()

  constructor(store: Store) {
    this.#store = store
  }

  /** A room and what runs below a run belong together: the top of the tree decides. */
  async ofRun(run: string): Promise<RoomOfWork> {
    const [top = run] = run.split('/')
    return this.#remember(`run ${top}`, () => this.#findForRun(top))
  }

  /** A ship names its feature with its first fact; a feature that began otherwise is everyone's. */
  async ofFeature(name: string): Promise<RoomOfWork> {
    const feature = oneSpelling(name)
    return this.#remember(`feature ${feature}`, async () => {
      const [first] = await this.#store.read({ feature, limit: 1 })
      if (first && shipStarted.is(first)) return first.data.room ?? null
      return first ? null : undefined
    })
  }

  async #findForRun(top: string): Promise<RoomOfWork> {
    const events = (await this.#store.read({ run: top, limit: firstEvents })).filter((event) => event.run === top)
    const inRoom = events.find(({ stream }) => stream.startsWith(roomPrefix))
    if (inRoom) return inRoom.stream.slice(roomPrefix.length)
    for (const event of events) {
      if (shipStarted.is(event)) return event.data.room ?? null
      if (runForked.is(event)) return this.ofRun(event.data.from)
      if (featureRunStarted.is(event)) return this.ofFeature(event.data.feature)
    }
    const started = events.find((event) => runStarted.is(event))
    return started && runStarted.is(started) && floorOf(started.data.workflow) !== 'room' ? null : undefined
  }

  /** What the log tells of it does not change: only what it does not tell yet is asked again. */
  async #remember(key: string, find: () => Promise<RoomOfWork>): Promise<RoomOfWork> {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = await find()
    if (found === undefined) return undefined
    if (this.#known.size >= mostKept) this.#known.clear()
    this.#known.set(key, found)
    return found
  }
}

/** A run names its room with its first facts. */
const firstEvents = 100
