/** Remembers, outside the repository, what this user lets the configuration of a project reach. SPEC.md § TR4. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { z } from 'zod'
import { configuredReach, type Reach, reachContent, untrustedMessage } from '../../rules/trust/configured-reach.ts'
import { type TrustRecord, type TrustState, trustState } from '../../rules/trust/trust-state.ts'
import { configFileName } from '../config/find.ts'
import type { LoadedConfig } from '../config/load.ts'
import { ConveneError } from '../errors.ts'
import { privateFolder } from '../private-files.ts'
import { isTracked } from './is-tracked.ts'
import { userStateFolder } from './user-state.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the project's configuration reaches, shared folders that lead out of the repository included. */
export function reachOf({ folder, written, config }: LoadedConfig): Reach[] {
  return [...configuredReach(written), ...linksOut(folder, config.build.share)]
}

export function isTrusted(project: LoadedConfig, env: Environment): boolean {
  if (isForThisCommand(env)) return true
  const reach = reachOf(project)
  return reach.length === 0 || existsSync(recordOf(project, reach, env))
}

/** Throws exit code 2 with the keys that need trust. */
export function requireTrust(project: LoadedConfig, env: Environment): void {
  if (isTrusted(project, env)) return
  const reach = reachOf(project)
  throw new ConveneError('untrusted_config', untrustedMessage(project.file ?? configFileName, reach), {
    path: reach[0]!.path,
    expected: 'convene trust',
    status: 403,
  })
}

export function trust(project: LoadedConfig, env: Environment): void {
  const reach = reachOf(project)
  if (reach.length === 0) return
  const record = recordOf(project, reach, env)
  try {
    mkdirSync(join(userStateFolder(env), 'trusted'), privateFolder)
    const content = { folder: realpathSync(project.folder), since: new Date().toISOString(), values: digests(reach) }
    writeFileSync(record, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error'
    throw new ConveneError(
      'cannot_write',
      `${record} cannot be written (${code}); set XDG_STATE_HOME to a folder of yours`,
      {
        cause,
      },
    )
  }
}

/** For `doctor`: what is trusted here, since when, and what changed after that. */
export function trustStateOf(project: LoadedConfig, env: Environment): TrustState {
  return trustState({
    now: digests(reachOf(project)),
    records: recordsOf(project, env),
    isForThisCommand: isForThisCommand(env),
  })
}

function isForThisCommand(env: Environment): boolean {
  return /^(?:1|true|yes)$/i.test(env.CONVENE_TRUST ?? '')
}

/** A value may hold a password, so the record has only what tells whether it changed. */
function digests(reach: readonly Reach[]): Record<string, string> {
  const digest = (value: string) => createHash('sha256').update(value).digest('hex')
  return Object.fromEntries(reach.map(({ path, value }) => [path, digest(value)]))
}

const recordShape = z.object({ folder: z.string(), since: z.string(), values: z.record(z.string(), z.string()) })

/** Earlier trust in this folder. */
function recordsOf({ folder }: LoadedConfig, env: Environment): TrustRecord[] {
  const place = join(userStateFolder(env), 'trusted')
  const here = realpathSync(folder)
  const names = existsSync(place) ? readdirSync(place) : []
  return names.flatMap((name) => {
    const read = recordShape.safeParse(parsed(join(place, name)))
    return read.success && read.data.folder === here ? [read.data] : []
  })
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Bound to the folder as well: a relative command means another program in another repository. */
function recordOf({ folder }: LoadedConfig, reach: readonly Reach[], env: Environment): string {
  const name = createHash('sha256')
    .update(`${realpathSync(folder)}\0${reachContent(reach)}`)
    .digest('hex')
  return join(userStateFolder(env), 'trusted', name)
}

/** Shared paths that the repository brought along as links to a place outside it. The user's own links need no trust. */
function linksOut(folder: string, share: readonly string[]): Reach[] {
  const home = realpathSync(folder)
  return share.flatMap((path, index) => {
    const parts = path.split(/[\\/]/)
    const link = parts
      .map((_, last) => join(folder, ...parts.slice(0, last + 1)))
      .find((each) => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink())
    if (link === undefined || !isTracked(link)) return []
    const target = targetOf(join(folder, path))
    const away = target === undefined ? '' : relative(home, target)
    const leadsOut = target === undefined || away === '..' || away.startsWith(`..${sep}`) || isAbsolute(away)
    return leadsOut ? [{ path: `build.share.${index}`, value: `${path} → ${target ?? 'a missing file'}` }] : []
  })
}

function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
