/** How to connect to Postgres: with or without TLS, and what to verify. Follows libpq for every `sslmode`. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { ConveneError } from '../errors.ts'

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

/** One way to connect: `false` is without TLS. */
export type TlsWay = false | ConnectionOptions

/** The ways to connect, in the order to try them. Throws a usage error for settings that libpq refuses. */
export function tlsWays(parameters: URLSearchParams, host: string): TlsWay[] {
  const root = setting(parameters, 'sslrootcert', 'PGSSLROOTCERT')
  const mode = sslModeOf(parameters, root)
  // Postgres speaks no TLS over a Unix socket.
  if (host.startsWith('/')) return [false]
  if (mode === 'disable') return [false]
  const own = { ...authorities(root, mode), ...clientCertificate(parameters) }
  const chainOnly = { ...own, checkServerIdentity: () => undefined }
  // With a root certificate, libpq verifies the chain in the weaker modes too.
  const lenient = own.ca === undefined ? { ...own, rejectUnauthorized: false } : chainOnly
  const ways: Record<SslMode, TlsWay[]> = {
    disable: [false],
    allow: [false, lenient],
    prefer: [lenient, false],
    require: [lenient],
    'verify-ca': [chainOnly],
    'verify-full': [own],
  }
  // Without TLS there is no channel to bind the password to.
  if (parameters.get('channel_binding') === 'require') return ways[mode].filter((way) => way !== false)
  return ways[mode]
}

function sslModeOf(parameters: URLSearchParams, root: string | undefined): SslMode {
  const mode = setting(parameters, 'sslmode', 'PGSSLMODE') ?? (root === 'system' ? 'verify-full' : 'prefer')
  if (!isSslMode(mode)) throw wrong(`sslmode '${mode}' in engine.url is unknown`, sslModes.join(', '))
  if (root === 'system' && mode !== 'verify-full')
    throw wrong(`sslmode '${mode}' in engine.url is too weak for sslrootcert=system`, 'sslmode=verify-full')
  return mode
}

function isSslMode(mode: string): mode is SslMode {
  return (sslModes as readonly string[]).includes(mode)
}

function authorities(root: string | undefined, mode: SslMode): ConnectionOptions {
  if (root === 'system') return { ca: getCACertificates('system') }
  const ca = root === undefined ? readIfThere(defaultFile('root.crt')) : read('sslrootcert', root)
  if (ca !== undefined) return { ca }
  if (!mode.startsWith('verify')) return {}
  throw wrong(
    `sslmode '${mode}' in engine.url needs the certificate of the authority that signed the server's, and ~/.postgresql/root.crt does not exist`,
    'sslrootcert=<file>, or sslrootcert=system for an authority that this machine trusts',
  )
}

function clientCertificate(parameters: URLSearchParams): ConnectionOptions {
  const [certFile, keyFile] = [setting(parameters, 'sslcert', 'PGSSLCERT'), setting(parameters, 'sslkey', 'PGSSLKEY')]
  const cert = certFile === undefined ? readIfThere(defaultFile('postgresql.crt')) : read('sslcert', certFile)
  if (cert === undefined) return {}
  const key = keyFile === undefined ? readIfThere(defaultFile('postgresql.key')) : read('sslkey', keyFile)
  const passphrase = parameters.get('sslpassword') ?? undefined
  return { cert, ...(key ? { key } : {}), ...(passphrase ? { passphrase } : {}) }
}

const defaultFile = (name: string) => join(homedir(), '.postgresql', name)

function setting(parameters: URLSearchParams, name: string, variable: string): string | undefined {
  return parameters.get(name) || process.env[variable] || undefined
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw wrong(`${name} in engine.url cannot be read: ${file}`, undefined, cause)
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function wrong(message: string, expected?: string, cause?: unknown): ConveneError {
  return new ConveneError('invalid_config', message, { path: 'engine.url', expected, cause })
}
