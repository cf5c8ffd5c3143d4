/** An outbox over a real log in a temporary folder, and a forge that fails when a test says so. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Forge } from '../../src/forge/forge.ts'
import { MemoryForge } from '../../src/forge/memory.ts'
import { Outbox, type OutboxSettings } from '../../src/forge/outbox.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { Store } from '../../src/kernel/store.ts'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import type { SimulatedClock } from '../contract/simulated-clock.ts'

export const repo = 'acme/shop'

export interface OpenedLog {
  store: Store
  /** An outbox as another process would open it. */
  outbox(forge: Forge, settings?: Partial<OutboxSettings>): Outbox
  events(): Promise<StoredEvent<Record<string, unknown>>[]>
  close(): Promise<void>
}

export async function openLog(redact?: <Value>(value: Value) => Value): Promise<OpenedLog> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-outbox-'))
  const database = new Database(join(folder, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(folder, 'payloads'), redact })
  return {
    store,
    outbox: (forge, settings = {}) =>
      new Outbox({ store, forge, repo, backoff: { baseMs: 1, maxMs: 20 }, ...settings }),
    events: async () => (await store.read({ stream: 'forge' })) as StoredEvent<Record<string, unknown>>[],
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Calls `before` ahead of each call of the forge; the forge throws what it throws. */
export class WatchedForge extends MemoryForge {
  readonly calls: string[] = []
  before: (call: string, issue: number | undefined) => void | Promise<void> = () => {}

  override async ensureLabels(...given: Parameters<Forge['ensureLabels']>) {
    await this.#note('ensureLabels')
    return super.ensureLabels(...given)
  }
  override async getIssue(issue: number) {
    await this.#note('getIssue', issue)
    return super.getIssue(issue)
  }
  override async setLabels(issue: number, labels: string[]) {
    await this.#note('setLabels', issue)
    return super.setLabels(issue, labels)
  }
  override async putComment(issue: number, marker: string, body: string) {
    await this.#note('putComment', issue)
    return super.putComment(issue, marker, body)
  }
  override async closeIssue(issue: number) {
    await this.#note('closeIssue', issue)
    return super.closeIssue(issue)
  }
  override async reopenIssue(issue: number) {
    await this.#note('reopenIssue', issue)
    return super.reopenIssue(issue)
  }

  async #note(call: string, issue?: number): Promise<void> {
    this.calls.push(issue === undefined ? call : `${call} ${issue}`)
    await this.before(call, issue)
  }
}

/** The store of a process that dies just before it can record this. */
export function dyingBefore(store: Store, type: string): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'append')
        return async (events: Parameters<Store['append']>[0]) => {
          if (events.some((event) => event.type === type)) throw new Error('killed')
          return target.append(events)
        }
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Advances simulated time until the promise settles. */
export async function passTime<Value>(clock: SimulatedClock, promise: Promise<Value>, stepMs = 50): Promise<Value> {
  let settled = false
  const note = () => {
    settled = true
  }
  promise.then(note, note)
  while (!settled) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (!settled) clock.advance(stepMs)
  }
  return promise
}
