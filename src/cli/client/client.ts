/**
 * A command's way to the owner of its project. Where there is none, the command becomes it. Where the owner goes away
 * while it is needed, the next one is found, or this process becomes it, and what was asked goes on from the log.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Delta } from '../../kernel/ask/deltas.ts'
import { type LoadedConfig, loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { becomeOwner, ownerAddress, stateFolderOf } from '../../kernel/owner.ts'
import { readToken } from '../../kernel/token.ts'
import type { RunningServer } from '../../serve/server.ts'
import { readServerSentEvents } from './server-sent-events.ts'
import { version } from './version.ts'

export type Happening = { event: StoredEvent } | { delta: Delta }

export interface Client {
  get<Body>(path: string): Promise<Body>
  /** Sends once more where the owner went away: only for what may be said twice. */
  post<Body>(path: string, body?: unknown): Promise<Body>
  /** Everything after `after`, as it happens, until `signal` aborts. */
  follow(query: Record<string, string>, after: number, signal: AbortSignal): AsyncGenerator<Happening>
  /** Called when this process has become the owner after another went away. */
  onTakeOver(listener: () => Promise<void>): void
  close(): Promise<void>
}

interface Link {
  fetch(path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
  owner: boolean
}

const patienceMs = 15_000

export async function connect(context: { folder: string; env: NodeJS.ProcessEnv }): Promise<Client> {
  const project = loadConfig({ folder: context.folder, env: context.env })
  let link = await findOwner(project, context.env)
  const takeOverListeners: (() => Promise<void>)[] = []

  let relinking: Promise<void> | undefined
  /** Once for all who saw `failed` fail: a second link made at the same time would own the project and never be closed. */
  const relink = (failed: Link): Promise<void> => {
    if (link !== failed) return Promise.resolve()
    relinking ??= newLink().finally(() => {
      relinking = undefined
    })
    return relinking
  }
  const newLink = async () => {
    await link.close()
    link = await findOwner(project, context.env)
    if (link.owner) for (const listener of takeOverListeners) await listener()
  }
  /** Tries again where the owner went away, also while its answer was being read. */
  const request = async <Value>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> => {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const tried = link
      try {
        return await read(await tried.fetch(path, init))
      } catch (error) {
        if (Date.now() > giveUpAt || error instanceof ConveneError || init.signal?.aborted) throw error
        await relink(tried)
      }
    }
  }
  return {
    get: <Body>(path: string) => request<Body>(path, { headers: { accept: 'application/json' } }, bodyOf),
    post: <Body>(path: string, body?: unknown) => {
      const headers = { 'content-type': 'application/json' }
      return request<Body>(path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) }, bodyOf)
    },
    async *follow(query, after, signal) {
      let last = after
      while (!signal.aborted) {
        const tried = link
        const path = `/api/events?${new URLSearchParams({ ...query, after: String(last) })}`
        try {
          const response = await request(
            path,
            { headers: { accept: 'text/event-stream' }, signal },
            async (open) => open,
          )
          if (!response.ok) await bodyOf(response)
          for await (const message of readServerSentEvents(response.body!, signal)) {
            if (message.event === 'delta') yield { delta: JSON.parse(message.data) as Delta }
            else {
              const event = JSON.parse(message.data) as StoredEvent
              last = event.seq
              yield { event }
            }
          }
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof ConveneError) throw error
        }
        if (!signal.aborted) await relink(tried)
      }
    },
    onTakeOver: (listener) => takeOverListeners.push(listener),
    close: () => link.close(),
  }
}

async function findOwner(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<Link> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const owned = await tryToOwn(project, env)
    if (owned) return owned
    const address = ownerAddress(stateFolderOf(project))
    if (address && (await isUp(address.url))) return remote(address.url, readToken(stateFolderOf(project), env))
    if (Date.now() > giveUpAt) {
      const who = address ? `process ${address.pid} at ${address.url}` : 'another process'
      throw new ConveneError(
        'owner_silent',
        `${who} holds ${stateFolderOf(project)} but does not answer. Stop it, then try again.`,
        { exitCode: 1, status: 503 },
      )
    }
    await pause(50)
  }
}

async function tryToOwn(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<Link | null> {
  const owned = await startOwner(project, env, { port: 0 })
  if (!owned) return null
  const { server, close } = owned
  return {
    owner: true,
    close,
    fetch: (path, init) => {
      const headers = new Headers(init.headers)
      headers.set('host', new URL(server.url).host)
      headers.set('authorization', `Bearer ${server.token}`)
      return server.fetch(new Request(server.url + path, { ...init, headers }))
    },
  }
}

/** Null where another process is the owner. */
export async function startOwner(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  listen: { port: number; host?: string },
): Promise<{ app: App; server: RunningServer; close(): Promise<void> } | null> {
  const owner = becomeOwner(stateFolderOf(project))
  if (!owner) return null
  let app: App | undefined
  try {
    const { createApp } = await import('../../app.ts')
    const { startServer } = await import('../../serve/server.ts')
    app = await createApp(project, env)
    if (app.salvaged) tellOfDamage(app.salvaged)
    const server = await startServer(app, { ...listen, version: version(), env })
    owner.announce(server.url)
    const opened = app
    let closing: Promise<void> | undefined
    const close = async () => {
      owner.withdraw()
      await server.close()
      await opened.close()
      owner.release()
    }
    return {
      app,
      server,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await app?.close()
    owner.release()
    throw error
  }
}

/** On stderr whatever the command prints: what was lost may be what it was asked for. */
function tellOfDamage({ damagedFile, lastSeq, parkedRuns }: NonNullable<App['salvaged']>): void {
  const kept = lastSeq === 0 ? 'No event could be read' : `What could be read was kept, up to event ${lastSeq}`
  const parked = parkedRuns > 0 ? ` Unfinished runs that were kept (${parkedRuns}) wait to be resumed.` : ''
  process.stderr.write(
    `The database had lost its tail. ${kept}; what came later, and runs that could not be read, are lost.${parked} The damaged file is ${damagedFile}. What git has is taken from git.\n`,
  )
}

function remote(url: string, token: string): Link {
  return {
    owner: false,
    close: async () => {},
    fetch: (path, init) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(url + path, { ...init, headers })
    },
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  const body = (await response.json()) as Body & {
    error?: { code: string; message: string; path?: string; expected?: string }
  }
  if (response.ok) return body
  const { code, message, path, expected } = body.error ?? {
    code: 'internal',
    message: `the server answered ${response.status}`,
  }
  // It is on its way out: whoever owns the project next answers.
  if (code === 'closed') throw new Error(message)
  if (code === 'unauthorized')
    throw new ConveneError(
      code,
      'the process that serves this project has another token: set CONVENE_TOKEN as it does',
      {
        path: 'CONVENE_TOKEN',
      },
    )
  throw new ConveneError(code, message, {
    path,
    expected,
    status: response.status,
    exitCode: response.status >= 500 ? 1 : 2,
  })
}
