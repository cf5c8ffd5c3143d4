/**
 * Sends updates to the forge; the log keeps each one until the forge has it. Delivery is at least once: after a crash
 * between sending and recording, the update is sent again and changes nothing. Work never waits for it. SPEC.md § GH.
 */
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { EventKey } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { bringIssue } from './bring-issue.ts'
import { forgeFailed, forgeQueued, forgeSent, forgeStream, type Want } from './events.ts'
import { type Forge, ForgeFailed } from './forge.ts'
import { type ForgeAccess, soleAccess } from './forge-access.ts'
import {
  entryKey,
  type KnownIssue,
  latestWant,
  type OutboxEntry,
  type OutboxView,
  outboxView,
  type TrackedIssue,
} from './outbox-view.ts'
import { ownLabelDefinitions } from './own-labels.ts'

export interface OutboxSettings {
  store: Store
  forge: Forge
  /** `owner/name`. Entries for other repositories are ignored: their numbers mean other issues here. */
  repo: string
  labelPrefix?: string
  clock?: Clock
  random?: () => number
  /** The first wait after a failure, doubled each time, and the longest. */
  backoff?: { baseMs: number; maxMs: number }
  access?: ForgeAccess
}

export interface Wish {
  feature: string
  number: number
  /** Its number on the forge. */
  issue: number
  want: Want
  /** The `seq` of the event it follows from. */
  follows?: number
}

export interface Flushed {
  sent: number
  pending: number
  failures: OutboxFailure[]
}

export interface OutboxFailure {
  feature: string
  number: number
  issue: number
  code: string
  message: string
  retryable: boolean
}

export interface Behind {
  pending: number
  failed: number
  reason: string
}

/** Retry after an hour at the latest, however long the forge asks to wait. */
const longestPauseMs = 3_600_000

export class Outbox {
  readonly #settings: Required<Omit<OutboxSettings, 'labelPrefix'>> & Pick<OutboxSettings, 'labelPrefix'>
  #view: OutboxView = outboxView.initial()
  #seen = 0
  #sent = 0
  #labelsMade = false
  /** Failures in a row and the time of the next attempt, by entry key; '' is the whole forge. */
  readonly #waits = new Map<string, { failures: number; until: number }>()
  /** The last wish of an entry that the forge refused permanently. A later wish, or another process, tries again. */
  readonly #refused = new Map<string, number>()
  #locked = false
  #delivering: Promise<void> | undefined
  #stopping = false
  /** Set while the outbox is running. */
  #unsubscribe: (() => void) | undefined
  #callOffNextTry: () => void = () => {}

  constructor(settings: OutboxSettings) {
    const backoff = { baseMs: 1000, maxMs: 300_000 }
    const defaults = { clock: systemClock, random: Math.random, backoff, access: soleAccess }
    this.#settings = { ...defaults, ...settings }
  }

  /** Queues a wish. `flush` sends it; a started outbox sends it at once. */
  async queue(wish: Wish, key?: EventKey): Promise<void> {
    await this.queueAll([{ wish, ...(key ? { key } : {}) }])
  }

  async queueAll(wishes: readonly { wish: Wish; key?: EventKey }[]): Promise<void> {
    const { store, repo } = this.#settings
    if (wishes.length === 0) return
    const events = wishes.map(({ wish, key }) => {
      const event = forgeQueued.create({ stream: forgeStream, feature: wish.feature }, { repo, ...wish })
      return key ? { ...event, key } : event
    })
    await store.append(events)
  }

