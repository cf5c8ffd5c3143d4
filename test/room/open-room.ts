/** A room of rehearsal agents, used over HTTP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { Session, TranscriptItem } from '../../src/room/view.ts'
import { type Served, serve } from '../support/server.ts'

/** One line of a rehearsal script, as in the file. */
export interface Line {
  when?: Record<string, string | number>
  reply?: unknown
  text?: string
  fail?: string
  after_ms?: number
  after_file?: string
  stream_ms?: number
  repeat?: boolean
}

export interface Posted {
  message_id: string
  session_id?: string
  run: string
}

export interface OpenRoom {
  id: string
  served: Served
  /** Sends a message and does not wait for an answer. */
  say(message: Record<string, unknown>): Promise<Posted>
  /** Sends a message and waits until everything that follows from it is done. */
  ask(message: Record<string, unknown>): Promise<Posted>
  /** Waits until a run is over, however it ends. */
  over(run: string): Promise<void>
  /** Releases the lines that wait for this file. */
  release(file: string): void
  /** Without the router's first call of an agent, which repeats the message. */
  transcript(): Promise<TranscriptItem[]>
  session(id: string | undefined): Promise<Session>
  events(type?: string): Promise<StoredEvent<Record<string, unknown>>[]>
  /** Waits for the first matching event, which may be in the log already. */
  until(fits: (event: StoredEvent<Record<string, unknown>>) => boolean): Promise<void>
}

export interface RoomOptions {
  agents?: string[]
  /** Additional keys of `convene.yaml`. */
  settings?: Record<string, unknown>
  env?: Record<string, string>
}

/** JSON is YAML. */
export function projectFiles(script: Line[], { agents = ['gpt', 'claude'], settings = {} }: RoomOptions = {}) {
  const entries = agents.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])
  return {
    'convene.yaml': JSON.stringify({ agents: Object.fromEntries(entries), ...settings }),
    'script.yaml': JSON.stringify(script),
  }
}

export async function openRoom(script: Line[], options: RoomOptions = {}): Promise<OpenRoom> {
  const served = await serve(projectFiles(script, options), { env: options.env })
  return newRoom(served)
}

export async function newRoom(served: Served, request: Record<string, unknown> = {}): Promise<OpenRoom> {
  const { id } = (await served.call('POST', '/api/rooms', request)).body as { id: string }
  return roomOf(served, id)
}

/** An existing room, for example after a restart. */
export function roomOf(served: Served, id: string): OpenRoom {
  const say = async (message: Record<string, unknown>) => {
    const { status, body } = await served.call('POST', `/api/rooms/${id}/messages`, message)
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body as Posted
  }
  const over = async (run: string) => {
    await served.app.engine.result(run).catch(() => {})
  }
  const events = async (type?: string) => {
    const all = (await served.app.store.read({ stream: `room:${id}` })) as StoredEvent<Record<string, unknown>>[]
    return type === undefined ? all : all.filter((event) => event.type === type)
  }
  return {
    id,
    served,
    say,
    over,
    events,
    release: (file) => writeFileSync(join(served.folder, file), ''),
    async ask(message) {
      const posted = await say(message)
      await over(posted.run)
      return posted
    },
    async transcript() {
      const { body } = await served.call('GET', `/api/rooms/${id}/transcript`)
      return spoken((body as { items: TranscriptItem[] }).items)
    },
    async session(session) {
      const { items, ...facts } = (await served.call('GET', `/api/sessions/${session}`)).body as Session & {
        items?: TranscriptItem[]
      }
      return items ? { ...facts, items: spoken(items) } : facts
    },
    async until(fits) {
      const happened = new Promise<void>((resolve) => {
        const off = served.app.store.subscribe((event) => {
          if (event.stream === `room:${id}` && fits(event as StoredEvent<Record<string, unknown>>)) {
            off()
            resolve()
          }
        })
        onTestFinished(off)
      })
      if ((await events()).some(fits)) return
      await happened
    },
  }
}

export interface RecordedPrompt {
  agent: string
  kind: string
  round?: number
  prompt: string
}

/** Records every prompt that agents get from now on, in order. */
export function recordPrompts(served: Served): RecordedPrompt[] {
  const received: RecordedPrompt[] = []
  for (const name of served.app.agents.names()) {
    const agent = served.app.agents.get(name)
    const call = agent.call.bind(agent)
    agent.call = (request, options) => {
      const prompt = request.messages.map(({ content }) => content).join('\n\n')
      received.push({ agent: name, kind: request.kind, round: request.facts?.round, prompt })
      return call(request, options)
    }
  }
  return received
}

export function spoken<Item extends { call_id: string }>(items: readonly Item[]): Item[] {
  return items.filter(({ call_id }) => !call_id.endsWith('/first'))
}
