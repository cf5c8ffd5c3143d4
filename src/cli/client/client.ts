/**
 * Connects a command to the owner of its project, or makes the command the owner where there is none. When the owner
 * goes away, the client finds the next one or becomes it, and repeats the request or continues the log where it was.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { findConfig } from '../../kernel/config/find.ts'
import { ConveneError } from '../../kernel/errors.ts'
import {
  fingerprint,
  isOwnerAlive,
  notedLeaving,
  type OwnerAddress,
  stateFolderOf,
} from '../../kernel/owner-address.ts'
import { readToken } from '../../kernel/trust/token.ts'
import { contradictingVariables, ownerLeft } from '../../rules/trust/owner.ts'
import {
  type ApiClient,
  type ApiRoute,
  type CallArguments,
  type RequestParts,
  type ResponseOf,
  requestLine,
} from '../../serve/call.ts'
import { type ClientContext, type ClientOptions, findOwner, runningOwner } from './find-owner.ts'
import type { Link, LinkRequest, LinkResponse } from './link.ts'
import { happenings } from './server-sent-events.ts'

export interface Client extends ApiClient {
  /** Calls `listener` when another process, or this one, has become the owner. Call the result to unregister. */
  onNewOwner(listener: () => Promise<void>): () => void
  /** Continues a run that its owner left unfinished; one that ended or waits for a person stays as it is. */
  continueWork(run: string): Promise<void>
  close(): Promise<void>
}

/** An owner that lives and responds, but fails the same request this often, will not get better. */
const mostFailures = 10

export async function connect(context: ClientContext, options: ClientOptions = {}): Promise<Client> {
  let link = (await runningOwner(context, options)) ?? (await findOwner(context, options))
  const newOwnerListeners = new Set<() => Promise<void>>()
  /** Set if the work cannot be continued by the new owner. */
  const broken = new AbortController()

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
    const before = nameOf(link)
    const { address } = link
    await link.close()
    const reports = address !== undefined && !options.brief && !options.watches
    const isReportedEarly = reports && !isOwnerAlive(address) && leftAs(address, context) === 'unsaid'
    if (isReportedEarly) process.stderr.write(`convene: ${gone(address)}; looking for its unfinished work\n`)
    link = await findOwner(context, options)
    if (reports && nameOf(link) !== before) {
      const what = isReportedEarly ? continuedBy(link, 'unsaid') : whatHappened(address, link, context)
      process.stderr.write(`convene: ${what}\n`)
    }
    // Not awaited: the listener's own request may need the next link.
    if (nameOf(link) !== before)
      for (const listener of newOwnerListeners) listener().catch((error) => broken.abort(error))
  }
  /** Retries if the owner goes away, even while its response is being read. */
  const request = async <Value>(
    path: string,
    init: LinkRequest,
    read: (response: LinkResponse) => Promise<Value>,
  ): Promise<Value> => {
    const failures = new Map<string, number>()
    for (;;) {
      const tried = link
      try {
        return await read(await tried.fetch(path, init))
      } catch (error) {
        const name = nameOf(tried)
        const count = (failures.get(name) ?? 0) + 1
        if (error instanceof ConveneError || init.signal?.aborted || count >= mostFailures) throw error
        failures.set(name, count)
        await pause(20 * count)
        await relink(tried)
      }
    }
  }
  const client: Client = {
    async call<Route extends ApiRoute>(route: Route, ...[given]: CallArguments<Route>) {
      if (startsWork.has(route)) refuseOtherEnvironment(link, context)
      const parts: RequestParts = given ?? {}
      const { method, path } = requestLine(route, parts)
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      const body = method === 'GET' ? {} : { body: JSON.stringify(parts.body ?? {}) }
      return request<ResponseOf<Route>>(path, { method, headers, ...body }, bodyOf)
    },
    async *follow(query, after, over) {
      let last = after
      const ended = new AbortController()
      const end = () => ended.abort()
      const { signal } = ended
      for (const one of [over, broken.signal]) {
        if (one.aborted) end()
        else one.addEventListener('abort', end, { once: true })
      }
      try {
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
            if (!signal.aborted && error instanceof ConveneError) throw error
          }
          if (!signal.aborted) await relink(tried)
        }
        if (!over.aborted && broken.signal.aborted) throw broken.signal.reason
      } finally {
        for (const one of [over, broken.signal]) one.removeEventListener('abort', end)
      }
    },
    onNewOwner(listener) {
      newOwnerListeners.add(listener)
      return () => newOwnerListeners.delete(listener)
    },
    async continueWork(run) {
      const { status } = await client.call('GET /api/runs/:run', { params: { run } })
      if (status === 'running') await client.call('POST /api/runs/:run/resume', { params: { run } })
    },
    close: () => link.close(),
  }
  return client
}

const nameOf = ({ owner, address }: Link) => (owner ? 'this process' : `${address?.pid} ${address?.started}`)

type Left = ReturnType<typeof ownerLeft>

const leftAs = (address: OwnerAddress, { folder, env }: ClientContext): Left =>
  ownerLeft(address, notedLeaving(stateFolderOf(findConfig(folder, env))))

const gone = ({ pid }: OwnerAddress) => `process ${pid}, which did the work, is gone`

/** TR6: a hand-over between two steps interrupts nothing. */
function whatHappened(before: OwnerAddress, link: Link, context: ClientContext): string {
  const left = leftAs(before, context)
  const happened = {
    'between-steps': `process ${before.pid} has finished its own work and handed this over`,
    'in-a-step': `process ${before.pid}, which did the work, has ended`,
    unsaid: gone(before),
  }[left]
  return `${happened}; ${continuedBy(link, left)}`
}

function continuedBy({ owner, address }: Link, left: Left): string {
  const who = owner ? 'this process continues the work' : `process ${address?.pid} continues the work`
  if (left === 'between-steps') return `${who} where it was`
  return `${who}: finished steps are kept, and the interrupted one starts again`
}

/** Routes whose work calls agents, commands or a forge with the owner's environment. */
const startsWork: ReadonlySet<ApiRoute> = new Set<ApiRoute>([
  'POST /api/rooms/:room/messages',
  'POST /api/rooms/:room/agent-messages',
  'POST /api/plans',
  'POST /api/builds',
  'POST /api/comparisons',
  'POST /api/ships',
  'POST /api/features/:feature/greenlight',
  'POST /api/features/:feature/runs',
  'POST /api/runs/:run/resume',
  'POST /api/runs/:run/fork',
])

/** TR6: work that the owner hosts runs with the owner's keys. Other keys here would be ignored silently. */
function refuseOtherEnvironment({ address }: Link, { folder, env }: ClientContext): void {
  if (!address?.environment) return
  const token = readToken(stateFolderOf(findConfig(folder, env)), env)
  const [name] = contradictingVariables(address.environment, (variable) => fingerprint(env[variable], token))
  if (name === undefined) return
  const theirs = address.environment[name] === null ? 'without it' : 'with another value'
  throw new ConveneError(
    'other_environment',
    `${name} is set here, but process ${address.pid}, which does the work of this project, was started ${theirs}. Run this again when that process has ended, restart it with the same value, or unset ${name} here to use its value.`,
    { path: name, exitCode: 2, status: 409 },
  )
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
