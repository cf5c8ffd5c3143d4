/** The secret that lets a client talk to the owner of a project. */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ConveneError } from '../errors.ts'
import { privateFolder } from '../private-files.ts'
import { refuseForeignState } from './foreign-state.ts'
import { isTracked } from './is-tracked.ts'
import { userStateFolder } from './user-state.ts'

/**
 * `CONVENE_TOKEN`, else the folder's own token, created on first use and readable only by its user. A token that came with
 * the repository is known to others: then the user's own state folder holds the token of this project. SPEC.md § TR4.
 */
export function readToken(stateFolder: string, env: NodeJS.ProcessEnv): string {
  refuseForeignState(stateFolder)
  if (env.CONVENE_TOKEN) return env.CONVENE_TOKEN
  mkdirSync(stateFolder, privateFolder)
  const file = join(stateFolder, 'token')
  return tokenIn(isTracked(file) ? tokenOutside(stateFolder, env) : file)
}

function tokenOutside(stateFolder: string, env: NodeJS.ProcessEnv): string {
  const name = createHash('sha256').update(realpathSync(stateFolder)).digest('hex')
  return join(userStateFolder(env), 'tokens', name)
}

/** Replaces a token that is a link, that others can read, or that is empty. */
function tokenIn(file: string): string {
  // Another process may replace it at the same moment. Some file systems keep no modes: there it never becomes private.
  for (let tries = 0; tries < mostTries; tries++) {
    const token = privateToken(file)
    if (token) return token
    rmSync(file, { force: true, recursive: true })
    create(file)
  }
  const message = `${file} cannot be kept from other users on this file system; set CONVENE_TOKEN to a secret of yours`
  throw new ConveneError('not_private', message, { path: file })
}

const mostTries = 100

/** Undefined where the file cannot be used. */
function privateToken(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { mode } = fstatSync(descriptor)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || (mode & 0o077) !== 0) return undefined
    return readFileSync(descriptor, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'EISDIR') return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Written aside and linked into place: of several processes the first one's token stays, and nobody reads half of it. */
function create(file: string): void {
  mkdirSync(dirname(file), privateFolder)
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(aside, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