  /** Tries every queued entry at least once, and retries within the given time. */
  async flush({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}): Promise<Flushed> {
    const { clock } = this.#settings
    const before = this.#sent
    const deadline = clock.now() + timeoutMs
    this.#stopping = false
    this.#waits.clear()
    const timeIsUp = this.#pause(timeoutMs)
    try {
      for (;;) {
        await Promise.race([this.#deliver(), timeIsUp.over])
        const next = await this.#nextTry()
        if (this.#stopping || next === undefined || next > deadline || clock.now() >= deadline) break
        const wait = this.#pause(next - clock.now())
        await Promise.race([wait.over, timeIsUp.over])
        wait.callOff()
      }
    } finally {
      timeIsUp.callOff()
    }
    const entries = this.#entries()
    return { sent: this.#sent - before, pending: entries.length, failures: entries.flatMap(failureOf) }
  }

  /** The number of issues that are not yet up to date on the forge. */
  async pending(): Promise<number> {
    await this.#refresh()
    return this.#entries().length
  }

  /** A feature's issues that are not yet up to date on the forge: how many, how many failed, and why. */
  async behind(feature: string): Promise<Behind | null> {
    await this.#refresh()
    const entries = this.#entries().filter((entry) => entry.feature === feature)
    if (entries.length === 0) return null
    const failures = entries.flatMap(failureOf)
    const reason = failures.at(-1)?.message ?? 'the forge has not answered yet'
    return { pending: entries.length, failed: failures.length, reason }
  }

  /** How Convene left each issue on the forge; any difference is a person's change. */
  async known(): Promise<Map<number, TrackedIssue>> {
    await this.#refresh()
    return new Map(this.#view.known.get(this.#settings.repo))
  }

  /** Whether a comment was seen before. */
  async hasNoticed(comment: number): Promise<boolean> {
    await this.#refresh()
    return this.#view.comments.has(comment)
  }

  /** The pending wish for an issue; it may have been sent but not recorded. */
  async wanted(issue: number): Promise<Want | null> {
    await this.#refresh()
    const entries = this.#entries().filter((entry) => entry.issue === issue)
    return entries.length === 0 ? null : Object.assign({}, ...entries.map(latestWant))
  }

  /** Sends queued entries in the background and retries until they arrive. */
  start(): void {
    if (this.#unsubscribe) return
    this.#stopping = false
    this.#unsubscribe = this.#settings.store.subscribe((event) => {
      if (forgeQueued.is(event)) void this.#work()
    })
    void this.#work()
  }

  /** Starts nothing new; resolves when running requests have ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#settings.access.stop()
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#callOffNextTry()
    await this.#delivering?.catch(() => {})
  }

  async #work(): Promise<void> {
    try {
      await this.#deliver()
      const next = await this.#nextTry()
      if (!this.#unsubscribe || next === undefined) return
      this.#callOffNextTry()
      const { clock } = this.#settings
      this.#callOffNextTry = clock.after(next - clock.now(), () => void this.#work())
    } catch (error) {
      // The log closes with its owner; an entry that was sent but not recorded is sent again next time.
      if (this.#unsubscribe) process.emitWarning(error instanceof Error ? error : String(error))
    }
  }

  /** Serialised: two concurrent calls would both fail to find the comment and create it twice. */
  #deliver(): Promise<void> {
    this.#delivering ??= this.#sendAll().finally(() => {
      this.#delivering = undefined
    })
    return this.#delivering
  }

  async #sendAll(): Promise<void> {
    while (!this.#stopping) {
      if (!(await this.#nextDue())) return
      // Looks again once it has access: another process may have sent it meanwhile.
      await this.#settings.access.run(async () => {
        const entry = this.#stopping ? undefined : await this.#nextDue()
        if (entry) await this.#sendOne(entry)
      })
    }
  }

