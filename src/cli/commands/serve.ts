/** `convene serve`: owns the project, resumes its unfinished runs, and serves the web app and API until stopped. */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { ownerAddress, stateFolderOf } from '../../kernel/owner-address.ts'
import { readToken } from '../../kernel/trust/token.ts'
import type { WorkSettings } from '../../kernel/workers.ts'
import type { RunningServer } from '../../serve/server.ts'
import { startOwner } from '../client/owner-link.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { rejoining, untilFenced } from './rejoin.ts'
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
  const publicUrl = publicUrlIn(options.publicUrl ?? context.env.CONVENE_PUBLIC_URL)
  const listen = { port, host: options.host, publicUrl, work: { executes: works } }
  let isFirst = true
  return untilInterrupted(async (interrupted) => {
    await rejoining(context.output, interrupted, async (joined) => {
      const { app, server, close } = await own(project, context, listen)
      try {
        if (works) await app.recover()
        if (isFirst) announce(context, app, server)
        if (isFirst && options.open) openBrowser(addressOf(server))
        joined()
        isFirst = false
        // Clients find it at the same address when it joins again; only a port that the system chose is not known before.
        listen.port ||= Number(new URL(server.url).port)
        await untilFenced(app.fenced, interrupted)
      } finally {
        await close()
      }
    })
    return 0
  })
}

function announce({ output }: CommandContext, app: App, server: RunningServer): void {
  const agents = app.agents.describe()
  output.data({ url: server.url, token: server.token, agents })
  output.print(`Convene is running at ${output.style('bold', addressOf(server))}`)
  if (app.forgeOff) output.note(`${app.forgeOff}.`)
  if (agents.every((agent) => agent.rehearsal))
    output.note(
      'No model is configured: rehearsal agents play a script. Run `convene doctor` to see how to get real answers.',
    )
}

const addressOf = ({ url, token }: Pick<RunningServer, 'url' | 'token'>) => `${url}/?token=${encodeURIComponent(token)}`

async function own(
  project: ReturnType<typeof loadConfig>,
  context: CommandContext,
  listen: { port: number; host?: string; publicUrl?: URL; work?: WorkSettings },
) {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const owned = await startOwner(project, context.env, { ...listen, shares: project.config.engine.url !== undefined })
    if (owned) return owned
    if (Date.now() > giveUpAt) throw inUse(stateFolderOf(project), context.env)
    await pause(100)
  }
}

/** The other process belongs to the same user, and so does its token. */
function inUse(stateFolder: string, env: NodeJS.ProcessEnv): ConveneError {
  const address = ownerAddress(stateFolder)
  const who = address ? `process ${address.pid}` : 'another process'
  const open = address?.url && addressOf({ url: address.url, token: readToken(stateFolder, env) })
  const use = open ? ` Open its web app, which is there as long as that process: ${open}\n` : ' '
  const otherwise = `To have ${open ? 'one that stays' : 'the web app'}, serve again when that process has ended, or serve another folder with -C.`
  return new ConveneError('already_served', `${stateFolder} is in use by ${who}.${use}${otherwise}`, {
    exitCode: 1,
    status: 409,
  })
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
