/** Finds the user's checkouts of a branch, and whether one can take a merge now. Read-only. */
import { existsSync } from 'node:fs'
import { access, constants, lstat, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { git, runGit } from '../git/git.ts'
import type { TreeChange } from '../git/git-output.ts'
import { gitPatiently } from '../git/patient-git.ts'
import type { Repository } from '../git/repository.ts'
import { worktreeRecords } from '../git/worktree-records.ts'

/** The folders in which the branch is checked out. */
export async function checkoutsOf(repository: Repository, branch: string): Promise<string[]> {
  const output = await gitPatiently(['worktree', 'list', '--porcelain', '-z'], { folder: repository.root })
  const worktrees = output
    .toString('utf8')
    .split('\0\0')
    .map((entry) => entry.split('\0'))
  return worktrees
    .filter((lines) => lines.includes(`branch refs/heads/${branch}`))
    .flatMap((lines) => lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? [])
}

/** A branch that is being rebased or bisected is not checked out, but moving it would break that operation. */
export async function isBranchBusy(repository: Repository, branch: string): Promise<boolean> {
  const records = await worktreeRecords(repository.gitFolder)
  const folders = [repository.gitFolder, ...records.map(({ record }) => record)]
  const files = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']
  const names = await Promise.all(
    folders.flatMap((folder) => files.map((file) => readFile(join(folder, file), 'utf8').catch(() => ''))),
  )
  return names.some((name) => [branch, `refs/heads/${branch}`].includes(name.trim()))
}

/** Why the checkout cannot take a merge with these changes, or null. */
export async function whyNotMergeable(folder: string, changes: readonly TreeChange[]): Promise<string | null> {
  const gitFolder = await git(['rev-parse', '--absolute-git-dir'], { folder })
  const underWay = inProgress.find((name) => existsSync(join(gitFolder, name)))
  if (underWay) return `${folder} is in the middle of a merge, rebase or similar (${underWay})`
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=dirty']
  const changed = (await git(status, { folder })).split('\0').filter((line) => isInTheWay(line, changes))
  if (changed.length > 0) return `${folder} has uncommitted changes: ${some(changed.map((line) => line.slice(3)))}`
  const blocking = await inTheWay(folder, changes)
  return blocking.length > 0 ? `untracked files in ${folder} are in the way: ${some(blocking)}` : null
}

/**
 * An unstaged change to a file that the merge does not touch survives it. Git refuses to create a merge commit beside
 * staged changes, whatever they touch.
 */
function isInTheWay(line: string, changes: readonly TreeChange[]): boolean {
  if (line === '') return false
  if (line[0] !== ' ') return true
  const path = line.slice(3).toLowerCase()
  return changes.some((change) => {
    const touched = change.path.toLowerCase()
    return touched === path || touched.startsWith(`${path}/`) || path.startsWith(`${touched}/`)
  })
}

const inProgress = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'sequencer']

/** Git silently overwrites ignored files; a user's `.env` must not be lost that way. */
async function inTheWay(folder: string, changes: readonly TreeChange[]): Promise<string[]> {
  const gone = new Set(changes.filter(({ status }) => status === 'deleted').map(({ path }) => path.toLowerCase()))
  const found = new Set<string>()
  for (const { path, status } of changes) {
    if (status !== 'added') continue
    for (const part of [...parentsOf(path), path]) {
      const stats = await lstat(join(folder, part)).catch(() => null)
      if (stats === null) break
      // Git itself refuses to overwrite folders with content.
      if (!stats.isDirectory() && !gone.has(part.toLowerCase())) found.add(part)
    }
  }
  return [...found]
}

function parentsOf(path: string): string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [...parentsOf(parent), parent]
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ')
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown
}

/** Hooks and signing that apply to commits by the user's own git here. */
export interface CommitWatch {
  hooks: boolean
  signing: boolean
}

export async function commitWatch(folder: string): Promise<CommitWatch> {
  const [signing, hooks] = await Promise.all([
    runGit(['config', '--type=bool', '--get', 'commit.gpgSign'], { folder, settings: 'own' }),
    git(['rev-parse', '--path-format=absolute', '--git-path', 'hooks'], { folder, settings: 'own' }),
  ])
  const found = await Promise.all(commitHooks.map((name) => isProgram(join(hooks, name))))
  return { hooks: found.includes(true), signing: signing.output.toString('utf8').trim() === 'true' }
}

const commitHooks = ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg']

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
