/** Caches the last events of rooms in use, so that a room's history is read from the log once, not for each message. */
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import {
  agentMessageSent,
  handoffPosted,
  messagePosted,
  replyPosted,
  roomCreated,
  roomStream,
  roundResolved,
} from './events.ts'

/** How many events a round uses; a room may have tens of thousands. */
export const maxEvents = 180
/** Cache more than that: a round must not see the events after its own message. */
const maxCached = 2 * maxEvents
const types = [
  messagePosted.type,
  replyPosted.type,
  handoffPosted.type,
  roundResolved.type,
  agentMessageSent.type,
] as string[]

/** Approximate limit on the characters cached for all rooms together. */
const largestWeight = 20_000_000

interface Tail {
  /** In order of `seq`, without gaps. */
  events: StoredEvent[]
  /** The first event is the first of the room. */
  isWhole: boolean
  weight: number
}

export class RoomTails {
  readonly #store: Store
  /** By stream, least recently used first. */
  readonly #tails = new Map<string, Tail>()
  #weight = 0

  constructor(store: Store) {
    this.#store = store
    store.subscribe((event) => {
      if (roomCreated.is(event)) this.#cache(roomStream(event.data.id), true)
      else if (types.includes(event.type)) this.#add(event)
    })
  }

  /** The room's last events before `seq`; without `seq`, its last events. */
  async before(room: string, seq = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    const stream = roomStream(room)
    const tail = this.#touch(stream) ?? (await this.#read(stream))
    const events = tail.events.filter((event) => event.seq < seq)
    if (tail.isWhole || events.length >= maxEvents) return events.slice(-maxEvents)
    return this.#store.read({ stream, types, before: seq, last: maxEvents })
  }

  #touch(stream: string): Tail | undefined {
    const tail = this.#tails.get(stream)
    if (!tail) return undefined
    this.#tails.delete(stream)
    this.#tails.set(stream, tail)
    return tail
  }

  async #read(stream: string): Promise<Tail> {
    // Cache the tail before reading, so that it receives the events written meanwhile.
    const tail = this.#cache(stream)
    const events = await this.#store.read({ stream, types, last: maxEvents })
    const since = tail.events.filter((event) => event.seq > lastSeq(events))
    tail.events = [...events, ...since]
    tail.isWhole = events.length < maxEvents
    const weight = tail.events.reduce((sum, event) => sum + weightOf(event), weightOfRoom)
    const added = weight - tail.weight
    tail.weight = weight
    if (this.#tails.get(stream) === tail) this.#addWeight(added)
    return tail
  }

  #cache(stream: string, isWhole = false): Tail {
    const tail: Tail = { events: [], isWhole, weight: weightOfRoom }
    this.#tails.set(stream, tail)
    this.#addWeight(tail.weight)
    return tail
  }

  #add(event: StoredEvent): void {
    const tail = this.#tails.get(event.stream)
    if (!tail || event.seq <= lastSeq(tail.events)) return
    const weight = weightOf(event)
    tail.events.push(event)
    tail.weight += weight
    if (tail.events.length > maxCached) this.#shorten(tail)
    this.#addWeight(weight)
  }

  #shorten(tail: Tail): void {
    for (const event of tail.events.splice(0, maxCached / 4)) {
      const weight = weightOf(event)
      tail.weight -= weight
      this.#weight -= weight
    }
    tail.isWhole = false
  }

  #addWeight(by: number): void {
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

/** Text makes up most of an event; the constant covers the rest, such as a decision without text. */
function weightOf({ data }: StoredEvent): number {
  const { text = '', task = '', content = '' } = data as { text?: string; task?: string; content?: string }
  return 600 + text.length + task.length + content.length
}
