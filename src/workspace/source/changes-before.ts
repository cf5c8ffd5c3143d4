/** Counts how often files changed in the commits that led to one. */
import { runGit } from '../git/git.ts'
import type { Repository } from '../git/repository.ts'

/** The commits over which changes are counted. */
export const recentCommits = 200

/** How often each file changed in the last commits; files that no longer exist are in it too. */
export async function changesBefore(repository: Repository, commit: string): Promise<Map<string, number>> {
  const { root, prefix } = repository
  const relative = prefix ? [`--relative=${prefix}`] : []
  const args = [
    'log',
    `-n${recentCommits}`,
    '--no-merges',
    '--no-show-signature',
    '--no-renames',
    '--name-only',
    '-z',
    '--format=',
    ...relative,
    commit,
    '--',
    ...(prefix ? [`:(top,literal)${prefix}`] : []),
  ]
  const { code, output } = await runGit(args, { folder: root, maxBytes: 32_000_000 })
  const counts = new Map<string, number>()
  if (code !== 0) return counts
  for (const path of output.toString('utf8').split('\0')) {
    const name = path.replace(/^\n+/, '')
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