  async #nextDue(): Promise<OutboxEntry | undefined> {
    await this.#refresh()
    return this.#entries().find((each) => this.#dueAt(each) <= this.#settings.clock.now())
  }

  async #sendOne(entry: OutboxEntry): Promise<void> {
    const { store, repo } = this.#settings
    const { feature, number, issue } = entry
    const { id, seq: through } = entry.wishes.at(-1)!
    const about = { repo, feature, number, issue, id, through }
    const place = { stream: forgeStream, feature }
    const ended = await this.#bring(entry)
    if (ended.ok) {
      await store.append([
        forgeSent.create(place, { ...about, ...ended.left, state: this.#stateLeft(entry, ended.left) }),
      ])
      this.#waits.delete(entryKey(entry))
      this.#waits.delete('')
      this.#sent++
      return
    }
    const failed = { ...about, ...this.#recordFailure(entryKey(entry), through, ended.error) }
    await store.append([forgeFailed.create(place, failed)])
  }

  /** Keeps the open or closed state as last known, so that a person's change is noticed later. */
  #stateLeft(entry: OutboxEntry, left: KnownIssue): KnownIssue['state'] {
    if (latestWant(entry).closed !== undefined) return left.state
    return this.#view.known.get(entry.repo)?.get(entry.issue)?.state ?? left.state
  }

  async #bring(entry: OutboxEntry): Promise<{ ok: true; left: KnownIssue } | { ok: false; error: unknown }> {
    const { forge, labelPrefix } = this.#settings
    try {
      if (!this.#labelsMade) await forge.ensureLabels(ownLabelDefinitions(labelPrefix))
      this.#labelsMade = true
      return { ok: true, left: await bringIssue(forge, { ...entry, want: latestWant(entry) }, labelPrefix) }
    } catch (error) {
      return { ok: false, error }
    }
  }

  /** Schedules the next attempt and returns the event for this one. */
  #recordFailure(key: string, through: number, error: unknown) {
    const now = this.#settings.clock.now()
    const failed = error instanceof ForgeFailed ? error : undefined
    const { code = 'forge_failed', retryable = true } = failed ?? {}
    const message = error instanceof Error ? error.message : String(error)
    const attempt = (this.#waits.get(key)?.failures ?? 0) + 1
    const wait = { failures: attempt, until: now + this.#backoff(attempt) }
    const asked = failed?.retryAfterMs
    if (!retryable) this.#refused.set(key, through)
    else this.#waits.set(key, wait)
    if (code === 'forge_unauthorized') this.#locked = true
    if (code === 'forge_unreachable') this.#waits.set('', wait)
    if (asked === undefined) return { code, message, retryable, attempt }
    const until = now + Math.min(asked, longestPauseMs)
    return { code, message, retryable, attempt, not_before: new Date(until).toISOString() }
  }

  /** Half of the wait is fixed and half random, so that clients that failed together do not retry together. */
  #backoff(attempt: number): number {
    const { backoff, random } = this.#settings
    return Math.min(backoff.maxMs, backoff.baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
  }

  /** Undefined if nothing is queued. Reads the log again: a wish may have been queued during the last request. */
  async #nextTry(): Promise<number | undefined> {
    await this.#refresh()
    const times = this.#entries().map((entry) => this.#dueAt(entry))
    const next = Math.min(...times)
    return Number.isFinite(next) ? next : undefined
  }

  /** Infinity if only a person, or another wish, can help. */
  #dueAt(entry: OutboxEntry): number {
    const key = entryKey(entry)
    if (this.#locked || this.#refused.get(key) === entry.wishes.at(-1)!.seq) return Infinity
    const asked = Date.parse(this.#view.notBefore.get(this.#settings.repo) ?? '')
    // Guards against a clock that was set back.
    const pause = asked <= this.#settings.clock.now() + longestPauseMs ? asked : 0
    return Math.max(pause, this.#waits.get(key)?.until ?? 0, this.#waits.get('')?.until ?? 0)
  }

  #entries(): OutboxEntry[] {
    return [...this.#view.waiting.values()].filter(({ repo }) => repo === this.#settings.repo)
  }

  async #refresh(): Promise<void> {
    const events = await this.#settings.store.read({ stream: forgeStream, after: this.#seen })
    for (const event of events) {
      // Two readers may run at once.
      if (event.seq <= this.#seen) continue
      this.#view = outboxView.evolve(this.#view, event)
      this.#seen = event.seq
    }
  }

  #pause(milliseconds: number): { over: Promise<void>; callOff: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { over: promise, callOff: this.#settings.clock.after(milliseconds, resolve) }
  }
}

function failureOf({ feature, number, issue, failure }: OutboxEntry): OutboxFailure[] {
  if (!failure) return []
  const { code, message, retryable } = failure
  return [{ feature, number, issue, code, message, retryable }]
}
