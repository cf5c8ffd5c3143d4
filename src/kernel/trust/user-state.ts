/** The user's own folder for state that no repository may bring along: `$XDG_STATE_HOME/convene`. */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export function userStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: state, HOME: home } = env
  if (state && isAbsolute(state)) return join(state, 'convene')
  return join(home && isAbsolute(home) ? home : homedir(), '.local', 'state', 'convene')
}

/** Creates a folder that only its user can open. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}
