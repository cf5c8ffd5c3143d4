/**
 * One connection to the owner that the calls of a long-lived command share. It is opened on first use and closed when
 * nobody uses it any more, so that an idle command does not hold the project.
 */
import { runFinished, runParked } from '../../kernel/run-events.ts'
import { type Client, connect } from './client.ts'

export interface Lease {
  owner(): Promise<Client>
  /** Keeps the connection until this run ends or is parked by an event after `after`; resumes it after a take-over. */
  track(run: string, after?: number): void
  release(): void
}

export interface SharedConnection {
  lease(): Lease
  /** Waits a moment for leases that are still in use: their runs are being stopped. */
  close(): Promise<void>
}

/** Spares calls in quick succession from opening the project again. */
const idleMs = 1_000
const mostClosingMs = 5_000

export function sharedConnection(context: Parameters<typeof connect>[0]): SharedConnection {
  let connecting: Promise<Client> | undefined
  let users = 0
  let leases = 0
  let lastReleased = () => {}
  let idle: NodeJS.Timeout | undefined
  const tracked = new Set<string>()
  const ending = new AbortController()

  const open = async () => {
    const client = await connect(context)
    client.onNewOwner(async () => {
      for (const run of tracked) await client.continueWork(run)
    })
    return client
  }
  const client = () => {
    connecting ??= open().catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }
  const close = async () => {
    clearTimeout(idle)
    const closing = connecting
    connecting = undefined
    await (await closing?.catch(() => undefined))?.close()
  }
  const use = () => {
    users += 1
    clearTimeout(idle)
    let used = true
    return () => {
      if (!used) return
      used = false
      users -= 1
      if (users === 0) idle = setTimeout(() => void close().catch(say), idleMs)
    }
  }
  const track = async (run: string, after: number) => {
    const release = use()
    tracked.add(run)
    try {
      const over = new AbortController()
      const end = () => over.abort()
      ending.signal.addEventListener('abort', end, { once: true })
      for await (const happening of (await client()).follow({ run }, after, over.signal)) {
        if (!('event' in happening) || happening.event.run !== run) continue
        if (runFinished.is(happening.event) || runParked.is(happening.event)) break
      }
      ending.signal.removeEventListener('abort', end)
      over.abort()
    } finally {
      tracked.delete(run)
      release()
    }
  }
  return {
    lease() {
      const stopUsing = use()
      leases += 1
      const release = () => {
        stopUsing()
        leases -= 1
        if (leases === 0) lastReleased()
      }
      return { owner: client, track: (run, after = 0) => void track(run, after).catch(() => {}), release }
    },
    async close() {
      if (leases > 0)
        await new Promise<void>((resolve) => {
          lastReleased = resolve
          setTimeout(resolve, mostClosingMs).unref()
        })
      ending.abort()
      await close()
    },
  }
}

/** The next call connects anew. */
function say(error: unknown): void {
  process.stderr.write(`convene: the project was not closed properly: ${(error as Error).message}\n`)
}
