/**
 * Posts a ship's progress to the room it was started in. Each notice is keyed by its event: it is posted once, and after a
 * crash the missing ones follow.
 */
import type { StoredEvent } from '../../kernel/events.ts'
import { foldEvents } from '../../kernel/fold.ts'
import { runFinished, runParked } from '../../kernel/run-events.ts'
import { questionAsked } from '../../kernel/runs/question-events.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import type { Store } from '../../kernel/store.ts'
import { planFinished, planStarted } from '../../plan/events.ts'
import { moveCounts } from '../../rules/issues/issue-states.ts'
import {
  featureGreenlit,
  issueMoved,
  issueSplit,
  issueStarted,
  retryStarted,
  shipFinished,
  shipStarted,
} from '../events.ts'
import type { RoomMessage, ShipRooms } from '../ship-room.ts'
import { type FeatureView, featureView, findIssue } from '../view.ts'
import { isNoticed, noticeOf } from './ship-words.ts'

interface HostedShip extends RoomMessage {
  run: string
  feature: string
}

const noticedTypes: string[] = [
  planStarted.type,
  planFinished.type,
  issueMoved.type,
  questionAsked.type,
  shipFinished.type,
  runFinished.type,
  runParked.type,
]
const viewTypes = [featureGreenlit.type, issueSplit.type, issueMoved.type, issueStarted.type, retryStarted.type]

export class RoomNotices {
  readonly #store: Store
  readonly #rooms: ShipRooms
  readonly #ships = new Map<string, HostedShip>()
  readonly #queue = new SerialQueue()
  #stopListening = () => {}

  constructor(store: Store, rooms: ShipRooms) {
    this.#store = store
    this.#rooms = rooms
  }

  /** Posts what an earlier process left, then follows the log. */
  async start(): Promise<void> {
    this.#stopListening = this.#store.subscribe((event) => this.#onEvent(event))
    for (const event of await this.#store.read({ types: [shipStarted.type] })) this.#addShip(event)
    for (const ship of [...this.#ships.values()]) {
      const events = await this.#store.read({ run: ship.run, types: noticedTypes })
      const due = events.filter((event) => isNoticed(event, ship.run))
      if ((await this.#rooms.noticeCount(ship.run)) < due.length) for (const event of due) this.#onEvent(event)
    }
    await this.#queue.settled()
  }

  async stop(): Promise<void> {
    this.#stopListening()
    await this.#queue.settled()
  }

  #addShip(event: StoredEvent): void {
    if (!shipStarted.is(event) || event.run === undefined) return
    const { room, message_id, feature } = event.data
    if (room !== undefined && message_id !== undefined)
      this.#ships.set(event.run, { run: event.run, room, message_id, feature })
  }

  #onEvent(event: StoredEvent): void {
    if (shipStarted.is(event)) this.#addShip(event)
    if (!noticedTypes.includes(event.type)) return
    const ship = this.#ships.get(event.run?.split('/')[0] ?? '')
    if (!ship || !isNoticed(event, ship.run)) return
    this.#queue.run('notices', () => this.#postNotice(ship, event)).catch(() => {})
  }

  async #postNotice(ship: HostedShip, event: StoredEvent): Promise<void> {
    const view = await this.#viewBefore(ship, event)
    if (issueMoved.is(event) && !moveCounts(findIssue(view, event.data.issue)?.state, event.data)) return
    const key = { run: ship.run, step: `notice ${event.seq}`, n: 0 }
    const words = noticeOf(event, ship, featureView(ship.feature).evolve(view, event))
    await this.#store.append([{ ...this.#rooms.noticeEvent(ship, words, ship.run), key }])
  }

  /** The feature just before the event, so that a late notice has the counts of that time. */
  async #viewBefore({ feature }: HostedShip, event: StoredEvent): Promise<FeatureView> {
    const events = await this.#store.read({ feature, types: viewTypes, before: event.seq })
    return foldEvents(featureView(feature), events)
  }
}
