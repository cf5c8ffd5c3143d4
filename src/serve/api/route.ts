/** The shape of a route in the API table, and the types derived from it. Browser-safe. */
import { z } from 'zod'
import type { Person, Role } from '../../rules/team/roles.ts'

export type RouteKey = `${'GET' | 'POST'} /api/${string}`

export interface Route {
  /** The `operationId` in the OpenAPI document. */
  name: string
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  /** The handler reads the bytes itself, because a signature covers them. */
  rawBody?: true
  /** Of a successful response; 200 if left out. */
  status?: 201 | 202
  /** Absent if a successful response is never JSON. */
  response?: z.ZodType
  /** Other media types a successful response can have, each with a description. */
  media?: Readonly<Record<string, string>>
  /** Statuses beyond those that follow from the path, query and body. */
  errors?: readonly ErrorStatus[]
  /** Who may call it (US1); `public` answers without a token. */
  role: Role | 'public'
  /** Its handler writes a fact that names who called: no `action.taken` is needed for the audit. */
  recorded?: true
}

export type Routes = Readonly<Record<RouteKey, Route>>

export const errorStatuses = [400, 401, 403, 404, 409, 413, 429, 503] as const
export type ErrorStatus = (typeof errorStatuses)[number]

/** The names of a path's parameters. */
export type PathParameter<Key> = Key extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Key extends `${string}:${infer Name}`
    ? Name
    : never

export type JsonResponse<Entry> = Entry extends { response: infer Schema extends z.ZodType } ? z.output<Schema> : never

export interface HandlerRequest<Key, Entry> {
  params: Record<PathParameter<Key>, string>
  query: Entry extends { query: infer Schema extends z.ZodType } ? z.output<Schema> : undefined
  body: Entry extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined
  /** The caller; for a public route, the holder of the server's token. */
  person: Person
  /** For headers, raw bytes and the signal that aborts when the client disconnects. */
  raw: Request
}

type HandlerResult<Entry> = JsonResponse<Entry> | (Entry extends { media: object } ? Response : never)

/** One handler for each route of a table: a missing or extra one fails to compile. */
export type Handlers<Table> = {
  [Key in keyof Table]: (
    request: HandlerRequest<Key, Table[Key]>,
  ) => HandlerResult<Table[Key]> | Promise<HandlerResult<Table[Key]>>
}

/** An object schema with exactly the keys of `Value`: a field that only one of them has fails to compile. */
export function schemaOf<Value>(shape: { [Key in keyof Value]-?: z.ZodType<Value[Key]> }): z.ZodType<Value> {
  return z.object(shape) as unknown as z.ZodType<Value>
}

/** A schema for a folded view, which is served as it is: names only the fields that other programs can rely on. */
export function viewOf<Value>(shape: { [Key in keyof Value]?: z.ZodType }): z.ZodType<Value> {
  return z.looseObject(shape as z.ZodRawShape) as unknown as z.ZodType<Value>
}
