/** Makes this process the owner of a project: opens the app, serves it, and answers this process's own requests. */
import type { App } from '../../app.ts'
import type { LoadedConfig } from '../../kernel/config/load.ts'
import { becomeOwner } from '../../kernel/owner.ts'
import { stateFolderOf } from '../../kernel/owner-address.ts'
import { refuseForeignState } from '../../kernel/trust/foreign-state.ts'
import { requireTrust } from '../../kernel/trust/trusted-reach.ts'
import type { RunningServer } from '../../serve/server.ts'
import type { Link } from './link.ts'
import { version } from './version.ts'

/** Null where another process is the owner. */
export async function ownerLink(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<Link | null> {
  const owned = await startOwner(project, env, { port: 0 })
  if (!owned) return null
  const { server, close } = owned
  return {
    owner: true,
    close,
    fetch: (path, init) => {
      const headers = new Headers(init.headers)
      headers.set('host', new URL(server.url).host)
      headers.set('authorization', `Bearer ${server.token}`)
      return server.fetch(new Request(server.url + path, { ...init, headers }))
    },
  }
}

/** Null where another process is the owner. */
export async function startOwner(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  listen: { port: number; host?: string },
): Promise<{ app: App; server: RunningServer; close(): Promise<void> } | null> {
  requireTrust(project, env)
  refuseForeignState(stateFolderOf(project))
  const owner = becomeOwner(stateFolderOf(project))
  if (!owner) return null
  let app: App | undefined
  try {
    // Loaded once the lock is held: a command that turns out to be a client does without.
    const { createApp } = await import('../../app.ts')
    const { startServer } = await import('../../serve/server.ts')
    const { mountsOf } = await import('./mounts.ts')
    app = await createApp(project, env)
    if (app.salvaged) reportDamage(app.salvaged)
    const server = await startServer(app, { ...listen, version: version(), env, mounts: mountsOf(app, env) })
    owner.announce(server.url)
    const opened = app
    let closing: Promise<void> | undefined
    const close = async () => {
      owner.withdraw()
      await server.close()
      await opened.close()
      owner.release()
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
    owner.release()
    throw error
  }
}

/** Always on stderr, with --json too: the lost events may be the ones the command was to print. */
function reportDamage({ damagedFile, lastSeq, parkedRuns }: NonNullable<App['salvaged']>): void {
  const kept = lastSeq === 0 ? 'no event could be recovered' : `recovered up to event ${lastSeq}`
  const parked = parkedRuns > 0 ? ` ${parkedRuns} unfinished runs are parked: resume them with convene resume.` : ''
  process.stderr.write(
    `Database truncated: ${kept}; later events and unreadable runs are lost.${parked} Issue states are rebuilt from git. The damaged file is kept as ${damagedFile}.\n`,
  )
}
