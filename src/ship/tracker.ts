/** Keeps the forge true: every move of an issue becomes a wish in the outbox, once, also after a crash. GH. */
import { renderComment } from '../forge/comments.ts'
import type { Outbox } from '../forge/outbox.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { issueMoved, retryStarted } from './events.ts'
import { readFeature } from './feature-state.ts'
import type { FeatureView, IssueView } from './view.ts'

export class Tracker {
  readonly #store: Store
  readonly #outbox: Outbox
  readonly #retries: number
  #turn: Promise<unknown> = Promise.resolve()
  #stopListening = () => {}

  constructor(store: Store, outbox: Outbox, retries: number) {
    this.#store = store
    this.#outbox = outbox
    this.#retries = retries
  }

  /** Queues what an earlier process did not get to, then goes on as things happen. */
  async start(): Promise<void> {
    this.#stopListening = this.#store.subscribe((event) => this.#hear(event))
    // Of what happened before, only the last of each issue still says anything.
    const latest = new Map<string, StoredEvent>()
    for (const event of await this.#store.read({ types: [issueMoved.type, retryStarted.type] }))
      latest.set(`${event.feature}#${(event.data as { issue: number }).issue}`, event)
    for (const event of latest.values()) this.#hear(event)
    await this.#turn
    this.#outbox.start()
  }

  /** Waits for the forge to have it, but not for ever: what is left is sent later. */
  async flush(timeoutMs = 10_000): Promise<void> {
    await this.#turn
    await this.#outbox.flush({ timeoutMs })
  }

  async stop(): Promise<void> {
    this.#stopListening()
    await this.#turn
    await this.#outbox.stop()
  }

  #hear(event: StoredEvent): void {
    if (!issueMoved.is(event) && !retryStarted.is(event)) return
    this.#turn = this.#turn.then(() => this.#wish(event)).catch(() => {})
  }

  async #wish(event: StoredEvent): Promise<void> {
    const { feature } = event
    const { issue: number } = event.data as { issue: number }
    if (feature === undefined) return
    const view = await readFeature({ store: this.#store }, feature)
    const issue = view.issues.find((one) => one.number === number)
    if (issue?.github === undefined) return
    const comment = this.#comment(view, issue, event)
    const want = { state: issue.state, ...closing(issue, event), ...(comment === undefined ? {} : { comment }) }
    // Named after the fact that it follows from: told of it again, it is the same wish.
    const key = { run: `forge:${feature}`, step: String(event.seq), n: 0 }
    await this.#outbox.queue({ feature, number, issue: issue.github, want }, key)
  }

  #comment(view: FeatureView, issue: IssueView, event: StoredEvent): string | undefined {
    const about = { feature: view.feature, number: issue.number }
    const references = (numbers: readonly number[]) =>
      numbers.map((number) => {
        const github = view.issues.find((one) => one.number === number)?.github
        return { number, ...(github === undefined ? {} : { github }) }
      })
    const purposes = new Map(issue.modules.map(({ path, purpose }) => [path, purpose]))
    const files = issue.files.map((path) => ({ path, ...(purposes.has(path) ? { purpose: purposes.get(path)! } : {}) }))
    if (retryStarted.is(event)) {
      const reason = issue.failures.at(-1)?.detail.split('\n')[0]
      const retry = { ...about, kind: 'retry' as const, retry: event.data.attempt - 1, of: this.#retries }
      return renderComment({ ...retry, ...(reason === undefined ? {} : { reason }) })
    }
    if (!issueMoved.is(event)) return undefined
    switch (issue.state) {
      case 'DONE': {
        const unblocked = view.issues.filter(
          ({ depends_on, state }) => depends_on.includes(issue.number) && state === 'READY',
        )
        const numbers = references(unblocked.map(({ number }) => number))
        const tests = issue.tests === undefined ? {} : { tests: { passed: issue.tests, total: issue.tests } }
        return renderComment({
          ...about,
          kind: 'done',
          commit: issue.commit ?? '',
          files,
          unblocked: numbers,
          ...tests,
        })
      }
      case 'BLOCKED': {
        const output = issue.failures.at(-1)?.detail
        const blocked = { ...about, kind: 'blocked' as const, reason: issue.reason ?? 'it could not be built', files }
        return renderComment({
          ...blocked,
          dependsOn: references(issue.depends_on),
          ...(output === undefined ? {} : { output }),
        })
      }
      case 'READY':
        if (event.data.cause === 'unblocked') return renderComment({ ...about, kind: 'unblocked' })
        return renderComment({
          ...about,
          kind: 'greenlit',
          criteria: issue.acceptance_criteria.length,
          waitsFor: references(issue.depends_on),
        })
      default:
        return undefined
    }
  }
}

/** Done closes it, and a revert opens it again; whatever else happens, a person's own closing stands. */
function closing(issue: IssueView, event: StoredEvent): { closed?: boolean } {
  if (issue.state === 'DONE') return { closed: true }
  return issueMoved.is(event) && event.data.cause === 'reverted' ? { closed: false } : {}
}
