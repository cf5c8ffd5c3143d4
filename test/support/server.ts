/** Serves a project inside the test process: the real app, engine and store on a real socket. */
import { expect, onTestFinished } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { mountsOf } from '../../src/cli/client/mounts.ts'
import { readServerSentEvents } from '../../src/cli/client/server-sent-events.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { type RunningServer, startServer } from '../../src/serve/server.ts'
import { checkResponses } from './check-responses.ts'
import { temporaryFolder, trusting } from './convene.ts'

export interface Served {
  app: App
  server: RunningServer
  folder: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: never }>
  close(): Promise<void>
}

export interface ServeOptions {
  folder?: string
  env?: Record<string, string>
}

export async function serve(files: Record<string, string>, options: ServeOptions = {}): Promise<Served> {
  const folder = options.folder ?? temporaryFolder(files)
  const env = { ...trusting, ...options.env }
  const app = await createApp(loadConfig({ folder, env }), env)
  const problems: string[] = []
  const observe = checkResponses((problem) => problems.push(problem))
  const server = await startServer(app, { port: 0, version: 'test', env, observe, mounts: mountsOf(app, env) })
  await app.engine.recover()
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= server.close().then(() => app.close())
    return closed
  }
  onTestFinished(async () => {
    await close()
    expect(problems).toEqual([])
  })
  return {
    app,
    server,
    folder,
    close,
    async call(method, path, body, headers = {}) {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${server.token}`, accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as never }
    },
  }
}

/** Server-sent events of a served project, until `enough` holds. */
export async function listen(
  served: Served,
  query: string,
  enough: (received: Received) => boolean,
  headers: Record<string, string> = {},
): Promise<Received> {
  const over = new AbortController()
  const response = await fetch(`${served.server.url}/api/events${query}`, {
    headers: { authorization: `Bearer ${served.server.token}`, accept: 'text/event-stream', ...headers },
    signal: over.signal,
  })
  const received: Received = { events: [], deltas: [] }
  for await (const message of readServerSentEvents(response.body!)) {
    if (message.event === 'delta') received.deltas.push(JSON.parse(message.data))
    else received.events.push(JSON.parse(message.data))
    if (enough(received)) break
  }
  over.abort()
  return received
}

export interface Received {
  events: StoredEvent[]
  deltas: { ask: string; attempt: number; offset: number; text: string }[]
}
