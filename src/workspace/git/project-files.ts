/** What a message may attach: a project's files (tracked ones, and untracked ones that are not ignored), and which of them changed. */
import { runGit } from './git.ts'

/** More than a person can choose from; a larger list is cut. */
const mostBytes = 20_000_000

/** Paths relative to the folder, sorted; null outside a git repository. */
export async function listProjectFiles(folder: string): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { code, output, cut } = await runGit(args, { folder, maxBytes: mostBytes })
  if (code !== 0 && !cut) return null
  const paths = output.toString('utf8').split('\0')
  // The last path is incomplete if the list was cut, else empty.
  return paths.slice(0, -1).sort()
}

/** Whether a file differs from the last commit, which is what agents read. False outside a git repository. */
export async function hasUncommittedChanges(folder: string, path: string): Promise<boolean> {
  const args = ['--literal-pathspecs', 'status', '--porcelain', '--untracked-files=all', '--', path]
  const { code, output } = await runGit(args, { folder })
  return code === 0 && output.length > 0
}
