/** A served room whose agents are models behind the emulator: each test says what they propose and what they answer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadProvider, modelProviders } from '../../src/agents/models/providers.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { answerWaiting, noticePosted, replyPosted, roomStream, roundResolved } from '../../src/room/events.ts'
import type { TranscriptItem } from '../../src/room/view.ts'
import { Emulator, models, secretKey } from '../agents/emulator.ts'
import { type Served, serve } from '../support/server.ts'
import { spoken } from './open-room.ts'

/** One call that reached the emulator. */
export interface Asked {
  /** The agent whose model was called. */
  agent: string
  kind: 'micro-proposal' | 'answer'
  /** The agent that the prompt addresses: `Your name is …`. */
  name: string
  /** The whole prompt. */
  prompt: string
}

/** Text, an object that is sent as JSON, or a failure by its HTTP status. */
export type Said = string | { angle: string; confidence: number; covers: string[]; [field: string]: unknown } | Failed
export interface Failed {
  status: number
}
export type Says = Said | ((asked: Asked) => Said | Promise<Said>)

export interface Part {
  proposes?: Says
  answers?: Says
}

const agents = {
  claude: { provider: 'anthropic', path: '/v1', key: 'ANTHROPIC_API_KEY' },
  gemini: { provider: 'google', path: '/v1beta', key: 'GEMINI_API_KEY' },
  gpt: { provider: 'openai', path: '/v1', key: 'OPENAI_API_KEY' },
} as const
type AgentName = keyof typeof agents
type Cast = Partial<Record<AgentName, Part>>
const names = Object.keys(agents) as AgentName[]

/** The emulator that all tests of a file share. */
export class Stage {
  readonly emulator = new Emulator()
  asked: Asked[] = []
  #cast: Cast = {}
  #curtain = Promise.resolve()

  async start(): Promise<void> {
    await this.emulator.start()
    this.listen()
    // The loading time of a first call must not count as a model's silence.
    await Promise.all([import('ai'), ...modelProviders.map(loadProvider)])
  }

  listen(): void {
    this.emulator.mock.on({ predicate: () => true }, async ({ model, messages }) => {
      const asked = this.#note(model, messages.map((message) => textOf(message.content)).join('\n\n'))
      return response(await this.#saidTo(asked))
    })
  }

  stop(): Promise<void> {
    return this.emulator.stop()
  }

  /** Opens a room with these agents. `more` is merged into the configuration; failed calls are not retried. */
  async open(cast: Cast, more = '', retry = noRetry): Promise<DispatchRoom> {
    this.asked = []
    this.#cast = cast
    const curtain = latch()
    this.#curtain = curtain.opened
    // Responses that the emulator still holds must not keep it from closing.
    onTestFinished(curtain.open)
    const served = await serve({ 'convene.yaml': this.configuration([retry, more]) }, { env })
    const { id } = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    return new DispatchRoom(served, id, this)
  }

  /** Sets what every agent replies from now on. */
  recast(cast: Cast): void {
    this.#cast = cast
  }

  /** The configuration of the given agents. */
  configuration(more: string[]): string {
    const lines = names
      .filter((name) => this.#cast[name])
      .map((name) => {
        const { provider, path } = agents[name]
        return `  ${name}: { provider: ${provider}, model: ${models[provider]}, base_url: '${this.emulator.mock.url}${path}' }`
      })
    // There is no repository to read, which the room would be told.
    const rest = more.join('\n')
    const room = rest.includes('room: {') ? [] : ['room: { tools: "off" }']
    return ['agents:', ...lines, rest.replace('room: {', 'room: { tools: "off",'), ...room].join('\n')
  }

  /** Stays silent for the duration of the test. */
  silence = async (): Promise<Said> => {
    await this.#curtain
    return 'too late'
  }

  questions(kind: Asked['kind'], name?: string): Asked[] {
    return this.asked.filter((asked) => asked.kind === kind && (name === undefined || asked.name === name))
  }

  #note(model: string, prompt: string): Asked {
    const agent = names.find((name) => models[agents[name].provider] === model)
    if (!agent) throw new Error(`nobody here has the model ${model}`)
    const kind = prompt.includes('so that a rule can decide who answers') ? 'micro-proposal' : 'answer'
    const asked: Asked = { agent, kind, name: /Your name is ([\w.-]+)\./.exec(prompt)?.[1] ?? '', prompt }
    this.asked.push(asked)
    return asked
  }

  async #saidTo(asked: Asked): Promise<Said> {
    const part = this.#cast[asked.name as AgentName] ?? {}
    const says = asked.kind === 'answer' ? (part.answers ?? `${asked.name} answers.`) : (part.proposes ?? fallback)
    return typeof says === 'function' ? says(asked) : says
  }
}

