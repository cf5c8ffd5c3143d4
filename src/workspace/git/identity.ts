/** The committer: the user, as configured in git. */
import { git, runGit } from './git.ts'

export interface Identity {
  name: string
  email: string
  /** False if git has no user and Convene's identity is used. */
  configured: boolean
}

/** Ignores the address git guesses from the machine's name. */
export async function readIdentity(folder: string): Promise<Identity> {
  const { code, output } = await runGit(['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'], { folder })
  const found = /^(.*) <(.*)> \d+ [-+]\d+$/.exec(output.toString('utf8').trim())
  if (code === 0 && found) return { name: found[1]!, email: found[2]!, configured: true }
  const [name, email] = await Promise.all([setting('user.name', folder), setting('user.email', folder)])
  return { name: name || 'Convene', email: email || 'convene@localhost', configured: false }
}

function setting(name: string, folder: string): Promise<string> {
  return git(['config', '--get', name], { folder }).catch(() => '')
}
