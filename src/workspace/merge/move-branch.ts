/**
 * Moves one of Convene's branches. If a person has it checked out, the checkout moves too, or else the branch stays: if
 * only the branch moved, their next commit would undo the work. MG4.
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
  /** Its expected current commit; null if it must not exist. An ancestor of `to`. */
  from: string | null
  /** An earlier attempt may have been killed. */
  recovered?: boolean
}

export type BranchMoved =
  | { kind: 'moved' }
  /** The branch is at another commit by now. */
  | { kind: 'elsewhere' }
  | { kind: 'refused'; detail: string }

export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const { ref, to, from } = move
  const checkouts = await usersOf(repository, ref)
  if (checkouts.length > 0) {
    const moved = await moveWithCheckout(repository, move, checkouts)
    if (moved.kind === 'moved') await repository.publish(ref, to)
    return moved
  }
  return { kind: (await repository.updateRef(ref, to, from)) ? 'moved' : 'elsewhere' }
}

/** Checkouts of the branch. Convene's own worktrees have a detached HEAD. */
export async function usersOf(repository: Repository, ref: string): Promise<string[]> {
  // Usually there is none, which a few small files show without starting git.
  const records = await worktreeRecords(repository.gitFolder)
  const folders = [repository.gitFolder, ...records.map(({ record }) => record)]
  const heads = await Promise.all(folders.map((folder) => readFile(join(folder, 'HEAD'), 'utf8').catch(() => '')))
  // With reftable storage git keeps HEAD elsewhere and writes this placeholder.
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
  const answer = await runGit(args, { folder, usersFilters: true })
  if (answer.code === 0) return { kind: 'moved' }
  if ((await repository.resolve(ref)) !== head) return { kind: 'elsewhere' }
  return refused(answer.complaint.trim() || `git merge gives up in ${folder}`)
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}
