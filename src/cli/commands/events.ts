/** `convene events`: prints the log, and follows it. */
import type { StoredEvent } from '../../kernel/events.ts'
import type { QueryOf, ResponseOf } from '../../serve/call.ts'
import { type Client, connect } from '../client/client.ts'
import { findRoom } from '../client/find-room.ts'
import { findRun } from '../client/run-named.ts'
import type { Output } from '../display/output.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

interface EventsOptions {
  run?: string
  room?: string
  feature?: string
  after?: string
  follow?: boolean
}

export async function eventsCommand(context: CommandContext, options: EventsOptions): Promise<number> {
  // This command only prints: it ends when the reader is gone.
  process.stdout.once('error', () => process.exit(0))
  const client = await connect(context, options.follow ? { watches: true } : { brief: true })
  try {
    return await untilInterrupted((signal) => show(client, context.output, options, signal))
  } finally {
    await client.close()
  }
}

async function show(client: Client, output: Output, options: EventsOptions, signal: AbortSignal): Promise<number> {
  const query: QueryOf<'GET /api/events'> = {}
  if (options.run !== undefined) query.run = await findRun(client, options.run)
  if (options.feature !== undefined) query.feature = options.feature
  if (options.room !== undefined) query.room = (await findRoom(client, options.room)).id
  let after = wholeNumber(options.after, '--after') ?? 0
  const say = (event: StoredEvent) => {
    output.data(event)
    output.print(describe(event, output.style))
  }
  for (let next: number | null = after; next !== null && !signal.aborted; ) {
    const page: ResponseOf<'GET /api/events'> = await client.call('GET /api/events', {
      query: { ...query, after: next },
    })
    for (const event of page.events) {
      say(event)
      after = event.seq
    }
    next = page.next
  }
  if (!options.follow) return 0
  for await (const happening of client.follow(query, after, signal)) if ('event' in happening) say(happening.event)
  return 0
}

function describe(event: StoredEvent, style: Output['style']): string {
  const where = [event.stream, event.actor].filter(Boolean).join(' ')
  const data = JSON.stringify(event.data)
  return `${style('dim', `${String(event.seq).padStart(5)} ${event.ts}`)} ${style('bold', event.type)} ${style('dim', where)} ${data.length > 200 ? `${data.slice(0, 199)}…` : data}`
}
