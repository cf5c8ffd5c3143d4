/** Reads a server's log as it grows, in one place, however many messages are waited for. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Fact } from './check-rounds.ts'
import type { Serving } from './serve.ts'

export interface FollowedLog {
  events: readonly Fact[]
  /** Resolves when the run of this name has finished. */
  finished(run: string): Promise<void>
  /** Reads up to the end and stops. Rejects if reading failed. */
  stop(): Promise<void>
}

export function followLog(server: Serving): FollowedLog {
  const events: Fact[] = []
  const waiting = new Map<string, () => void>()
  const done = new Set<string>()
  let isStopped = false
  const read = async () => {
    for (let next: number | null = 0; ; ) {
      const after = events.at(-1)?.seq ?? 0
      const page: { events: Fact[]; next: number | null } = await server.call('GET', `/api/events?after=${after}`)
      for (const event of page.events) {
        events.push(event)
        if (event.type !== 'run.finished') continue
        done.add(event.run!)
        waiting.get(event.run!)?.()
      }
      next = page.next
      if (next !== null) continue
      if (isStopped) return
      await pause(100)
    }
  }
  const reading = read()
  return {
    events,
    finished: (run) =>
      Promise.race([
        new Promise<void>((resolve) => {
          if (done.has(run)) resolve()
          waiting.set(run, resolve)
        }),
        reading,
      ]),
    stop() {
      isStopped = true
      return reading
    },
  }
}
