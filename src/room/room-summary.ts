/** The rolling summary of a long room: written by a run of its own, read by later answers. RD17. */
import { type Engine, type Run, StepFailed, type Workflow } from '../kernel/engine.ts'
import { askInRun } from '../kernel/runs/ask-in-run.ts'
import type { Store } from '../kernel/store.ts'
import { summariseThrough, talkWindow } from '../rules/room/talk-window.ts'
import type { WindowLimits } from '../rules/turns/transcript-window.ts'
import type { RoomDeps } from './deps.ts'
import { roomStream, roomSummarised } from './events.ts'
import { findAgent } from './find-agent.ts'
import { countMessages, talkLine, talkTypes } from './talk-line.ts'

/** What is to be summarised: the talk after one event, up to and including another. */
export interface SummaryTask {
  after: number
  through: number
}

export interface RoomSummary {
  /** The `seq` of the last event it covers. */
  through: number
  /** How many messages it covers, those of earlier summaries included. */
  messages: number
  text: string
}

/** How much of the talk one summary reads; only the first one of a room that was long before can need more. */
const readLimits = { items: 200, tokens: 24_000 }

/** Knows the latest summary of each room, and when the next one is due. */
export class RoomSummaries {
  readonly #store: Store
  readonly #latest = new Map<string, Promise<RoomSummary | null>>()
  /** What is being summarised now, so that two messages at once do not do it twice. */
  readonly #started = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
    store.subscribe((event) => {
      if (roomSummarised.is(event)) this.#latest.set(event.stream, Promise.resolve(event.data))
    })
  }

  latest(room: string): Promise<RoomSummary | null> {
    const stream = roomStream(room)
    const known = this.#latest.get(stream) ?? this.#read(stream)
    this.#latest.set(stream, known)
    return known
  }

  async due(
    room: string,
    countTokens: (text: string) => number,
    limits: WindowLimits,
  ): Promise<SummaryTask | undefined> {
    const stream = roomStream(room)
    const after = (await this.latest(room))?.through ?? 0
    const last = readLimits.items
    const events = await this.#store.read({ stream, types: talkTypes, after, last })
    const lines = events.flatMap((event) => {
      const line = talkLine(event)
      return line ? [{ seq: event.seq, tokens: countTokens(line.text) }] : []
    })
    const through = summariseThrough(lines, limits)
    if (through === null || (this.#started.get(room) ?? 0) >= through) return undefined
    this.#started.set(room, through)
    return { after, through }
  }

  /** After a failure the next message may ask again. */
  failed(room: string): void {
    this.#started.delete(room)
  }

  async #read(stream: string): Promise<RoomSummary | null> {
    const [event] = await this.#store.read({ stream, types: [roomSummarised.type], last: 1 })
    return event && roomSummarised.is(event) ? event.data : null
  }
}

export interface SummaryInput extends SummaryTask {
  room: string
  /** The message beside which it is written. */
  message_id: string
}

export function summaryWorkflow(deps: RoomDeps): Workflow<SummaryInput, void> {
  return { name: 'room.summary', version: 1, run: (run, input) => summariseRoom(run, deps, input) }
}

/**
 * Starts a summary, or continues the one that a command left unfinished: each summary begins where the last one ended, so
 * that names it. One that failed is tried again under a name of its own.
 */
export async function startSummary(
  engine: Engine,
  workflow: Workflow<SummaryInput, void>,
  input: SummaryInput,
): Promise<void> {
  const first = `summary-${input.room}-${input.after}`
  const known = await engine.get(first)
  const id = known === null || known.status === 'running' ? first : `${first}-${input.message_id}`
  await engine.start(workflow, input, { id })
}

/** Without a summary, agents are told that earlier messages are missing. */
async function summariseRoom(run: Run, deps: RoomDeps, input: SummaryInput): Promise<void> {
  const { room, message_id, after, through } = input
  const agent = findAgent(deps, deps.summariser ?? '')
  const stream = roomStream(room)
  let messages = 0
  try {
    const { exit } = await askInRun(run, deps, {
      agent,
      kind: 'room-summary',
      limits: { maxOutputTokens: 2000 },
      messages: async () => {
        const earlier = await deps.summaries.latest(room)
        messages = await countMessages(deps.store, room, through + 1)
        const last = readLimits.items
        const events = await deps.store.read({ stream, types: talkTypes, after, before: through + 1, last })
        const lines = talkWindow(
          events.flatMap((event) => talkLine(event) ?? []),
          deps.countTokens,
          readLimits,
        )
        const { agents } = deps.room(room)
        const content = deps.prompts.render('room-summary', { agents, lines, summary: earlier?.text })
        return [{ role: 'user', content }]
      },
      stream,
      emit: ({ exit }) =>
        exit.ok && exit.text.trim() !== ''
          ? [
              roomSummarised.create(
                { stream, actor: agent.name },
                { message_id, through, messages, text: exit.text.trim(), agent: agent.name },
              ),
            ]
          : [],
    })
    if (!exit.ok) deps.summaries.failed(room)
  } catch (error) {
    deps.summaries.failed(room)
    if (error instanceof StepFailed && error.code === 'script_exhausted') throw error
  }
}
