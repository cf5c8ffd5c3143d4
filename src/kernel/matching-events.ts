/** Which events somebody wants: the same words for the log, for who listens, and for a page. Browser-safe. */
import type { StoredEvent } from './events.ts'
import { isWithin } from './run-events.ts'

export interface EventFilter {
  /** The one with this id. */
  id?: string
  stream?: string
  /** A run, with those below it: ids of these begin with its own and a `/`. */
  run?: string
  feature?: string
  actor?: string
  /** Only events of these types. */
  types?: string[]
  /** Only events with this in their type or in their data as it is stored; letters from a to z in either case. */
  text?: string
}

export function isWanted(event: StoredEvent, filter: EventFilter): boolean {
  return (
    (filter.id === undefined || event.id === filter.id) &&
    (filter.stream === undefined || event.stream === filter.stream) &&
    (filter.run === undefined || isOfRun(event, filter.run)) &&
    (filter.feature === undefined || event.feature === filter.feature) &&
    (filter.actor === undefined || event.actor === filter.actor) &&
    (filter.types === undefined || filter.types.includes(event.type)) &&
    (filter.text === undefined ||
      plainCase(`${event.type} ${JSON.stringify(event.data)}`).includes(asStored(filter.text)))
  )
}

export function isOfRun({ run }: Pick<StoredEvent, 'run'>, root: string): boolean {
  return run !== undefined && isWithin(run, root)
}

/** What to look for in stored data: a quotation mark or a line break is written there as JSON writes it. */
export const asStored = (text: string) => plainCase(JSON.stringify(text).slice(1, -1))

/** As the database does it: other letters than a to z are told apart by case. */
const plainCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
