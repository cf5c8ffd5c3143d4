/** The last events of the rooms in use, kept in memory: what was said is read back from the log once, not for each message. */
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { handoffPosted, messagePosted, replyPosted, roomCreated, roomStream, roundResolved } from './events.ts'

/** How far back a round looks; a room may have tens of thousands of events. */
const eventsTold = 60
/** Some more are kept: of those that came after a message, its own round must not see any. */
const eventsKept = 2 * eventsTold
const types = [messagePosted.type, replyPosted.type, handoffPosted.type, roundResolved.type] as string[]

/** About how many characters all rooms together may keep. */
const largestWeight = 20_000_000

interface Tail {
  /** In order of `seq`, without a gap. */
  events: StoredEvent[]
  /** Nothing came before the first of them. */
  isWhole: boolean
  weight: number
}

export class RoomTails {
  readonly #store: Store
  /** By stream; the one that was used longest ago is the first. */
  readonly #tails = new Map<string, Tail>()
  #weight = 0

  constructor(store: Store) {
    this.#store = store
    store.subscribe((event) => {
      if (roomCreated.is(event)) this.#keep(roomStream(event.data.id), true)
      else if (types.includes(event.type)) this.#add(event)
    })
  }

  /** The last events of the room before `seq`, or of all where that is not known. */
  async before(room: string, seq = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    const stream = roomStream(room)
    const tail = this.#used(stream) ?? (await this.#read(stream))
    const events = tail.events.filter((event) => event.seq < seq)
    if (tail.isWhole || events.length >= eventsTold) return events.slice(-eventsTold)
    return this.#store.read({ stream, types, before: seq, last: eventsTold })
  }

  #used(stream: string): Tail | undefined {
    const tail = this.#tails.get(stream)
    if (!tail) return undefined
    this.#tails.delete(stream)
    this.#tails.set(stream, tail)
    return tail
  }

  async #read(stream: string): Promise<Tail> {
    // Kept before it is read, so that it hears of what is written meanwhile.
    const tail = this.#keep(stream)
    const events = await this.#store.read({ stream, types, last: eventsTold })
    const since = tail.events.filter((event) => event.seq > lastSeq(events))
    tail.events = [...events, ...since]
    tail.isWhole = events.length < eventsTold
    const weight = tail.events.reduce((sum, event) => sum + weightOf(event), weightOfRoom)
    const grown = weight - tail.weight
    tail.weight = weight
    if (this.#tails.get(stream) === tail) this.#grow(grown)
    return tail
  }

  #keep(stream: string, isWhole = false): Tail {
    const tail: Tail = { events: [], isWhole, weight: weightOfRoom }
    this.#tails.set(stream, tail)
    this.#grow(tail.weight)
    return tail
  }

  #add(event: StoredEvent): void {
    const tail = this.#tails.get(event.stream)
    if (!tail || event.seq <= lastSeq(tail.events)) return
    const weight = weightOf(event)
    tail.events.push(event)
    tail.weight += weight
    if (tail.events.length > eventsKept) this.#shorten(tail)
    this.#grow(weight)
  }

  #shorten(tail: Tail): void {
    for (const event of tail.events.splice(0, eventsKept / 4)) {
      const weight = weightOf(event)
      tail.weight -= weight
      this.#weight -= weight
    }
    tail.isWhole = false
  }

  #grow(by: number): void {
    this.#weight += by
    for (const [stream, { weight }] of this.#tails) {
      if (this.#weight <= largestWeight) return
      this.#tails.delete(stream)
      this.#weight -= weight
    }
  }
}

const weightOfRoom = 200

function lastSeq(events: StoredEvent[]): number {
  return events.at(-1)?.seq ?? 0
}

/** Most of an event is the text that was said; a decision has none, and is about as long as this. */
function weightOf({ data }: StoredEvent): number {
  const { text = '', task = '' } = data as { text?: string; task?: string }
  return 600 + text.length + task.length
}
