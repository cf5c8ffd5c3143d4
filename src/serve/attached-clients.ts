/** The commands that use this server, by the header that each of their requests carries. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { processState } from '../kernel/live-process.ts'
import { clientHeader } from '../kernel/owner-address.ts'
import type { AttachedClient } from '../rules/trust/owner.ts'
import { isSameProcess } from '../rules/trust/owner-lock.ts'
import { wantsPage } from './routes/wants-page.ts'

interface Seen {
  pid: number
  started: string | null
  openRequests: number
  lastAt: number
  /** The run of each event stream that is open. */
  follows: string[]
}

export class AttachedClients {
  readonly #seen = new Map<string, Seen>()

  /** Counts a request until its response, or its event stream, ends. */
  note(request: IncomingMessage, response: ServerResponse): void {
    const header = request.headers[clientHeader]
    if (typeof header !== 'string') return
    const [pid, encoded = ''] = header.split(' ')
    const started = decoded(encoded)
    if (!pid || !/^\d+$/.test(pid) || started === null) return
    const seen = this.#seen.get(header) ?? {
      pid: Number(pid),
      started: started === '' ? null : started,
      openRequests: 0,
      lastAt: 0,
      follows: [],
    }
    this.#seen.set(header, seen)
    seen.openRequests += 1
    seen.lastAt = performance.now()
    const run = wantsPage(request.headers.accept ?? '') ? null : followedRun(request.url)
    if (run !== null) seen.follows.push(run)
    response.once('close', () => {
      if (run !== null) seen.follows.splice(seen.follows.indexOf(run), 1)
      seen.openRequests -= 1
      seen.lastAt = performance.now()
    })
  }

  list(): AttachedClient[] {
    for (const [key, seen] of this.#seen) if (!isSameProcess(seen, processState(seen.pid))) this.#seen.delete(key)
    const now = performance.now()
    return [...this.#seen.values()].map(({ openRequests, lastAt, follows }) => ({
      alive: true,
      openRequests,
      idleMs: now - lastAt,
      follows: [...follows],
    }))
  }
}

function followedRun(path: string | undefined): string | null {
  const url = URL.parse(path ?? '', 'http://owner')
  return url?.pathname === '/api/events' ? url.searchParams.get('run') : null
}

/** Anybody can send the header: null for one that no command of ours has written. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
