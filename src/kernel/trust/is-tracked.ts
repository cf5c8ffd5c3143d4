/** Whether git tracks a path: what came with a clone was written by somebody else. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/** Also true if git cannot say: then nobody knows where the file came from. */
export function isTracked(path: string): boolean {
  const top = repositoryAbove(dirname(resolve(path)))
  if (!top) return false
  const inside = relative(top, resolve(path)).split(sep).join('/')
  if (!mayBeListed(gitFolderOf(top), inside)) return false
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '--error-unmatch', '--', inside]
  return spawnSync('git', args, { cwd: top, stdio: 'ignore' }).status !== 1
}

function repositoryAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** In a worktree or a submodule `.git` is a file that names the folder. */
function gitFolderOf(top: string): string {
  const git = join(top, '.git')
  if (statSync(git).isDirectory()) return git
  const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1]?.trim()
  return named ? resolve(top, named) : git
}

/**
 * Looks for the name in the index itself, which is much quicker than a process. Paths are stored whole up to version 3; other
 * forms of the index leave the answer to git.
 */
function mayBeListed(gitFolder: string, inside: string): boolean {
  try {
    const index = readFileSync(join(gitFolder, 'index'))
    const isPlain = index.toString('latin1', 0, 4) === 'DIRC' && index.readUInt32BE(4) <= 3
    if (!isPlain || readdirSync(gitFolder).some((name) => name.startsWith('sharedindex.'))) return true
    return index.includes(inside) || index.includes(`${basename(dirname(inside))}/\0`)
  } catch (error) {
    // A repository without a first `git add` has no index.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
