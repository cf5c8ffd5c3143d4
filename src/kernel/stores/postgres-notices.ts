/**
 * Notices what other processes wrote. Listens for notifications where the connection carries them; behind a pooler that
 * does not, and as a safety net, looks at the project's row.
 *
 * Notifications count as working once a probe came back that this process sent to itself on another connection, after it
 * began to listen. Nothing else proves it: a pooler may pass on what it holds for another client while a statement is
 * answered, and nothing later. They count as lost again when a look finds news that no notification told of. Until the
 * next probe comes back, changes are polled for.
 */
import { randomUUID } from 'node:crypto'
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
/** Probes that do not come back are sent ever more rarely. */
const rarestMs = 60_000

export class PostgresNotices {
  readonly #options: NoticesOptions
  readonly #signalListeners = new Set<() => void>()
  #client: pg.Client | null = null
  #works = false
  #signals: number | null = null
  /** The last position that a notification told of. */
  #told = 0
  /** The position that the last look found: the next one expects to have been told of it. Null before the first look. */
  #expected: number | null = null
  #probe: string | null = null
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

  async #listen(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client(this.#options.config)
    this.#client = client
    const lost = () => {
      if (this.#client !== client) return
      this.#client = null
      this.#works = false
      this.#probe = null
      client.end().catch(() => {})
      clearTimeout(this.#retry)
      if (!this.#closed) this.#retry = setTimeout(() => this.#listen(), againMs)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload = '' }) => this.#notified(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${channelOf(this.#options.schema)}`)
    } catch {
      return lost()
    }
    this.#sendProbe(againMs)
  }

  /** Sends another, later each time, until one comes back. */
  #sendProbe(waitMs: number): void {
    if (this.#closed || !this.#client) return
    this.#probe = `probe ${randomUUID()}`
    this.#options.notify(channelOf(this.#options.schema), this.#probe).catch(() => {})
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#sendProbe(Math.min(waitMs * 2, rarestMs)), waitMs)
  }

  #notified(payload: string): void {
    if (payload === this.#probe) {
      this.#probe = null
      clearTimeout(this.#retry)
      this.#expected = null
      this.#works = true
      return
    }
    const [project, seq, signals] = payload.split(' ').map(Number)
    if (project !== this.#options.project || this.#closed) return
    this.#told = Math.max(this.#told, seq!)
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
      this.#compare(seq)
      if (signals !== this.#signals) this.#tellSignals()
      this.#signals = signals
      await this.#options.moved(seq)
    } catch {
      // The database cannot be reached now; the next look may succeed.
    }
  }

  /** What a look finds may be told of a moment later, but not as late as the next look. */
  #compare(seq: number): void {
    if (!this.#works) return
    if (this.#expected === null) this.#told = Math.max(this.#told, seq)
    else if (this.#told < this.#expected) {
      this.#works = false
      this.#sendProbe(againMs)
    }
    this.#expected = seq
  }

  #tellSignals(): void {
    for (const listener of this.#signalListeners) listener()
  }
}
