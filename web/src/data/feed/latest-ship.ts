/** The most recent ship, kept up to date. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { shipStarted } from '../../../../src/ship/events.ts'
import { isOfShip, type ShipView, shipView } from '../../../../src/ship/ship/ship-view.ts'
import { getProject, getShip, listShips, type Project } from '../calls/ships.ts'
import { frameBatch } from '../frame-batch.ts'
import { type Settable, watched } from '../watched.ts'
import { live } from './live.ts'

export class LatestShip {
  readonly view: Settable<ShipView | null> = watched<ShipView | null>(null)
  readonly project: Settable<Project | null> = watched<Project | null>(null)
  #view: ShipView | null = null
  #lastSeq = 0
  /** Events received while the view was loading, which may be older than they are. */
  #received: StoredEvent[] | null = null
  readonly #publishSoon = frameBatch(() => this.view.set(this.#view && { ...this.#view }))

  async read(): Promise<void> {
    this.#received ??= []
    try {
      const [project, ships] = await Promise.all([getProject(), listShips()])
      this.project.set(project)
      const latest = ships[0]
      if (latest) {
        const { progress, seq } = await getShip(latest.id)
        this.#view = progress
        this.#lastSeq = seq
      }
    } catch {
      // Keep what is shown; the next reconnect reads again.
    } finally {
      const received = this.#received ?? []
      this.#received = null
      for (const event of received) this.#take(event)
      this.#publishSoon()
    }
  }

  receive(event: StoredEvent): void {
    if (this.#received) this.#received.push(event)
    else this.#take(event)
  }

  #take(event: StoredEvent): void {
    if (event.seq <= this.#lastSeq) return
    if (shipStarted.is(event) && event.run !== undefined) this.#view = shipView(event.run).initial()
    if (!this.#view || !isOfShip(this.#view, event)) return
    this.#lastSeq = event.seq
    const before = this.#view.status
    this.#view = shipView(this.#view.run).evolve(this.#view, event)
    // What it merged has changed the project too.
    if (before !== this.#view.status)
      void getProject().then(
        (project) => this.project.set(project),
        () => {},
      )
    this.#publishSoon()
  }
}

export const latestShip = new LatestShip()

live.listen({ event: (event) => latestShip.receive(event), opened: () => void latestShip.read() })
void latestShip.read()
