/** pgbouncer in front of a Postgres: each transaction may get another session of the server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { type RunningPostgres, unprivileged } from './start-postgres.ts'

// Debian puts daemons where only root looks for commands.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** Why no pooler can be started here. */
export const noPooler =
  spawnSync('pgbouncer', ['--version'], { env, stdio: 'ignore' }).status === 0 ? undefined : 'needs pgbouncer'

export interface RunningPooler {
  /** The URL of the same database through the pooler. */
  url(direct: string): string
  stop(): Promise<void>
}

export async function startPooler(server: RunningPostgres): Promise<RunningPooler> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-pooler-'))
  const { username, password } = new URL(server.url)
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`)
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
`,
  )
  // It refuses to run as root.
  const user = unprivileged()
  chmodSync(folder, 0o755)
  if (user) for (const path of [folder, join(folder, 'users'), join(folder, 'ini')]) chownSync(path, user.uid, user.gid)
  const pooler = spawn('pgbouncer', [join(folder, 'ini')], { env, ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  await untilReady(pooler)
  return {
    url(direct) {
      const url = new URL(direct)
      url.port = String(port)
      return url.href
    },
    async stop() {
      const ended = new Promise((resolve) => pooler.once('exit', resolve))
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function untilReady(pooler: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    pooler.stderr!.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000)
      if (printed.includes('process up')) resolve()
    })
    pooler.on('error', reject)
    pooler.on('exit', () => reject(new Error(`pgbouncer did not start:\n${printed}`)))
  })
}
