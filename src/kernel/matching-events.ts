/** Filters events: one definition for queries, subscriptions and pages. Browser-safe. */
import type { StoredEvent } from './events.ts'
import { isWithin } from './run-events.ts'

export interface EventFilter {
  /** Only the event with this id. */
  id?: string
  stream?: string
  /** Events of this run and of the runs below it. */
  run?: string
  feature?: string
  actor?: string
  /** Only events that carry this payload. */
  payload_ref?: string
  /** Only events of these types. */
  types?: string[]
  /** Only events with this text in their type or stored data; ASCII letters match in either case. */
  text?: string
}

export function isWanted(event: StoredEvent, filter: EventFilter): boolean {
  return (
    (filter.id === undefined || event.id === filter.id) &&
    (filter.stream === undefined || event.stream === filter.stream) &&
    (filter.run === undefined || isOfRun(event, filter.run)) &&
    (filter.feature === undefined || event.feature === filter.feature) &&
    (filter.actor === undefined || event.actor === filter.actor) &&
    (filter.payload_ref === undefined || event.payload_ref === filter.payload_ref) &&
    (filter.types === undefined || filter.types.includes(event.type)) &&
    (filter.text === undefined ||
      plainCase(`${event.type} ${JSON.stringify(event.data)}`).includes(asStored(filter.text)))
  )
}

export function isOfRun({ run }: Pick<StoredEvent, 'run'>, root: string): boolean {
  return run !== undefined && isWithin(run, root)
}

/** The text as stored data contains it: quotation marks and line breaks are JSON-escaped. */
export const asStored = (text: string) => plainCase(JSON.stringify(text).slice(1, -1))

/** Lower-cases ASCII letters only, as the database does. */
const plainCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
