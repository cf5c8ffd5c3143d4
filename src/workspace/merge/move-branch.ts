/**
 * Moves a branch of Convene's on. Where somebody has it checked out, their checkout comes along or the branch stays: moved
 * under them, their next commit would take the work back. MG4.
 */
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from '../git/git.ts'
import type { Repository } from '../git/repository.ts'
import { worktreeRecords } from '../git/worktree-records.ts'
import { checkoutsOf, isBranchBusy, whyNotMergeable } from './checkouts.ts'
import { clearUnfinishedMerge } from './unfinished-merge.ts'

export interface BranchMove {
  /** Its full name. */
  ref: string
  to: string
  /** Where it must stand now; null where there must be none. `to` is ahead of it. */
  from: string | null
  /** An earlier try may have been killed in the middle. */
  recovered?: boolean
}

export type BranchMoved =
  | { kind: 'moved' }
  /** It stands elsewhere by now. */
  | { kind: 'elsewhere' }
  | { kind: 'refused'; detail: string }

export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const { ref, to, from } = move
  const checkouts = await usersOf(repository, ref)
  if (checkouts.length > 0) return moveWithCheckout(repository, move, checkouts)
  return { kind: (await repository.updateRef(ref, to, from)) ? 'moved' : 'elsewhere' }
}

/** The checkouts that have the branch. Convene's own worktrees are on none. */
export async function usersOf(repository: Repository, ref: string): Promise<string[]> {
  // Nearly always nobody has it, and a few small files tell so without a git being started.
  const records = await worktreeRecords(repository.gitFolder)
  const folders = [repository.gitFolder, ...records.map(({ record }) => record)]
  const heads = await Promise.all(folders.map((folder) => readFile(join(folder, 'HEAD'), 'utf8').catch(() => '')))
  // git keeps heads elsewhere where a repository stores its refs in tables, and then writes this into the file.
  const isPossible = heads.some((head) => [`ref: ${ref}`, 'ref: refs/heads/.invalid'].includes(head.trim()))
  const branch = branchOf(ref)
  if (isPossible) return checkoutsOf(repository, branch)
  return (await isBranchBusy(repository, branch)) ? [repository.root] : []
}

async function moveWithCheckout(
  repository: Repository,
  { ref, to, from, recovered }: BranchMove,
  checkouts: readonly string[],
): Promise<BranchMoved> {
  const branch = branchOf(ref)
  const [checkout, another] = checkouts
  const refused = (why: string): BranchMoved => ({ kind: 'refused', detail: `${branch} is checked out, and ${why}` })
  if (another !== undefined) return refused(`more than once: in ${checkouts.join(' and ')}`)
  if (await isBranchBusy(repository, branch)) return refused('is being rebased or bisected')
  const folder = await realpath(checkout!).catch(() => null)
  if (folder === null) return refused(`${checkout} is gone (git worktree prune forgets it)`)
  const head = await repository.resolve(ref)
  if (head !== from) return { kind: 'elsewhere' }
  if (head === null) return refused(`${folder} has no commit on it yet`)
  const tree = await repository.treeOf(to)
  if (recovered) await clearUnfinishedMerge(repository, { folder, commit: to, head, tree })
  const why = await whyNotMergeable(folder, await repository.changes(head, tree))
  if (why !== null) return refused(why)
  const args = ['merge', '--ff-only', '--no-stat', '--no-squash', '--no-autostash', '--no-verify-signatures', to]
  const answer = await runGit(args, { folder })
  if (answer.code === 0) return { kind: 'moved' }
  if ((await repository.resolve(ref)) !== head) return { kind: 'elsewhere' }
  return refused(answer.complaint.trim() || `git merge gives up in ${folder}`)
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}
