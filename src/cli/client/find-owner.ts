/** Finds the owner of a project, waits for one that is slow, or makes this process the owner. */
import { setTimeout as pause } from 'node:timers/promises'
import { findConfig } from '../../kernel/config/find.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { processState } from '../../kernel/live-process.ts'
import { isOwnerAlive, type OwnerAddress, ownerAddress, stateFolderOf } from '../../kernel/owner-address.ts'
import { readToken } from '../../kernel/trust/token.ts'
import { waitForOwner } from '../../rules/trust/owner.ts'
import { httpLink, isUp } from './http-link.ts'
import type { Link } from './link.ts'

export interface ClientContext {
  folder: string
  env: NodeJS.ProcessEnv
}

export interface ClientOptions {
  /** For a command that has no end of its own, such as a room in the terminal: the owner does not stay for it. */
  watches?: boolean
  /**
   * For a command that only reads or notes something. If it becomes the owner it offers itself to nobody, or it would have to
   * stay for the whole work of a command that found it: others wait for the moment it takes.
   */
  brief?: boolean
  /** The agents that the command will ask; none: it cannot know. If it becomes the owner, coding agents start at once. */
  asks?: readonly string[]
}

/** Finds an announced owner without reading the configuration; null if there is none or it does not respond. */
export async function runningOwner({ folder, env }: ClientContext, options: ClientOptions): Promise<Link | null> {
  return reach(stateFolderOf(findConfig(folder, env)), env, options)
}

/** Finds the owner, or becomes it if there is none. Waits as long as the owner's process lives (TR6). */
export async function findOwner({ folder, env }: ClientContext, options: ClientOptions): Promise<Link> {
  const { loadConfig } = await import('../../kernel/config/load.ts')
  const { ownerLink } = await import('./owner-link.ts')
  const project = loadConfig({ folder, env })
  const stateFolder = stateFolderOf(project)
  const began = performance.now()
  let said = false
  let seen = { at: began, tries: -1 }
  for (let tries = 0; ; tries += 1) {
    const found = (await reach(stateFolder, env, options)) ?? (await ownerLink(project, env, options))
    if (found) return found
    const address = ownerAddress(stateFolder)
    const alive = address ? isOwnerAlive(address) : null
    const now = performance.now()
    if (alive) seen = { at: now, tries }
    const unseen = { ms: now - seen.at, tries: tries - seen.tries }
    const next = waitForOwner({ tries, ms: now - began, said, alive, unseen })
    if (next.kind === 'give-up') throw unseenOwner(stateFolder)
    if (next.say) {
      said = true
      process.stderr.write(`convene: waiting for process ${address!.pid}, which owns ${stateFolder} and is busy\n`)
    }
    // Many commands wait at once: they must not all look at the same moment.
    await pause(next.ms * (0.5 + Math.random()))
  }
}

async function reach(stateFolder: string, env: NodeJS.ProcessEnv, { watches }: ClientOptions): Promise<Link | null> {
  const address = ownerAddress(stateFolder)
  if (!isAnnounced(address) || !isOwnerAlive(address) || !(await isUp(address.url))) return null
  return httpLink({ address, token: readToken(stateFolder, env), client: watches ? null : thisProcess() })
}

const isAnnounced = (address: OwnerAddress | null): address is OwnerAddress & { url: string } =>
  address?.url !== undefined

let identity: string | undefined
function thisProcess(): string {
  identity ??= `${process.pid} ${encodeURIComponent(processState(process.pid).started ?? '')}`.trim()
  return identity
}

function unseenOwner(stateFolder: string): ConveneError {
  const message = `${stateFolder} is locked by a process that cannot be seen from here, in another container or on another machine. Use one of them at a time.`
  return new ConveneError('owner_silent', message, { exitCode: 1, status: 503 })
}
