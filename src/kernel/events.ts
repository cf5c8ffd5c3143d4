/** The shape of every event, and `defineEvent`, which defines an event type. Browser-safe. */
import type { z } from 'zod'

/** A fact as it is stored and sent. `seq` orders the whole log. */
export interface StoredEvent<Data = unknown> {
  seq: number
  id: string
  ts: string
  type: string
  version: number
  stream: string
  run?: string
  feature?: string
  actor?: string
  data: Data
  payload_ref?: string
}

/** A fact to be written. With a `key`, writing it again has no effect. */
export interface NewEvent<Data = unknown> {
  type: string
  version: number
  stream: string
  run?: string
  feature?: string
  actor?: string
  data: Data
  payload_ref?: string
  key?: EventKey
}

/** Where in a run a fact came from; unique in the log. */
export interface EventKey {
  run: string
  step: string
  n: number
}

/** What an event carries besides its data; `stream` groups what is folded together (`room:…`, `run:…`, `feature:…`). */
export interface EventHeader {
  stream: string
  run?: string
  feature?: string
  actor?: string
  payload_ref?: string
}

export interface EventDefinition<Type extends string, Data> {
  readonly type: Type
  readonly version: number
  readonly schema: z.ZodType<Data>
  /** Creates a fact of this type. Throws on data that does not match the schema. */
  create(header: EventHeader, data: Data): NewEvent<Data> & { type: Type }
  /** Whether a stored event is of this type; narrows its data. */
  is(event: StoredEvent): event is StoredEvent<Data> & { type: Type }
}

/** Types are `noun.past`: `message.posted`, `round.resolved`. */
export function defineEvent<Type extends string, Data>(
  type: Type,
  version: number,
  schema: z.ZodType<Data>,
): EventDefinition<Type, Data> {
  if (!/^[a-z][a-z-]*(\.[a-z][a-z-]*)+$/.test(type))
    throw new Error(`event type '${type}' is not of the form noun.past`)
  return {
    type,
    version,
    schema,
    create: (header, data) => ({ ...header, type, version, data: schema.parse(data) }),
    is: (event): event is StoredEvent<Data> & { type: Type } => event.type === type,
  }
}
