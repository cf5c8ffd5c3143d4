/** Opens an issue on the forge for each greenlit issue that has none there, and links the two. GH5. */
import { type OpenQueued, openQueued } from '../../forge/events.ts'
import { type Forge, ForgeFailed, markerFor } from '../../forge/forge.ts'
import { type ForgeAccess, soleAccess } from '../../forge/forge-access.ts'
import type { Behind } from '../../forge/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import type { Store } from '../../kernel/store.ts'
import { issueLinked, issueMoved } from '../events.ts'
import { eventHeader } from '../feature-state.ts'
import type { FeatureViews } from '../feature-views.ts'
import { findIssue } from '../view.ts'
import { issueText } from './issue-text.ts'

interface OpenerParts {
  store: Store
  forge: Forge
  repo: string
  views: FeatureViews
  clock: Clock
  backoff?: { baseMs: number; maxMs: number }
  access?: ForgeAccess
}

/** What is to be opened is in the log, so a later process opens what this one could not. Work never waits for it. */
export class IssueOpener {
  readonly #parts: Required<OpenerParts>
  readonly #work = new SerialQueue()
  readonly #waiting = new Map<string, OpenQueued>()
  /** Why the forge refused an issue for good. A later process, or another greenlight, tries it again. */
  readonly #refused = new Map<string, string>()
  #failures = 0
  #reason: string | undefined
  #isStopped = false
  #stopListening = () => {}
  #callOffRetry = () => {}

  constructor(parts: OpenerParts) {
    this.#parts = { backoff: { baseMs: 1000, maxMs: 300_000 }, access: soleAccess, ...parts }
  }

  async start(): Promise<void> {
    const { store } = this.#parts
    for (const event of await store.read({ types: [openQueued.type, issueLinked.type] })) this.#note(event)
    this.#stopListening = store.subscribe((event) => this.#onEvent(event))
    this.#open()
  }

  /** Waits up to `timeoutMs` until every issue is opened; the rest is opened later. */
  async flush(timeoutMs = 10_000): Promise<void> {
    const { clock } = this.#parts
    const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
    const callOff = clock.after(timeoutMs, resolve)
    await Promise.race([this.#work.settled(), timeIsUp])
    callOff()
  }

  /** The issues of a feature that the forge does not have yet; null if it has all. */
  behind(feature: string): Behind | null {
    const pending = [...this.#waiting].filter(([, one]) => one.feature === feature).map(([name]) => name)
    if (pending.length === 0) return null
    const refused = pending.flatMap((name) => this.#refused.get(name) ?? [])
    const failed = this.#reason === undefined ? refused.length : pending.length
    return {
      pending: pending.length,
      failed,
      reason: this.#reason ?? refused[0] ?? 'the forge has not answered yet',
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#parts.access.stop()
    this.#stopListening()
    this.#callOffRetry()
    await this.#work.settled()
  }

  #onEvent(event: StoredEvent): void {
    if (issueMoved.is(event) && event.data.cause === 'greenlit' && event.feature !== undefined)
      this.#run(() => this.#queue(event.feature!, event.data.issue))
    this.#note(event)
    if (openQueued.is(event)) this.#open()
  }

  #note(event: StoredEvent): void {
    if (openQueued.is(event) && event.data.repo === this.#parts.repo) {
      const name = nameOf(event.data.feature, event.data.number)
      this.#waiting.set(name, event.data)
      this.#refused.delete(name)
    }
    if (issueLinked.is(event)) this.#waiting.delete(nameOf(event.feature!, event.data.issue))
  }

  /** Keyed by its issue, so that greenlighting it again queues nothing. */
  async #queue(feature: string, number: number): Promise<void> {
    const { store, views, repo } = this.#parts
    const issue = findIssue(await views.read(feature), number)
    if (!issue || issue.github !== undefined || issue.part_of !== undefined) return
    const event = openQueued.create({ stream: 'forge', feature }, { repo, feature, number })
    await store.append([{ ...event, key: { run: `forge-open:${repo}:${feature}`, step: String(number), n: 0 } }])
  }

  #open(): void {
    this.#run(async () => {
      for (const [name, one] of [...this.#waiting])
        if (!this.#isStopped && !this.#refused.has(name))
          await this.#parts.access.run(() => this.#openOrRefuse(name, one))
      this.#failures = 0
      this.#reason = undefined
    })
  }

  /** An issue that the forge refuses does not hold up the others; a forge that cannot be reached holds up all. */
  async #openOrRefuse(name: string, one: OpenQueued): Promise<void> {
    try {
      await this.#openOne(one)
    } catch (error) {
      if (!(error instanceof ForgeFailed) || error.retryable) throw error
      this.#refused.set(name, error.message)
    }
  }

  async #openOne({ feature, number }: OpenQueued): Promise<void> {
    const { store, forge, views } = this.#parts
    const view = await views.read(feature)
    const issue = findIssue(view, number)
    // A person may have given it a number, or the feature may be gone.
    if (!issue || issue.github !== undefined) {
      this.#waiting.delete(nameOf(feature, number))
      return
    }
    const opened = await forge.createIssue({ ...issueText(view, issue), marker: markerFor(feature, number) })
    await store.append([issueLinked.create(eventHeader(feature), { issue: number, github: opened.number })])
  }

  /** One after the other: two at once would both find no issue and open two. */
  #run(work: () => Promise<void>): void {
    this.#work.run('open', work).catch((error: unknown) => {
      if (this.#isStopped) return
      const isRetryable = error instanceof ForgeFailed ? error.retryable : false
      this.#reason = error instanceof Error ? error.message : String(error)
      if (!isRetryable) return
      const { clock, backoff } = this.#parts
      const wait = Math.min(backoff.maxMs, backoff.baseMs * 2 ** this.#failures++)
      this.#callOffRetry()
      this.#callOffRetry = clock.after(Math.max(wait, (error as ForgeFailed).retryAfterMs ?? 0), () => this.#open())
    })
  }
}

const nameOf = (feature: string, number: number) => `${feature}#${number}`
