/**
 * Notices what other processes wrote. Listens for notifications where the connection carries them; behind a pooler that
 * does not, and as a safety net, looks at the project's row.
 */
import pg from 'pg'
import { channelOf } from './postgres-transaction.ts'

export interface NoticesOptions {
  config: pg.ClientConfig
  schema: string
  project: number
  look(): Promise<{ seq: number; signals: number }>
  /** Sends a notification on another connection. */
  notify(channel: string, payload: string): Promise<void>
  /** The log reaches up to `seq`. */
  moved(seq: number): Promise<void>
}

const pollMs = 40
/** With notifications, looking is only a safety net. RD11: an answer whose notification was lost is found in half a second. */
const safetyMs = 500
const againMs = 1000

export class PostgresNotices {
  readonly #options: NoticesOptions
  readonly #signalListeners = new Set<() => void>()
  #client: pg.Client | null = null
  #works = false
  #signals: number | null = null
  #timer: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: NoticesOptions) {
    this.#options = options
    this.#listen()
    this.#schedule()
  }

  get works(): boolean {
    return this.#works
  }

  onSignals(listener: () => void): void {
    this.#signalListeners.add(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#retry)
    await this.#looking
    await this.#client?.end().catch(() => {})
  }

  /**
   * Notifications count as working once one came back that was sent on another connection. One of the same connection
   * proves nothing: a pooler passes it on while that transaction lasts, and none later.
   */
  async #listen(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client(this.#options.config)
    this.#client = client
    const lost = () => {
      if (this.#client !== client) return
      this.#client = null
      this.#works = false
      client.end().catch(() => {})
      if (!this.#closed) this.#retry = setTimeout(() => this.#listen(), againMs)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload = '' }) => this.#notified(payload))
    try {
      await client.connect()
      const channel = channelOf(this.#options.schema)
      await client.query(`LISTEN ${channel}`)
      await this.#options.notify(channel, 'hello')
    } catch {
      lost()
    }
  }

  #notified(payload: string): void {
    this.#works = true
    const [project, seq, signals] = payload.split(' ').map(Number)
    if (project !== this.#options.project || this.#closed) return
    if (signals! > 0) this.#tellSignals()
    this.#options.moved(seq!).catch(() => {})
  }

  #schedule(): void {
    if (this.#closed) return
    this.#timer = setTimeout(
      () => {
        this.#looking = this.#lookOnce().then(() => this.#schedule())
      },
      this.#works ? safetyMs : pollMs,
    )
  }

  async #lookOnce(): Promise<void> {
    try {
      const { seq, signals } = await this.#options.look()
      if (signals !== this.#signals) this.#tellSignals()
      this.#signals = signals
      await this.#options.moved(seq)
    } catch {
      // The database cannot be reached now; the next look may succeed.
    }
  }

  #tellSignals(): void {
    for (const listener of this.#signalListeners) listener()
  }
}
