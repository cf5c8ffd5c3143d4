/** `convene talk`, or `convene` alone: a room in the terminal, line by line. */
import { randomUUID } from 'node:crypto'
import type { AgentDescription } from '../../agents/configured.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { roomModes } from '../../room/events.ts'
import type { Override } from '../../rules/room/override.ts'
import { type Client, connect } from '../client/client.ts'
import { openRoom } from '../client/find-room.ts'
import { isSessionMode, messageRequest, type Wish } from '../client/message-request.ts'
import { senderFolder } from '../client/sender-folder.ts'
import { inWords } from '../display/describe-round.ts'
import { liveDisplay, type Screen } from '../display/live-display.ts'
import { agentColours, createSpinner, type Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { showRun } from '../display/show-run.ts'
import { followRun } from '../follow/follow-run.ts'
import { completeTalk } from '../talk/completion.ts'
import { createTalkInput, type TalkInput } from '../talk/input.ts'
import { readTalkLine, type TalkLine } from '../talk/line.ts'
import { TalkRoom } from '../talk/room.ts'
import { greeting, help, overrideInWords, past, roomLine, why } from '../talk/words.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

export async function talkCommand(context: CommandContext, options: { room: string }): Promise<number> {
  if (!context.output.terminal || !process.stdin.isTTY)
    throw new ConveneError('usage', 'a room needs a terminal; without one use `convene ask "…"`')
  return untilInterrupted(async (interrupted) => {
    const client = await connect(context, { watches: true })
    try {
      const talk = await Talk.open(client, context, options.room)
      interrupted.addEventListener('abort', () => talk.leave(), { once: true })
      await talk.run()
      return 0
    } finally {
      await client.close()
    }
  })
}

class Talk {
  readonly #client: Client
  readonly #output: Output
  /** Where `@path` is looked up. */
  readonly #folder: { folder?: string }
  readonly #agents: AgentDescription[]
  readonly #screen: Screen
  readonly #input: TalkInput
  /** Runs started from this terminal. */
  readonly #own = new Set<string>()
  /** The message in progress. Its run is known once the owner has accepted it. */
  #current: { run?: string; stopping: boolean } | null = null
  #here: TalkRoom
  #roomNames: string[] = []
  #override: Override | undefined
  #wish: Wish = { to: [] }

  static async open(client: Client, context: CommandContext, room: string): Promise<Talk> {
    const { agents } = await client.call('GET /api/agents')
    return new Talk(client, context, agents, await TalkRoom.enter(client, await openRoom(client, room)))
  }

  private constructor(client: Client, context: CommandContext, agents: AgentDescription[], here: TalkRoom) {
    const { output } = context
    this.#client = client
    this.#output = output
    this.#folder = senderFolder(context)
    this.#agents = agents
    this.#here = here
    const colourOf = agentColours(agents.map(({ name }) => name))
    const columns = () => process.stdout.columns
    this.#screen = { write: output.stream, style: output.style, colourOf, spin: createSpinner().spin, columns }
    this.#input = createTalkInput({
      complete: (line) =>
        completeTalk(line, {
          agents: this.#here.room.agents,
          rooms: this.#roomNames,
          files: async (query) => (await client.call('GET /api/files', { query: { query, limit: 100 } })).files,
        }),
      onStop: () => void this.#stopCurrent(),
      onInterrupt: () => this.#interrupt(),
    })
    client.onNewOwner(async () => {
      const run = this.#current?.run
      if (run) await client.continueWork(run)
    })
  }

  async run(): Promise<void> {
    try {
      await this.#enter()
      this.#output.print(`${this.#output.style('dim', '/help lists the commands. Esc stops a run, Ctrl-D leaves.')}\n`)
      for (;;) {
        this.#listen()
        const typed = await this.#input.next(this.#prompt())
        await this.#here.quiet()
        const line: TalkLine = typed === null ? { kind: 'quit' } : readTalkLine(typed)
        if (line.kind === 'quit') return
        await this.#act(line).catch((error) => this.#printError(error))
      }
    } finally {
      this.#input.close()
      await this.#here.quiet()
    }
  }

  /** On a signal: stops the runs, then leaves the room. */
  leave(): void {
    this.#input.close()
    void this.#stopCurrent()
  }

  async #act(line: Exclude<TalkLine, { kind: 'quit' }>): Promise<void> {
    switch (line.kind) {
      case 'nothing':
        return
      case 'message':
        return this.#say(line.text, line.override ? { to: [] } : this.#wish, line.override)
      case 'collaborate':
        return this.#say(line.goal, { to: line.names, mode: 'collaborate' })
      case 'ship':
        return this.#ship(line.goal)
      case 'tell':
        return this.#messageAgent(line.agent, line.text)
      case 'to':
        return this.#to(line.names)
      case 'mode':
        return this.#mode(line.mode)
      case 'override':
        return this.#setOverride(line.override)
      case 'rooms':
        return this.#listRooms()
      case 'room':
        return this.#goTo(line.room)
      case 'stop':
        return this.#stopOthers()
      case 'why':
        return this.#print(why(this.#here.last))
      case 'help':
        return this.#print(help(this.#here.room.agents, this.#screen))
      case 'wrong':
        return this.#print(this.#output.style('yellow', printable(line.message)))
    }
  }

  /** Sends a message and shows its run until the end. */
  async #say(text: string, wish: Wish, override?: string): Promise<void> {
    const { room } = this.#here
    const message = {
      ...messageRequest(text, wish, room),
      ...this.#folder,
      message_id: randomUUID(),
      ...(override ? { override } : {}),
    }
    const current: { run?: string; stopping: boolean } = { stopping: false }
    this.#current = current
    const display = liveDisplay(this.#screen, { names: true })
    const show = showRun(display)
    try {
      const { run } = await this.#client.call('POST /api/rooms/:room/messages', {
        params: { room: room.id },
        body: message,
      })
      this.#own.add(run)
      current.run = run
      if (current.stopping) await this.#stopRun(run)
      display.waitingFor('waiting for the first reply')
      const { reason, items } = await followRun(this.#client, run, (happening) => {
        if ('delta' in happening) return show.delta(happening.delta)
        this.#here.note(happening.event)
        show.event(happening.event)
      })
      if (reason !== undefined && !items.some((item) => item.sender === 'router')) display.notice(reason)
    } finally {
      this.#current = null
      display.over()
    }
    this.#output.print('')
  }

  /** Does not wait for its end: the room shows its notices while the person types on. */
  async #ship(goal: string): Promise<void> {
    const message = { text: `/ship ${goal}`, message_id: randomUUID() }
    const { run } = await this.#client.call('POST /api/rooms/:room/messages', {
      params: { room: this.#here.room.id },
      body: message,
    })
    const { style } = this.#output
    this.#print(
      style('dim', `Shipping as ${run}. /stop stops it; after you leave, continue with: convene resume ${run}`),
    )
  }

  /** Does not wait for the reply: it appears above the input line. */
  async #messageAgent(to: string, content: string): Promise<void> {
    await this.#client.call('POST /api/rooms/:room/agent-messages', {
      params: { room: this.#here.room.id },
      body: { kind: 'inform', from: 'you', to, content, expects_reply: true },
    })
  }

  #to(names: string[]): void {
    const { agents } = this.#here.room
    const unknown = names.filter((name) => !agents.includes(name))
    if (unknown.length > 0)
      throw new ConveneError(
        'unknown_agent',
        `${unknown.join(' and ')}: not in this room; its agents are ${agents.join(', ')}`,
      )
    const sessions = isSessionMode(this.#wish.mode)
    const mode = sessions ? this.#wish.mode : names.length > 1 ? 'collaborate' : undefined
    this.#wish = { to: names, mode }
  }

  #mode(mode: string | undefined): void {
    if (mode === undefined) {
      this.#print(`The mode is ${this.#modeNow()}; the modes are ${inWords(roomModes)}.`)
      return
    }
    if (!(roomModes as readonly string[]).includes(mode))
      throw new ConveneError('invalid_input', `unknown mode '${mode}'; use ${inWords(roomModes)}`)
    const wish: Wish = mode === 'coordinate' ? { to: [] } : { to: this.#wish.to, mode }
    messageRequest('', wish, this.#here.room) // Throws where the mode does not fit who is asked.
    this.#wish = wish
  }

  async #setOverride(override: string | null): Promise<void> {
    const params = { room: this.#here.room.id }
    this.#override = (
      await this.#client.call('POST /api/rooms/:room/override', { params, body: { override } })
    ).override
    const { style } = this.#output
    if (!this.#override) this.#print(style('dim', 'The rule decides who answers.'))
    else
      this.#print(
        style(
          'dim',
          `From now on ${overrideInWords(this.#override, this.#here.room.agents)} in this room. /rule lets the rule decide again.`,
        ),
      )
  }

  async #listRooms(): Promise<void> {
    const { rooms } = await this.#client.call('GET /api/rooms')
    this.#roomNames = rooms.map(({ name }) => name)
    this.#print(rooms.map((room) => roomLine(room, room.id === this.#here.room.id, this.#screen)).join('\n'))
  }

  async #goTo(name: string): Promise<void> {
    this.#here = await TalkRoom.enter(this.#client, await openRoom(this.#client, name))
    this.#wish = { to: [] }
    await this.#enter()
    this.#output.print('')
  }

  async #enter(): Promise<void> {
    const { room, messages } = this.#here
    this.#input.remember(messages.filter((text) => !text.includes('\n')).reverse())
    this.#override = (await this.#client.call('GET /api/rooms/:room', { params: { room: room.id } })).override
    this.#roomNames = (await this.#client.call('GET /api/rooms')).rooms.map((each) => each.name)
    this.#output.stream(greeting(room, this.#agents, this.#screen))
    if (this.#here.past.length > 0) this.#output.stream(`\n${past(this.#here.past, this.#screen)}\n`)
  }

  /** Shows messages from elsewhere above the input line. */
  #listen(): void {
    let text = ''
    const write = (piece: string) => {
      text += piece
    }
    const show = showRun(liveDisplay({ ...this.#screen, write, spin: () => {} }, { names: true }), { elsewhere: true })
    const showEvent = (event: Parameters<typeof show.event>[0]) => {
      show.event(event)
      if (text !== '') this.#input.above(text)
      text = ''
    }
    this.#here.listen(this.#own, showEvent, (error) => this.#input.above(`${this.#errorLine(error)}\n`))
  }

  async #stopCurrent(): Promise<void> {
    if (!this.#current || this.#current.stopping) return
    this.#current.stopping = true
    if (this.#current.run) await this.#stopRun(this.#current.run)
  }

  async #stopRun(run: string): Promise<void> {
    await this.#client.call('POST /api/runs/:run/stop', { params: { run } }).catch(() => {})
  }

  /** The first Ctrl-C stops the run; the second leaves without waiting. */
  #interrupt(): void {
    if (!this.#current) this.#input.above(`${this.#output.style('dim', 'Ctrl-D or /quit leaves.')}\n`)
    else if (this.#current.stopping) process.exit(130)
    else void this.#stopCurrent()
  }

  /** Stops runs that others started in the room, if this terminal has none. */
  async #stopOthers(): Promise<void> {
    const { runs } = await this.#client.call('GET /api/runs')
    const running = runs.filter(({ id, status }) => status === 'running' && this.#here.runs.has(id))
    for (const { id } of running) await this.#stopRun(id)
    if (running.length === 0) this.#print(this.#output.style('dim', 'Nothing is running in this room.'))
  }

  #prompt(): string {
    const { style } = this.#output
    const { to, mode } = this.#wish
    const how = mode === undefined || mode === 'single' ? '' : ` · ${mode}`
    const whom = to.length > 0 ? ` → ${to.join(', ')}` : ''
    const against =
      this.#override && how === '' && whom === '' ? ` · ${overrideInWords(this.#override, this.#here.room.agents)}` : ''
    return `${style('bold', printable(this.#here.room.name))}${style('dim', `${how}${whom}${against}`)} › `
  }

  #modeNow(): string {
    return this.#wish.mode ?? (this.#wish.to.length > 0 ? 'single' : 'coordinate')
  }

  #print(text: string): void {
    this.#output.print(`${text}\n`)
  }

  #printError(error: unknown): void {
    if (!(error instanceof ConveneError)) throw error
    this.#print(this.#errorLine(error))
  }

  #errorLine(error: unknown): string {
    return this.#output.style('red', printable(error instanceof Error ? error.message : String(error)))
  }
}
