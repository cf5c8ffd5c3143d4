/** `convene ask`: sends one message to a room and prints the replies as they stream. */
import { randomUUID } from 'node:crypto'
import type { AgentDescription } from '../../agents/configured.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { Posted } from '../../room/api/post-message.ts'
import { shipGoal } from '../../ship/ship/ship-message.ts'
import { type Client, connect } from '../client/client.ts'
import { openRoom } from '../client/find-room.ts'
import { messageRequest, readNames, severalMaySpeak } from '../client/message-request.ts'
import { pipedInput } from '../client/piped-input.ts'
import { senderFolder } from '../client/sender-folder.ts'
import { inWords } from '../display/describe-round.ts'
import { liveDisplay } from '../display/live-display.ts'
import { agentColours, createSpinner, type Output } from '../display/output.ts'
import { plainDisplay } from '../display/plain-display.ts'
import type { RoomDisplay } from '../display/room-display.ts'
import { showRun } from '../display/show-run.ts'
import { followRun } from '../follow/follow-run.ts'
import { Spending } from '../follow/spending.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

interface AskOptions {
  to?: string
  mode?: string
  speaker?: string
  maxRounds?: string
  room: string
}

/** With `-` for the text, the message comes from stdin. Otherwise what is piped in travels with the message. */
export async function askCommand(context: CommandContext, given: string, options: AskOptions): Promise<number> {
  const { output } = context
  if (given.trim() === '') throw emptyMessage()
  const fromStdin = given === '-'
  const reading = pipedInput({ required: fromStdin, note: output.note })
  // Read while connecting; a failure to read is reported where the input is needed.
  reading.catch(() => {})
  const wish = {
    to: namesOf(options.to),
    mode: options.mode,
    speaker: options.speaker,
    maxRounds: wholeNumber(options.maxRounds, '--max-rounds', { min: 1, max: 50 }),
  }
  return untilInterrupted(async (interrupted) => {
    // The message has not been sent yet, so there is nothing to stop.
    const leave = () => process.exit(130)
    interrupted.addEventListener('abort', leave)
    const client = await connect(context, { asks: wish.to })
    try {
      const { agents } = await client.call('GET /api/agents')
      const room = await openRoom(client, options.room)
      const piped = await reading
      if (fromStdin && piped === null) throw emptyMessage()
      const text = fromStdin ? piped!.trim() : given
      const attachments = fromStdin || piped === null ? {} : { attachments: [{ name: 'stdin', text: piped }] }
      if (shipGoal(text) !== null) {
        interrupted.removeEventListener('abort', leave)
        const { run } = await client.call('POST /api/rooms/:room/messages', {
          params: { room: room.id },
          body: { text, ...attachments, message_id: randomUUID() },
        })
        const { followShip } = await import('./ship.ts')
        return await followShip(client, run, output, interrupted)
      }
      const message = messageRequest(text, wish, room)
      noteRehearsal(output, agents, message.target ? [message.target] : (message.participants ?? room.agents))
      interrupted.removeEventListener('abort', leave)
      const posted = await client.call('POST /api/rooms/:room/messages', {
        params: { room: room.id },
        body: { ...message, ...attachments, ...senderFolder(context), message_id: randomUUID() },
      })
      const names = posted.session_id !== undefined || severalMaySpeak(message, room)
      return await follow(client, posted, output, displayFor(output, agents, names), interrupted)
    } finally {
      await client.close()
    }
  })
}

function emptyMessage(): ConveneError {
  return new ConveneError('invalid_input', 'text: the message is empty', { path: 'text', expected: 'a message' })
}

async function follow(
  client: Client,
  { run, session_id }: Posted,
  output: Output,
  display: RoomDisplay,
  interrupted: AbortSignal,
): Promise<number> {
  const stop = () => void client.call('POST /api/runs/:run/stop', { params: { run } }).catch(() => {})
  if (interrupted.aborted) stop()
  else interrupted.addEventListener('abort', stop, { once: true })
  client.onNewOwner(() => client.continueWork(run))
  const show = showRun(display)
  const spending = new Spending()
  display.waitingFor('waiting for the first reply')
  const { items, reason, exitCode } = await followRun(client, run, (happening) => {
    if ('delta' in happening) show.delta(happening.delta)
    else {
      output.data(happening.event)
      spending.see(happening.event)
      show.event(happening.event)
    }
  })
  display.over()
  output.data({
    items,
    ...(reason === undefined ? {} : { reason }),
    ...(session_id === undefined ? {} : { session_id }),
  })
  // The router's notice already says so.
  if (reason !== undefined && !items.some((item) => item.sender === 'router')) output.note(`convene: ${reason}`)
  spending.print(output)
  return exitCode
}

function displayFor(output: Output, agents: AgentDescription[], names: boolean): RoomDisplay {
  if (output.json) return plainDisplay({ ...output, note: () => {} }, { names })
  if (!output.terminal) return plainDisplay(output, { names })
  const colourOf = agentColours(agents.map(({ name }) => name))
  const { spin } = createSpinner()
  const columns = () => process.stdout.columns
  return liveDisplay({ write: output.stream, style: output.style, colourOf, spin, columns }, { names })
}

function namesOf(said: string | undefined): string[] {
  if (said === undefined) return []
  const names = readNames(said)
  if (names.length > 0) return names
  throw new ConveneError('usage', '--to names no agent', {
    path: '--to',
    expected: 'one agent, or several: gpt,claude',
  })
}

function noteRehearsal(output: Output, agents: AgentDescription[], asked: string[]): void {
  const rehearsing = agents.filter(({ name, rehearsal }) => rehearsal && asked.includes(name)).map(({ name }) => name)
  if (rehearsing.length === 0) return
  const play = rehearsing.length > 1 ? 'play' : 'plays'
  output.note(`(rehearsal: ${inWords(rehearsing)} ${play} a script, no model is asked)`)
}
