/** `convene ask`: one message into a room; the replies print as they stream. */
import { randomUUID } from 'node:crypto'
import { ConveneError } from '../kernel/errors.ts'
import { runFinished, runParked } from '../kernel/run-events.ts'
import { noticePosted, replyPosted } from '../room/events.ts'
import { type Room, type TranscriptItem, transcriptItem } from '../room/view.ts'
import { type Client, connect } from './client.ts'
import { lookUpRoom } from './find-room.ts'
import { untilInterrupted } from './interrupt.ts'
import { type Output, startSpinner } from './output.ts'
import type { CommandContext } from './program.ts'

interface AskOptions {
  to?: string
  mode?: string
  room: string
}

export async function askCommand(context: CommandContext, text: string, options: AskOptions): Promise<number> {
  const { output } = context
  if (text.trim() === '')
    throw new ConveneError('invalid_input', 'text: there is nothing to ask', { path: 'text', expected: 'some words' })
  const client = await connect(context)
  try {
    const { agents } = await client.get<{ agents: { name: string; rehearsal: boolean }[] }>('/api/agents')
    const target = options.to ?? theOnly(agents.map((agent) => agent.name))
    if (agents.some((agent) => agent.rehearsal && agent.name === target))
      output.note(`(rehearsal: ${target} plays a script, no model is asked)`)
    const room = await openRoom(client, options.room)
    const message = { text, target, mode: options.mode ?? 'single', message_id: randomUUID() }
    const { run } = await client.post<{ run: string }>(`/api/rooms/${room.id}/messages`, message)
    client.onTakeOver(async () => {
      await client.post(`/api/runs/${run}/resume`)
    })
    return await untilInterrupted(async (interrupted) => {
      interrupted.addEventListener('abort', () => void client.post(`/api/runs/${run}/stop`).catch(() => {}), {
        once: true,
      })
      return follow(client, run, output)
    })
  } finally {
    await client.close()
  }
}

async function openRoom(client: Client, name: string): Promise<Room> {
  return (await lookUpRoom(client, name)) ?? client.post<Room>('/api/rooms', { name })
}

function theOnly(names: string[]): string {
  if (names.length === 1) return names[0]!
  throw new ConveneError('usage', `say who is asked: --to ${names.join(' or --to ')}`, {
    path: '--to',
    expected: names.join(' | '),
  })
}

/** Prints what the run says until it has ended, and gives the exit code. */
async function follow(client: Client, run: string, output: Output): Promise<number> {
  const items: TranscriptItem[] = []
  const live = liveText(output)
  const spinner = startSpinner('waiting for the first word')
  const over = new AbortController()
  for await (const happening of client.follow({ run }, 0, over.signal)) {
    if ('delta' in happening) {
      if (!happening.delta.ask.startsWith(`${run}/`)) continue
      if (happening.delta.text !== '') spinner.stop()
      live.show(happening.delta)
      continue
    }
    const { event } = happening
    const item = transcriptItem(event)
    if (item) items.push(item)
    if (item || event.type.startsWith('ask.')) output.data(event)
    if (replyPosted.is(event) || noticePosted.is(event)) {
      spinner.stop()
      live.end(item!)
    }
    if (!runFinished.is(event) && !runParked.is(event)) continue
    over.abort()
    spinner.stop()
    return finish(await client.get<EndedRun>(`/api/runs/${run}`), items, output)
  }
  return 130
}

interface EndedRun {
  status: string
  reason?: string
  code?: string
  result?: { reason?: string }
}

function finish(run: EndedRun, items: TranscriptItem[], output: Output): number {
  const reason = run.reason ?? run.result?.reason
  output.data({ items, ...(reason === undefined ? {} : { reason }) })
  if (reason === undefined) return 0
  if (!items.some((item) => item.sender === 'router')) output.note(`convene: ${reason}`)
  if (run.code === 'script_exhausted') return 2
  return reason === 'stopped' || run.status === 'cancelled' ? 130 : 1
}

/** On a terminal words appear as they come; elsewhere a reply is printed when it is whole. */
function liveText(output: Output) {
  const shown = new Map<string, { attempt: number; length: number }>()
  return {
    show({ ask, attempt, offset, text }: { ask: string; attempt: number; offset: number; text: string }): void {
      if (!output.terminal) return
      const before = shown.get(ask)
      if (before && before.attempt !== attempt && before.length > 0)
        output.stream(output.style('dim', '\n(trying again)\n'))
      const have = before?.attempt === attempt ? before.length : 0
      if (offset + text.length > have) output.stream(text.slice(Math.max(have - offset, 0)))
      shown.set(ask, { attempt, length: Math.max(have, offset + text.length) })
    },
    end(item: TranscriptItem): void {
      const streamed = shown.get(item.call_id)?.length ?? 0
      output.stream(item.text.slice(streamed))
      output.print('')
    },
  }
}
