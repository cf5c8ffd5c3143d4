/** Keeps the forge in sync: queues one wish in the outbox for every move of an issue, also after a crash. GH. */
import { forgeChanged, forgeQueued, forgeStream, type Want } from '../../forge/events.ts'
import type { Outbox, Wish } from '../../forge/outbox.ts'
import type { EventKey, StoredEvent } from '../../kernel/events.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import type { Store } from '../../kernel/store.ts'
import { featureGreenlit, issueLinked, issueMoved, retryStarted, summaryWritten } from '../events.ts'
import type { FeatureViews } from '../feature-views.ts'
import { type FeatureView, findIssue, type IssueView } from '../view.ts'
import { commentFor } from './issue-comment.ts'

const trackedTypes: string[] = [
  issueMoved,
  issueLinked,
  retryStarted,
  summaryWritten,
  featureGreenlit,
  forgeChanged,
].map(({ type }) => type)

export class Tracker {
  readonly #store: Store
  readonly #outbox: Outbox
  readonly #views: FeatureViews
  readonly #retries: number
  readonly #work = new SerialQueue()
  #pending: StoredEvent[] = []
  /** The forge number each issue was last sent with. */
  readonly #sentNumbers = new Map<string, number>()
  #stopListening = () => {}

  constructor(parts: { store: Store; outbox: Outbox; views: FeatureViews; retries: number }) {
    this.#store = parts.store
    this.#outbox = parts.outbox
    this.#views = parts.views
    this.#retries = parts.retries
  }

  /** Queues what an earlier process left, then follows the log. */
  async start(): Promise<void> {
    const caughtUp = this.#work.run('wishes', () => this.#catchUp())
    this.#stopListening = this.#store.subscribe((event) => this.#onEvent(event))
    await caughtUp
    this.#outbox.start()
  }

  /** Waits up to `timeoutMs` until the forge has everything; the rest is sent later. */
  async flush(timeoutMs = 10_000): Promise<void> {
    await this.#work.settled()
    await this.#outbox.flush({ timeoutMs })
  }

  async stop(): Promise<void> {
    this.#stopListening()
    await this.#work.settled()
    await this.#outbox.stop()
  }

  /** Wishes are queued in log order, so events after the last wish are still to be queued. */
  async #catchUp(): Promise<void> {
    let last = 0
    for (const event of await this.#store.read({ stream: forgeStream, types: [forgeQueued.type] })) {
      if (!forgeQueued.is(event)) continue
      last = Math.max(last, event.data.follows ?? 0)
      this.#sentNumbers.set(nameOf(event.data.feature, event.data.number), event.data.issue)
    }
    await this.#queue(await this.#store.read({ types: trackedTypes, after: last }))
  }

  /** Batches events that arrive together. */
  #onEvent(event: StoredEvent): void {
    if (!trackedTypes.includes(event.type)) return
    this.#pending.push(event)
    if (this.#pending.length > 1) return
    this.#work
      .run('wishes', () => this.#queue(this.#pending.splice(0)))
      // The log is closed on shutdown; the next owner queues the rest.
      .catch(() => {})
  }

  async #queue(events: readonly StoredEvent[]): Promise<void> {
    const wishes = new Map<string, { wish: Wish & { want: Want }; key: EventKey }>()
    const views = new Map<string, FeatureView>()
    for (const event of events) {
      const { feature } = event
      if (feature === undefined) continue
      const view = views.get(feature) ?? (await this.#views.read(feature))
      views.set(feature, view)
      for (const issue of this.#about(view, event)) {
        const name = nameOf(feature, issue.number)
        const want = { ...wishes.get(name)?.wish.want, ...this.#want(view, issue, event) }
        const wish = { feature, number: issue.number, issue: issue.github!, want, follows: event.seq }
        // Keyed by its event, so that a repeated event queues no second wish.
        wishes.set(name, { wish, key: { run: `forge:${feature}`, step: String(event.seq), n: issue.number } })
        this.#sentNumbers.set(name, issue.github!)
      }
    }
    const inOrder = [...wishes.values()].sort((a, b) => a.wish.follows! - b.wish.follows!)
    await this.#outbox.queueAll(inOrder)
  }

  /** The issues whose state on the forge an event changes. */
  #about(view: FeatureView, event: StoredEvent): IssueView[] {
    if (featureGreenlit.is(event)) {
      // An issue that just got its forge number is sent in its current state.
      const listed = event.data.issues.flatMap(({ number }) => findIssue(view, number) ?? [])
      return listed.filter(
        ({ number, github, state }) =>
          github !== undefined && state !== 'BACKLOG' && this.#sentNumbers.get(nameOf(view.feature, number)) !== github,
      )
    }
    const number = forgeChanged.is(event) ? event.data.number : (event.data as { issue: number }).issue
    if (forgeChanged.is(event) && event.data.label === undefined) return []
    const issue = findIssue(view, number)
    return issue?.github === undefined ? [] : [issue]
  }

  #want(view: FeatureView, issue: IssueView, event: StoredEvent): Want {
    const comment = commentFor(view, issue, event, this.#retries)
    return { state: issue.state, ...closing(event), ...(comment === undefined ? {} : { comment }) }
  }
}

/** DONE closes the issue and a revert reopens it; otherwise a person's own closing stands. */
function closing(event: StoredEvent): { closed?: boolean } {
  if (!issueMoved.is(event)) return {}
  if (event.data.to === 'DONE') return { closed: true }
  return event.data.cause === 'reverted' ? { closed: false } : {}
}

const nameOf = (feature: string, number: number) => `${feature}#${number}`
