/** Makes this process the owner of a project: opens the app, serves it, and answers this process's own requests. */
import type { ProcessPool } from '../../agents/acp/process-pool.ts'
import type { App } from '../../app.ts'
import { type LoadedConfig, secretVariables } from '../../kernel/config/load.ts'
import { becomeOwner } from '../../kernel/owner.ts'
import { fingerprint, stateFolderOf } from '../../kernel/owner-address.ts'
import { refuseForeignState } from '../../kernel/trust/foreign-state.ts'
import { requireTrust } from '../../kernel/trust/trusted-reach.ts'
import { version } from '../../kernel/version.ts'
import type { WorkSettings } from '../../kernel/workers.ts'
import type { RunningServer } from '../../serve/server.ts'
import type { ClientOptions } from './find-owner.ts'
import type { Link } from './link.ts'
import { stayForOthers } from './stay-for-others.ts'

/** Null where another process is the owner. */
export async function ownerLink(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  { brief = false, asks }: Pick<ClientOptions, 'brief' | 'asks'> = {},
): Promise<Link | null> {
  const owned = await startOwner(project, env, { port: 0, announce: !brief, asks })
  if (!owned) return null
  const { app, server, close } = owned
  const ownRuns = new Set<string>()
  return {
    owner: true,
    async close() {
      await stayForOthers(app, server, ownRuns)
      await close()
    },
    async fetch(path, init) {
      const headers = new Headers(init.headers)
      headers.set('host', new URL(server.url).host)
      headers.set('authorization', `Bearer ${server.token}`)
      const response = await server.fetch(new Request(server.url + path, { ...init, headers }))
      if (init.method === 'POST' && response.ok) for (const run of await runsIn(response)) ownRuns.add(run)
      return response
    },
  }
}

/** The runs that a response says were started or continued. */
async function runsIn(response: Response): Promise<string[]> {
  const { run, id } = (await response.clone().json()) as { run?: unknown; id?: unknown }
  return [run, id].filter((one) => typeof one === 'string')
}

interface StartOptions {
  port: number
  host?: string
  publicUrl?: URL
  announce?: boolean
  /** Start beside the folder's owner: with a shared database any number of processes may work. */
  shares?: boolean
  /** What it takes of the shared work. */
  work?: WorkSettings
  /** Starts coding agents that will be asked. */
  asks?: ClientOptions['asks']
}

/** Null where another process is the owner. */
export async function startOwner(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  { announce = true, shares = false, work, asks, ...listen }: StartOptions,
): Promise<{ app: App; server: RunningServer; close(): Promise<void> } | null> {
  requireTrust(project, env)
  refuseForeignState(stateFolderOf(project))
  const owner = becomeOwner(stateFolderOf(project))
  if (!owner && !shares) return null
  let app: App | undefined
  let pool: ProcessPool | undefined
  try {
    // They start while the rest is loaded.
    if (asks) pool = (await import('../../agents/warm-agents.ts')).warmAgents(project, env, asks)
    // Loaded once the lock is held: a command that turns out to be a client does without.
    const { createApp } = await import('../../app.ts')
    const { startServer } = await import('../../serve/server.ts')
    const { mountsOf } = await import('./mounts.ts')
    app = await createApp(project, env, { work, version: version(), pool })
    if (app.salvaged) reportDamage(app.salvaged)
    const server = await startServer(app, { ...listen, version: version(), env, mounts: mountsOf(app, env) })
    if (announce) owner?.announce(server.url, environmentOf(project, env, server.token))
    const opened = app
    let closing: Promise<void> | undefined
    const close = async () => {
      const { engine } = opened
      owner?.withdraw({ atRest: engine.underWay().every((run) => engine.isAtRest(run)) })
      await server.close()
      await opened.close()
      owner?.release()
    }
    return {
      app,
      server,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await app?.close()
    await pool?.close()
    owner?.release()
    throw error
  }
}

/** What work hosted here uses of this process's environment. */
function environmentOf({ config }: LoadedConfig, env: NodeJS.ProcessEnv, token: string) {
  return Object.fromEntries(secretVariables(config).map((name) => [name, fingerprint(env[name], token)]))
}

/** Always on stderr, with --json too: the lost events may be the ones the command was to print. */
function reportDamage({ damagedFile, lastSeq, parkedRuns }: NonNullable<App['salvaged']>): void {
  const kept = lastSeq === 0 ? 'no event could be recovered' : `recovered up to event ${lastSeq}`
  const parked = parkedRuns > 0 ? ` ${parkedRuns} unfinished runs are parked: resume them with convene resume.` : ''
  process.stderr.write(
    `Database truncated: ${kept}; later events and unreadable runs are lost.${parked} Issue states are rebuilt from git. The damaged file is kept as ${damagedFile}.\n`,
  )
}
