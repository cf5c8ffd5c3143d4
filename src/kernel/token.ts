/** The secret that lets a client talk to the owner of a project. */
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** `CONVENE_TOKEN`, else the folder's own token, created on first use and readable only by its user. */
export function readToken(stateFolder: string, env: NodeJS.ProcessEnv): string {
  if (env.CONVENE_TOKEN) return env.CONVENE_TOKEN
  const file = join(stateFolder, 'token')
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (token) return token
  } catch {
    // No token yet.
  }
  mkdirSync(stateFolder, { recursive: true })
  const token = randomBytes(24).toString('base64url')
  const descriptor = openSync(file, 'w', 0o600)
  writeSync(descriptor, `${token}\n`)
  closeSync(descriptor)
  return token
}
