/** `convene serve`: owns the project, resumes its unfinished runs, and serves the web app and API until stopped. */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { ownerAddress, stateFolderOf } from '../../kernel/owner-address.ts'
import type { WorkSettings } from '../../kernel/workers.ts'
import { startOwner } from '../client/owner-link.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilStopped } from './interrupt.ts'
import { requireDatabase } from './require-database.ts'

interface ServeOptions {
  port: string
  host?: string
  publicUrl?: string
  open?: boolean
  /** False with `--no-work`. */
  work?: boolean
}

/** How long to wait for another command to finish before reporting it as the owner. */
const patienceMs = 5_000

export async function serveCommand(context: CommandContext, options: ServeOptions): Promise<number> {
  const port = wholeNumber(options.port, '--port', { max: 65535 })!
  const project = loadConfig(context)
  const works = options.work !== false
  if (!works) requireDatabase(project, 'serve --no-work')
  const { app, server, close } = await own(project, context, {
    port,
    host: options.host,
    publicUrl: publicUrlIn(options.publicUrl ?? context.env.CONVENE_PUBLIC_URL),
    work: { executes: works },
  })
  try {
    if (works) await app.recover()
    const address = `${server.url}/?token=${encodeURIComponent(server.token)}`
    const agents = app.agents.describe()
    context.output.data({ url: server.url, token: server.token, agents })
    context.output.print(`Convene is running at ${context.output.style('bold', address)}`)
    if (app.forgeOff) context.output.note(`${app.forgeOff}.`)
    if (agents.every((agent) => agent.rehearsal))
      context.output.note(
        'No model is configured: rehearsal agents play a script. Run `convene doctor` to see how to get real answers.',
      )
    if (options.open) openBrowser(address)
    return await untilStopped(app.fenced)
  } finally {
    await close()
  }
}

async function own(
  project: ReturnType<typeof loadConfig>,
  context: CommandContext,
  listen: { port: number; host?: string; publicUrl?: URL; work?: WorkSettings },
) {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const owned = await startOwner(project, context.env, { ...listen, shares: project.config.engine.url !== undefined })
    if (owned) return owned
    if (Date.now() > giveUpAt) {
      const address = ownerAddress(stateFolderOf(project))
      throw new ConveneError(
        'already_served',
        `${stateFolderOf(project)} is in use${address ? ` by process ${address.pid}, at ${address.url}` : ' by another process'}. Use that one, serve again when it has ended, or serve another folder with -C.`,
        { exitCode: 1, status: 409 },
      )
    }
    await pause(100)
  }
}

function publicUrlIn(text: string | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.username === '')
    return url
  throw new ConveneError('usage', `--public-url: '${text}' is not the address of a server`, {
    path: 'public-url',
    expected: 'https://convene.example.com',
  })
}

function openBrowser(address: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(command, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
