/** Connections to Postgres from a URL, and errors that never show a password. */
import pg from 'pg'
import { ConveneError } from '../errors.ts'
import { type TlsWay, tlsWays } from './postgres-tls.ts'

export interface PostgresAddress {
  config: pg.ClientConfig
  /** The ways to connect, in the order to try them. */
  tls: TlsWay[]
  /** The address as it may be shown: without password and parameters. */
  shown: string
}

/** Throws a usage error that shows nothing of the URL: its password may be what is malformed. */
export function parseAddress(url: string): PostgresAddress {
  const parsed = asUrl(url)
  const parameters = parsed.searchParams
  const host = parameters.get('host') ?? decodeURIComponent(parsed.hostname).replace(/^\[(.+)\]$/, '$1')
  const database = decodeURIComponent(parsed.pathname.slice(1))
  const port = parsed.port || parameters.get('port') || process.env.PGPORT || '5432'
  const user = decodeURIComponent(parsed.username)
  const password = decodeURIComponent(parsed.password)
  // Some hosts route by it: `options=endpoint%3D…`.
  const options = parameters.get('options')
  const timeout = Number(parameters.get('connect_timeout') ?? 10)
  return {
    config: {
      host: host || undefined,
      port: Number(port),
      ...(user ? { user } : {}),
      ...(password ? { password } : {}),
      ...(database ? { database } : {}),
      connectionTimeoutMillis: timeout > 0 ? timeout * 1000 : 0,
      application_name: parameters.get('application_name') ?? 'convene',
      types: { getTypeParser: typeParser },
      keepAlive: true,
      enableChannelBinding: ['prefer', 'require'].includes(parameters.get('channel_binding') ?? ''),
      ...(options ? { options } : {}),
    },
    tls: tlsWays(parameters, host),
    shown: `postgres://${user ? `${user}@` : ''}${host || 'localhost'}:${port}/${database}`,
  }
}

/** Connects once to find out which way works, and returns the configuration for every further connection. */
export async function findConnection(address: PostgresAddress): Promise<pg.ClientConfig> {
  let failure: unknown
  for (const ssl of address.tls) {
    const config = { ...address.config, ssl }
    const client = new pg.Client(config)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return config
    } catch (error) {
      client.end().catch(() => {})
      // What the server says, such as a wrong password, explains more than that it offers no TLS.
      if (failure === undefined || (!isFromServer(failure) && isFromServer(error))) failure = error
    }
  }
  throw asPostgresError(failure, address.shown)
}

const isFromServer = (error: unknown) => error instanceof pg.DatabaseError

/** What a person is shown of a database; changes nothing in it. Throws if it cannot be used. */
export async function examineDatabase(url: string): Promise<{ shown: string; version: string; tls: boolean }> {
  const address = parseAddress(url)
  const config = await findConnection(address)
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('SHOW server_version')
    const version = String(rows[0].server_version).split(' ')[0]!
    return { shown: address.shown, version, tls: config.ssl !== false }
  } catch (error) {
    throw asPostgresError(error, address.shown)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the connection failed, not the statement: the same work may succeed on another connection. */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // First: `EPIPE` looks like a state of the server.
  if (typeof code === 'string' && socketCodes.has(code)) return true
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code.startsWith('08') || stoppedStates.has(code)
  return (
    typeof message === 'string' &&
    /connection terminated|not queryable|timeout exceeded when trying|query read timeout/i.test(message)
  )
}

/**
 * Serialisation failures and deadlocks, for which Postgres asks for the transaction to be repeated; also a statement that
 * an administrator or a time limit of the server cancelled, and a lock that could not be had in time; also an event that
 * another process wrote under the same key at the same moment: the next attempt finds it.
 */
export function isRepeatable(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return repeatableStates.has(code) || (code === '23505' && constraint === 'events_by_run')
}

export function unreachable(shown: string, cause: unknown): ConveneError {
  const why = cause instanceof Error && cause.message ? ` (${cause.message})` : ''
  return new ConveneError(
    'database_unreachable',
    `cannot reach the database ${shown}${why}. Check that it runs and that engine.url or CONVENE_DATABASE_URL is right; finished work is safe.`,
    { cause, exitCode: 1, status: 503, path: 'engine.url' },
  )
}

/** Translates errors of the connection and of permissions; returns all others unchanged. */
export function asPostgresError(error: unknown, shown: string): unknown {
  if (error instanceof ConveneError) return error
  if (isConnectionLoss(error)) return unreachable(shown, error)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  switch (code) {
    case '28P01':
    case '28000':
      return refused(shown, `${message}. Check the user and password in engine.url or CONVENE_DATABASE_URL.`, error)
    case '3D000':
      return refused(shown, `${message}. Create the database first, or name another.`, error)
    case '42501':
    case '25006':
      return refused(shown, `${message}. Give this user the right to create and change tables in the schema.`, error)
    case '53100':
      return new ConveneError('disk_full', `the database ${shown} has no disk space left: ${message}`, {
        cause: error,
        status: 500,
      })
  }
  if (typeof message === 'string' && /SSL|certificate|self.signed/i.test(message))
    return refused(shown, `${message}. Check sslmode and sslrootcert in the URL.`, error)
  return error
}

function refused(shown: string, why: string, cause: unknown): ConveneError {
  return new ConveneError('database_refused', `the database ${shown} refused: ${why}`, {
    cause,
    path: 'engine.url',
    status: 503,
  })
}

function asUrl(url: string): URL {
  let parsed: URL | undefined
  try {
    parsed = new URL(url)
  } catch {
    // Reported below: the error of URL itself carries the whole text.
  }
  if (parsed && /^postgres(ql)?:$/.test(parsed.protocol) && isWhole(parsed)) return parsed
  throw new ConveneError('invalid_config', 'engine.url is not a Postgres URL', {
    path: 'engine.url',
    expected: 'postgres://user:password@host:5432/database',
  })
}

/** A password with an unencoded `/`, `#` or `%` would be read as another part of the address, and shown. */
function isWhole({ pathname, hash, username, password, hostname }: URL): boolean {
  try {
    const database = decodeURIComponent(pathname.slice(1))
    for (const part of [username, password, hostname]) decodeURIComponent(part)
    return hash === '' && !/[/@]/.test(database)
  } catch {
    return false
  }
}

/** Counts and positions are bigint in Postgres and stay far below 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === 20 && format !== 'binary') return Number
  return pg.types.getTypeParser(oid, format as 'text')
}

const repeatableStates = new Set<unknown>(['40001', '40P01', '57014', '55P03'])
const stoppedStates = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03'])
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
