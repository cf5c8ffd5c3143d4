/** The user's own folder for state that no repository may bring along: `$XDG_STATE_HOME/convene`. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export function userStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: state, HOME: home } = env
  if (state && isAbsolute(state)) return join(state, 'convene')
  return join(home && isAbsolute(home) ? home : homedir(), '.local', 'state', 'convene')
}