const noRetry = 'retry: { retries: 0 }'
const fallback: Said = { angle: 'nothing in particular', confidence: 0.1, covers: [] }
const env = Object.fromEntries(names.map((name) => [agents[name].key, secretKey]))

function response(said: Said) {
  if (typeof said === 'string') return { content: said }
  if (isFailed(said)) return { error: { message: 'as the test says', type: 'error' }, status: said.status }
  return { content: JSON.stringify(said) }
}

function isFailed(said: object): said is Failed {
  return Object.keys(said).join() === 'status'
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

/** The events of a room's log about one message. */
export interface Round {
  message_id: string
  run: string
  resolved: ReturnType<typeof roundResolved.create>['data'] & Record<string, unknown>
  replies: { agent: string; text: string; role?: string }[]
  notices: string[]
  waiting: { agent: string; for: string }[]
  result: { reason?: string }
}

export class DispatchRoom {
  readonly served: Served
  readonly id: string
  readonly #stage: Stage

  constructor(served: Served, id: string, stage: Stage) {
    this.served = served
    this.id = id
    this.#stage = stage
  }

  get asked(): Asked[] {
    return this.#stage.asked
  }

  /** Sends a message and waits until its round is over. */
  async say(text: string, more: Record<string, unknown> = {}): Promise<Round> {
    const posted = await this.post(text, more)
    return this.round(posted)
  }

  async post(text: string, more: Record<string, unknown> = {}): Promise<{ message_id: string; run: string }> {
    const { status, body } = await this.served.call('POST', `/api/rooms/${this.id}/messages`, { text, ...more })
    if (status !== 202) throw new Error(`the message was not taken: ${JSON.stringify(body)}`)
    return body
  }

  async round({ message_id, run }: { message_id: string; run: string }): Promise<Round> {
    const result = await this.served.app.engine.result<{ reason?: string }>(run)
    const events = (await this.events()).filter(
      (event) => (event.data as { message_id?: string }).message_id === message_id,
    )
    return {
      message_id,
      run,
      result,
      resolved: events.find((event) => roundResolved.is(event))?.data as Round['resolved'],
      replies: events.filter((event) => replyPosted.is(event)).map(({ data }) => data),
      notices: events.filter((event) => noticePosted.is(event)).map(({ data }) => data.text),
      waiting: events.filter((event) => answerWaiting.is(event)).map(({ data }) => data),
    }
  }

  async events(): Promise<StoredEvent[]> {
    const page = await this.served.call('GET', `/api/events?room=${this.id}&limit=10000`)
    return (page.body as { events: StoredEvent[] }).events
  }

  async transcript(): Promise<TranscriptItem[]> {
    const { body } = await this.served.call('GET', `/api/rooms/${this.id}/transcript`)
    return spoken((body as { items: TranscriptItem[] }).items)
  }

  /** Waits for an event of the room that matches. */
  async until(fits: (event: StoredEvent) => boolean): Promise<StoredEvent> {
    const { store } = this.served.app
    let stopListening = () => {}
    const coming = new Promise<StoredEvent>((resolve) => {
      stopListening = store.subscribe((event) => {
        if (event.stream === roomStream(this.id) && fits(event)) resolve(event)
      })
    })
    const past = (await store.read({ stream: roomStream(this.id) })).find(fits)
    const found = past ?? (await coming)
    stopListening()
    return found
  }

  /** The same room after a restart, with the agents given then. */
  async reopen(more = ''): Promise<DispatchRoom> {
    await this.served.close()
    writeFileSync(join(this.served.folder, 'convene.yaml'), this.#stage.configuration([noRetry, more]))
    return new DispatchRoom(await serve({}, { folder: this.served.folder, env }), this.id, this.#stage)
  }

  async override(override: string | null): Promise<{ status: number; body: { override?: unknown } }> {
    return this.served.call('POST', `/api/rooms/${this.id}/override`, { override })
  }
}

/** A latch: `opened` resolves once `open` is called. */
export function latch(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
