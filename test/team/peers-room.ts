/** A room of peers for tests: a server, a room, and any of its agents as processes of their own. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { TranscriptItem } from '../../src/room/view.ts'
import { type Started, start, temporaryFolder } from '../support/convene.ts'
import { writeAll } from '../support/git-project.ts'
import { type Serving, serve } from './serve.ts'

export interface PeerLine {
  event: string
  room: string
  message_id: string | null
  agent: string
  [fact: string]: unknown
}

export interface RunningPeer {
  name: string
  process: Started
  lines(): PeerLine[]
}

export interface PeerSettings {
  env?: Record<string, string>
  yaml?: string
  /** Its entry below `agents`; a rehearsal agent without it. */
  agent?: string
  /** Starts it, see `start`. */
  via?: string[]
  /** Where it runs, such as a repository; else a folder of its own. */
  folder?: string
}

export interface PeersRoom {
  id: string
  project: string
  server: Serving
  env: Record<string, string>
  /** Starts a peer in a folder of its own that knows no other agent; resolves when it has joined. */
  peer(name: string, script: string, settings?: PeerSettings): Promise<RunningPeer>
  post(text: string, more?: object): Promise<string>
  events(message_id?: string): Promise<StoredEvent<Record<string, unknown>>[]>
  types(message_id: string): Promise<string[]>
  replies(message_id: string): Promise<StoredEvent<Record<string, unknown>>[]>
  transcript(): Promise<TranscriptItem[]>
}

/** Timers for tests in which none of them is to fire, however busy the machine is. */
export const unhurried = { alone: 60, round: 90, last_resort: 120 }

let projects = 0

/** `timers` are those of every peer, in seconds. */
export async function openPeersRoom(
  url: string,
  agents: string[],
  timers: { alone?: number; round?: number; last_resort?: number; yaml?: string } = {},
): Promise<PeersRoom> {
  const project = `peers-${process.pid}-${++projects}`
  const env = { CONVENE_DATABASE_URL: url }
  const { alone = 5, round = 15, last_resort = 25 } = timers
  const settings = `project: ${project}
room:
  peers: { alone_seconds: ${alone}, round_seconds: ${round}, last_resort_seconds: ${last_resort} }
${timers.yaml ?? ''}`
  const server = await keepServing(temporaryFolder({ 'convene.yaml': settings }), env)
  const { id } = await server.call<{ id: string }>('POST', '/api/rooms', { name: 'team', agents, dispatch: 'peers' })
  const events = async (message_id?: string) => {
    const query = message_id === undefined ? `room=${id}` : `run=message-${message_id}`
    const found: StoredEvent<Record<string, unknown>>[] = []
    for (let next: number | null = 0; next !== null; ) {
      const page: { events: typeof found; next: number | null } = await server.call(
        'GET',
        `/api/events?${query}&after=${next}`,
      )
      found.push(...page.events)
      next = page.next
    }
    return found
  }
  return {
    id,
    project,
    server,
    env,
    events,
    async peer(name, script, more = {}) {
      const agent = more.agent ?? `{ provider: rehearsal, script: ./${name}.yaml }`
      const yaml = `${settings}\n${more.yaml ?? ''}\nagents:\n  ${name}: ${agent}\n`
      const folder = more.folder ?? temporaryFolder()
      writeAll(folder, { 'convene.yaml': yaml, [`${name}.yaml`]: script })
      const process = start(['peer', '--name', name, '--room', 'team', '--json'], {
        cwd: folder,
        env: { ...env, ...more.env },
        ...(more.via ? { via: more.via } : {}),
      })
      const lines: PeerLine[] = []
      let rest = ''
      process.child.stdout!.on('data', (chunk) => {
        const parts = (rest + chunk).split('\n')
        rest = parts.pop()!
        lines.push(...parts.map((line) => JSON.parse(line) as PeerLine))
      })
      await process.says(/"joined"/)
      return { name, process, lines: () => lines }
    },
    async post(text, more = {}) {
      const body = { text, message_id: randomUUID(), ...more }
      return (await server.call<{ message_id: string }>('POST', `/api/rooms/${id}/messages`, body)).message_id
    },
    types: async (message_id) => (await events(message_id)).map(({ type }) => type),
    replies: async (message_id) => (await events(message_id)).filter(({ type }) => type === 'reply.posted'),
    transcript: async () =>
      (await server.call<{ items: TranscriptItem[] }>('GET', `/api/rooms/${id}/transcript`)).items,
  }
}

/**
 * Others may take the server for dead on a busy machine; it joins again by itself. A call that failed for this is made again, so
 * it must have no effect the second time.
 */
async function keepServing(cwd: string, env: Record<string, string>): Promise<Serving> {
  const serving = await serve(cwd, env)
  let ended: unknown
  serving.process.finished.then((how) => {
    ended = how
  })
  const call: Serving['call'] = async (method, path, body) => {
    for (;;) {
      try {
        return await serving.call(method, path, body)
      } catch (error) {
        const isAway = /fetch failed|fenced|terminated|closed/.test(`${error} ${JSON.stringify(error)}`)
        if (!isAway || ended) throw error
        await pause(100)
      }
    }
  }
  return { ...serving, call }
}

/** A script that answers any number of messages. */
export function scriptOf(
  name: string,
  { confidence = 0.5, proposal = '', answer = '' }: { confidence?: number; proposal?: string; answer?: string } = {},
): string {
  return `- when: { ask: micro-proposal }
  reply: { angle: the view of ${name}, confidence: ${confidence}, covers: [${name}], solo_sufficient: true }
  repeat: true
  ${proposal}
- when: { ask: answer }
  text: ${name} answers
  repeat: true
  ${answer}
`
}

export async function untilOver(room: PeersRoom, message_id: string): Promise<void> {
  await expect.poll(() => room.types(message_id), { timeout: 120_000 }).toContain('run.finished')
}
