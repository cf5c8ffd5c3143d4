/** TLS to Postgres as libpq means `sslmode`, with an authority of our own. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { examineDatabase } from '../../src/kernel/stores/postgres-connection.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { type Authority, createAuthority, noOpenssl } from './certificates.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

if (noOpenssl) console.warn(`skipped: TLS to Postgres: ${noOpenssl}`)

describe.skipIf(noOpenssl !== undefined)(noOpenssl ? `TLS (${noOpenssl})` : 'TLS', () => {
  let server: RunningPostgres
  let own: Authority
  let strange: Authority
  let folder: string

  beforeAll(async () => {
    own = createAuthority()
    strange = createAuthority()
    folder = mkdtempSync(join(tmpdir(), 'convene-hba-'))
    chmodSync(folder, 0o755)
    const rules = join(folder, 'pg_hba.conf')
    writeFileSync(
      rules,
      [
        'hostssl all only_tls all scram-sha-256',
        'host all only_tls all reject',
        'hostnossl all only_plain all scram-sha-256',
        'host all only_plain all reject',
        'hostssl all certified all scram-sha-256 clientcert=verify-full',
        'host all certified all reject',
        'host all all all scram-sha-256',
      ].join('\n'),
    )
    const { cert, key } = own.sign('server', ['DNS:localhost'])
    server = await startPostgres([
      'ssl=on',
      `ssl_cert_file=${cert}`,
      `ssl_key_file=${key}`,
      `ssl_ca_file=${own.file}`,
      `hba_file=${rules}`,
    ])
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    for (const role of ['only_tls', 'only_plain', 'certified'])
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'role-for-tests'`)
    await client.end()
  })
  afterAll(async () => {
    await server?.stop()
    own?.remove()
    strange?.remove()
    if (folder) rmSync(folder, { recursive: true })
  })

  /** Whether the connection is encrypted, or the code of the refusal. */
  async function outcome(parameters: string, { host = 'localhost', user }: { host?: string; user?: string } = {}) {
    const url = new URL(server.url)
    url.hostname = host
    if (user) {
      url.username = user
      url.password = 'role-for-tests'
    }
    url.search = parameters
    return examineDatabase(url.href).then(
      ({ tls }) => (tls ? 'encrypted' : 'plain'),
      ({ code }) => code,
    )
  }

  it('is used, and falls back, as each sslmode says', async () => {
    expect(await outcome('')).toBe('encrypted')
    expect(await outcome('sslmode=disable')).toBe('plain')
    expect(await outcome('sslmode=allow')).toBe('plain')
    expect(await outcome('sslmode=prefer')).toBe('encrypted')
    expect(await outcome('sslmode=require')).toBe('encrypted')
    expect(await outcome('sslmode=disable', { user: 'only_tls' })).toBe('database_refused')
    expect(await outcome('sslmode=allow', { user: 'only_tls' })).toBe('encrypted')
    expect(await outcome('sslmode=prefer', { user: 'only_plain' })).toBe('plain')
    expect(await outcome('sslmode=require', { user: 'only_plain' })).toBe('database_refused')
    expect(await outcome('sslmode=prefer&channel_binding=require', { user: 'only_plain' })).toBe('database_refused')
    expect(await outcome('sslmode=require&channel_binding=require')).toBe('encrypted')
  })

  it('verifies the authority from `verify-ca` on, and with a root certificate in weaker modes too', async () => {
    expect(await outcome(`sslmode=verify-ca&sslrootcert=${own.file}`)).toBe('encrypted')
    expect(await outcome(`sslmode=verify-ca&sslrootcert=${strange.file}`)).toBe('database_refused')
    expect(await outcome(`sslmode=require&sslrootcert=${strange.file}`)).toBe('database_refused')
    expect(await outcome(`sslmode=prefer&sslrootcert=${strange.file}`)).toBe('plain')
  })

  it('verifies the name with `verify-full` alone', async () => {
    expect(await outcome(`sslmode=verify-full&sslrootcert=${own.file}`)).toBe('encrypted')
    // The certificate is for localhost, not for this address.
    expect(await outcome(`sslmode=verify-full&sslrootcert=${own.file}`, { host: '127.0.0.1' })).toBe('database_refused')
    expect(await outcome(`sslmode=verify-ca&sslrootcert=${own.file}`, { host: '127.0.0.1' })).toBe('encrypted')
    expect(await outcome(`sslmode=verify-full&sslrootcert=${strange.file}`)).toBe('database_refused')
  })

  it('refuses settings that libpq refuses', async () => {
    expect(await outcome('sslmode=verify-full&sslrootcert=/nowhere')).toBe('invalid_config')
    expect(await outcome('sslmode=require&sslrootcert=system')).toBe('invalid_config')
    // No authority of this machine signed the certificate; `system` alone means `verify-full`.
    expect(await outcome('sslrootcert=system')).toBe('database_refused')
  })

  it('shows the server a certificate of its own', async () => {
    const { cert, key } = own.sign('certified', ['DNS:certified'])
    const user = 'certified'
    expect(await outcome('sslmode=require', { user })).toBe('database_refused')
    expect(await outcome(`sslmode=require&sslcert=${cert}&sslkey=${key}`, { user })).toBe('encrypted')
  })

  it('carries everything that a project does', async () => {
    const url = new URL(await server.createDatabase())
    url.hostname = 'localhost'
    url.search = `sslmode=verify-full&sslrootcert=${own.file}`
    const database = await PostgresDatabase.open({ url: url.href, project: 'p' })
    const store = new PostgresStore(database)
    onTestFinished(() => store.close())
    await store.append([{ type: 'thing.noted', version: 1, stream: 's', data: {} }])
    expect(await store.readPayload(await store.putPayload('x'.repeat(3_000_000)))).toHaveLength(3_000_000)
    await expect.poll(() => database.hearsNotices).toBe(true)
    const plain =
      'SELECT count(*) AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE NOT ssl AND datname = current_database()'
    expect(await database.query(plain)).toEqual([{ count: 0 }])
  })
})
