/** Plays a schedule on the real app, engine and store, and returns what is then on disk. */
import { type App, createApp } from '../../src/app.ts'
import type { AskKind } from '../../src/kernel/agent.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import type { RunSummary } from '../../src/kernel/engine.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { TranscriptItem } from '../../src/room/view.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Action, type Message, rooms, type Schedule } from './fuzz-schedule.ts'

/** One call to an agent, as the agent received it. */
export interface Call {
  agent: string
  kind: AskKind
  run: string
  step: string
  prompt: string
}

export interface Played {
  events: StoredEvent[]
  runs: RunSummary[]
  rooms: { id: string; agents: string[]; transcript: TranscriptItem[] }[]
  messages: Sent[]
  calls: Call[]
  restarts: number
}

export async function play(schedule: Schedule): Promise<Played> {
  const player = new Player(schedule)
  await player.open()
  for (const action of schedule.actions) await player.act(action)
  return player.end()
}

interface Sent {
  room: number
  message: Message
}

class Player {
  readonly #folder: string
  readonly #calls: Call[] = []
  readonly #messages: Sent[] = []
  readonly #roomIds: string[] = []
  #deliveries: Promise<void>[] = []
  /** Messages whose sender got an error because the process was closing. */
  #refused: Sent[] = []
  #restarts = 0
  #app!: App

  constructor({ script, configuration }: Schedule) {
    this.#folder = temporaryFolder({ 'convene.yaml': configuration, 'script.yaml': script })
  }

  async open(): Promise<void> {
    this.#app = await createApp(loadConfig({ folder: this.#folder, env: {} }), {})
    for (const name of this.#app.agents.names()) this.#recordPrompts(name)
    if (this.#roomIds.length === 0)
      for (const agents of rooms) this.#roomIds.push((await this.#app.rooms.create({ agents })).id)
    await this.#app.engine.recover()
    for (const sent of this.#refused.splice(0)) this.#deliver(sent)
  }

  async act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'say':
        this.#messages.push(action)
        this.#deliver(action)
        return
      case 'again':
        this.#deliver(this.#messages[action.which]!)
        return
      case 'stop':
        return this.#stop(this.#messages[action.which]!.message)
      case 'restart':
        this.#restarts++
        await this.#app.close()
        await Promise.all(this.#deliveries)
        return this.open()
      case 'pause':
        return new Promise((resolve) => setTimeout(resolve, action.milliseconds))
    }
  }

  async end(): Promise<Played> {
    await Promise.all(this.#deliveries)
    const { engine, rooms: here, store } = this.#app
    for (const { id } of await engine.list()) await engine.result(id).catch(() => {})
    const played: Played = {
      events: await store.read({}),
      runs: await engine.list(),
      rooms: await Promise.all(
        this.#roomIds.map(async (id) => ({ id, agents: here.get(id).agents, transcript: await here.transcript(id) })),
      ),
      messages: this.#messages,
      calls: this.#calls,
      restarts: this.#restarts,
    }
    await this.#app.close()
    return played
  }

  /** Like a client that wants its message to arrive: if the process closes, it sends the message again. */
  #deliver(sent: Sent): void {
    const delivery = this.#app.rooms.post(this.#roomIds[sent.room]!, sent.message).then(
      () => {},
      (error) => {
        if (error.code !== 'closed') throw error
        this.#refused.push(sent)
      },
    )
    this.#deliveries.push(delivery)
  }

  /** What a stop affects depends on timing; a message that has not arrived cannot be stopped. */
  async #stop({ message_id, mode, text }: Message): Promise<void> {
    const session = mode === 'collaborate' || text.startsWith('@router')
    const stopping = session ? this.#app.rooms.stopSession(message_id) : this.#app.engine.stop(`message-${message_id}`)
    await stopping.catch((error) => {
      if (!/there is no/.test(error.message)) throw error
    })
  }

  #recordPrompts(name: string): void {
    const agent = this.#app.agents.get(name)
    const { call } = agent
    agent.call = (request, options) => {
      const { run, step } = request.question
      const prompt = request.messages.map((message) => message.content).join('\n\n')
      this.#calls.push({ agent: name, kind: request.kind, run, step, prompt })
      return call(request, options)
    }
  }
}
