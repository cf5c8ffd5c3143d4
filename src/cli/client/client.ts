/**
 * Connects a command to the owner of its project, or makes the command the owner where there is none. When the owner
 * goes away, the client finds the next one or becomes it, and repeats the request or continues the log where it was.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { findConfig } from '../../kernel/config/find.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { ownerAddress, stateFolderOf } from '../../kernel/owner-address.ts'
import { readToken } from '../../kernel/trust/token.ts'
import {
  type ApiClient,
  type ApiRoute,
  type CallArguments,
  type RequestParts,
  type ResponseOf,
  requestLine,
} from '../../serve/call.ts'
import { httpLink, isUp } from './http-link.ts'
import type { Link, LinkRequest, LinkResponse } from './link.ts'
import { happenings } from './server-sent-events.ts'

export interface Client extends ApiClient {
  /** Calls `listener` when this process becomes the owner after another one went away. */
  onTakeOver(listener: () => Promise<void>): void
  close(): Promise<void>
}

interface Context {
  folder: string
  env: NodeJS.ProcessEnv
}

const patienceMs = 15_000

export async function connect(context: Context): Promise<Client> {
  let link = (await runningOwner(context)) ?? (await findOwner(context))
  const takeOverListeners: (() => Promise<void>)[] = []

  let relinking: Promise<void> | undefined
  /** Shared by concurrent requests: a second link would own the project and never be closed. */
  const relink = (failed: Link): Promise<void> => {
    if (link !== failed) return Promise.resolve()
    relinking ??= newLink().finally(() => {
      relinking = undefined
    })
    return relinking
  }
  const newLink = async () => {
    await link.close()
    link = await findOwner(context)
    if (link.owner) for (const listener of takeOverListeners) await listener()
  }
  /** Retries if the owner goes away, even while its response is being read. */
  const request = async <Value>(
    path: string,
    init: LinkRequest,
    read: (response: LinkResponse) => Promise<Value>,
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
    call<Route extends ApiRoute>(route: Route, ...[given]: CallArguments<Route>) {
      const parts: RequestParts = given ?? {}
      const { method, path } = requestLine(route, parts)
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      const body = method === 'GET' ? {} : { body: JSON.stringify(parts.body ?? {}) }
      return request<ResponseOf<Route>>(path, { method, headers, ...body }, bodyOf)
    },
    async *follow(query, after, signal) {
      let last = after
      while (!signal.aborted) {
        const tried = link
        const { path } = requestLine('GET /api/events', { query: { ...query, after: last } })
        try {
          const response = await request(
            path,
            { headers: { accept: 'text/event-stream' }, signal },
            async (open) => open,
          )
          if (!response.ok) await bodyOf(response)
          for await (const happening of happenings(response.body!, signal)) {
            if ('event' in happening) last = happening.event.seq
            yield happening
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

/** Finds an announced owner without reading the configuration; null if there is none or it does not respond. */
async function runningOwner({ folder, env }: Context): Promise<Link | null> {
  const stateFolder = stateFolderOf(findConfig(folder, env))
  const address = ownerAddress(stateFolder)
  if (!address || !isAlive(address.pid) || !(await isUp(address.url))) return null
  return httpLink(address.url, readToken(stateFolder, env))
}

/** Counts a process of another user as alive: it exists although it cannot be signalled. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Finds the owner, or becomes it if there is none. */
async function findOwner({ folder, env }: Context): Promise<Link> {
  const { loadConfig } = await import('../../kernel/config/load.ts')
  const { ownerLink } = await import('./owner-link.ts')
  const project = loadConfig({ folder, env })
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const owned = await ownerLink(project, env)
    if (owned) return owned
    const address = ownerAddress(stateFolderOf(project))
    if (address && (await isUp(address.url))) return httpLink(address.url, readToken(stateFolderOf(project), env))
    if (Date.now() > giveUpAt) {
      const who = address ? `process ${address.pid} at ${address.url}` : 'another process'
      throw new ConveneError(
        'owner_silent',
        `${who} holds ${stateFolderOf(project)} but does not respond. Stop it, then run this again.`,
        { exitCode: 1, status: 503 },
      )
    }
    await pause(50)
  }
}

/** Reads the JSON of a response; a refused request throws its error. */
export async function bodyOf<Body>(response: LinkResponse): Promise<Body> {
  const body = (await response.json()) as Body & {
    error?: { code: string; message: string; path?: string; expected?: string }
  }
  if (response.ok) return body
  const { code, message, path, expected } = body.error ?? {
    code: 'internal',
    message: `the server responded with status ${response.status}`,
  }
  // The owner is shutting down: the next one answers.
  if (code === 'closed') throw new Error(message)
  if (code === 'unauthorized')
    throw new ConveneError(
      code,
      'the server of this project has a different token; set CONVENE_TOKEN to the same value',
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
