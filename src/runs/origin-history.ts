/** Events that led to the work on a feature: the original message, its goal, the plan's decisions and their turns. */
import { askFinished } from '../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { decisionRecorded, panelTallied, planStarted, reviewDecided } from '../plan/events.ts'
import { shipStarted } from '../ship/events.ts'

const types = [planStarted, decisionRecorded, panelTallied, reviewDecided, shipStarted].map(({ type }) => type)

/** Returns them in order, up to `before`. */
export async function eventsLeadingTo(store: Store, feature: string, before: number): Promise<StoredEvent[]> {
  const events = await store.read({ feature, before, types })
  const lists = await Promise.all([turnsBehind(store, events), messagesBehind(store, events)])
  return [...events, ...lists.flat()].sort((a, b) => a.seq - b.seq)
}

/** An ask's id is its run and step. */
async function turnsBehind(store: Store, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const asks = new Set(
    events.flatMap((event) => (decisionRecorded.is(event) && event.data.ask ? [event.data.ask] : [])),
  )
  const runs = new Set([...asks].map((ask) => ask.slice(0, ask.lastIndexOf('/'))))
  const turns = await Promise.all([...runs].map((run) => store.read({ run, types: [askFinished.type] })))
  return turns.flat().filter((event) => event.run !== undefined && runs.has(event.run) && isOneOf(event, asks))
}

const isOneOf = (event: StoredEvent, asks: ReadonlySet<string>) => askFinished.is(event) && asks.has(event.data.ask)

async function messagesBehind(store: Store, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const found = events.map((event) => {
    if (!shipStarted.is(event)) return []
    const { room, message_id } = event.data
    if (room === undefined || message_id === undefined) return []
    return store.read({ stream: `room:${room}`, types: ['message.posted'], text: message_id })
  })
  return (await Promise.all(found)).flat()
}
