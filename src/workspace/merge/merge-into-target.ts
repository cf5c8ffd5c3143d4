/**
 * Merges a finished result into the user's branch, with the user's own signing, and their hooks unless the work touches
 * those (TR1). Atomic: it merges fully or
 * leaves branch, checkout and index as they were.
 */
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../commands/is-alive.ts'
import { type GitAnswer, GitFailed, git, runGit } from '../git/git.ts'
import { runGitPatiently } from '../git/patient-git.ts'
import type { Repository } from '../git/repository.ts'
import { removeWorktree, worktreeRecords } from '../git/worktree-records.ts'
import { processQueue } from '../process-queue.ts'
import { removeTree } from '../remove-tree.ts'
import { type CommitWatch, checkoutsOf, commitWatch, isBranchBusy, whyNotMergeable } from './checkouts.ts'
import { clearUnfinishedMerge } from './unfinished-merge.ts'
import { hooksTouchedBy, withoutSecrets } from './user-hooks.ts'

export interface MergeRequest {
  commit: string
  /** A branch's name; null if HEAD is detached. */
  target: string | null
  message: string
  /** Variables that hold secrets; hooks do not see them. */
  secretNames?: readonly string[]
  /** A person committed on top of the work. */
  isUnverified?: boolean
  /** An earlier attempt may have been killed: clean up after it first. */
  recovered?: boolean
  /**
   * Verifies the merge before the target moves to it (MG2). Called if the target has moved, so that the two sides were never
   * tested together, or if `commit` was not verified. Returns the reason to refuse it, or null.
   */
  verify?: (merge: JoinedWork) => Promise<{ reason: RefusalReason; detail: string } | null>
}

/** The commit that the target would move to. */
export interface JoinedWork {
  commit: string
  /** The target's current commit. */
  head: string
}

export const refusalReasons = [
  'dirty_checkout',
  'conflict',
  'detached',
  'unknown_branch',
  'hook_failed',
  'signing_failed',
  'busy',
  'merge_failed',
  /** Tests that were green on each side are red in the merged tree. */
  'merge_red',
  'setup_failed',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export function isRefusal(reason: string): reason is RefusalReason {
  return refusalReasons.some((one) => one === reason)
}

export type MergeOutcome =
  | {
      merged: true
      commit: string
      how: 'fast-forward' | 'merge-commit'
      /** The changed paths for whose sake the user's hooks did not run. */
      withoutHooks?: string[]
    }
  | { merged: false; reason: RefusalReason; detail: string }

export function mergeIntoTarget(repository: Repository, request: MergeRequest): Promise<MergeOutcome> {
  return processQueue.run(`merge ${repository.gitFolder}`, () => tryToMerge(repository, request, 1))
}

async function tryToMerge(repository: Repository, request: MergeRequest, attempt: number): Promise<MergeOutcome> {
  const { commit, target } = request
  if (target === null) return refused('detached', 'HEAD is on no branch, so there is nothing to merge into')
  const head = await repository.resolve(`refs/heads/${target}`)
  if (head === null) return refused('unknown_branch', `there is no branch ${target}`)
  if (await repository.isAncestor(commit, head)) return { merged: true, commit: head, how: 'fast-forward' }
  if (await isBranchBusy(repository, target)) return refused('dirty_checkout', `${target} is being rebased or bisected`)

  const isAhead = await repository.isAncestor(head, commit)
  const { tree, conflicts } = isAhead ? { tree: commit, conflicts: [] } : await repository.merge(head, commit)
  if (conflicts.length > 0) return refused('conflict', `${target} has changed the same lines: ${conflicts.join(', ')}`)

  const [checkout] = await checkoutsOf(repository, target)
  const again = () =>
    attempt < 3
      ? tryToMerge(repository, request, attempt + 1)
      : Promise.resolve(refused('busy', `${target} keeps moving`))
  const situation = { target, head, tree, isAhead }
  if (checkout !== undefined) return (await mergeInCheckout(repository, request, { ...situation, checkout })) ?? again()
  const joined = await joinAndVerify(repository, request, situation)
  if (joined !== null && typeof joined === 'object') return joined
  const result = await commitFor(repository, request, { ...situation, joined })
  if (!result.merged || (await repository.updateRef(`refs/heads/${target}`, result.commit, head))) return result
  return again()
}

/** Creates and verifies the merge of two histories; null if the target can be fast-forwarded to verified work. */
async function joinAndVerify(
  repository: Repository,
  { commit, message, verify, isUnverified }: MergeRequest,
  { target, head, tree, isAhead }: Situation,
): Promise<MergeOutcome | string | null> {
  if (isAhead && !isUnverified) return null
  const join = { tree, parents: [head, commit], message: message || `Merge into ${target}` }
  const joined = isAhead ? commit : await repository.commit(join)
  const why = await verify?.({ commit: joined, head })
  return why ? refused(why.reason, why.detail) : joined
}

interface Situation {
  target: string
  head: string
  tree: string
  /** Whether the target can be fast-forwarded. */
  isAhead: boolean
}

/** Null if the target moved meanwhile. */
async function mergeInCheckout(
  repository: Repository,
  request: MergeRequest,
  { checkout, ...situation }: Situation & { checkout: string },
): Promise<MergeOutcome | null> {
  const { target, head, tree, isAhead } = situation
  const folder = await realpath(checkout).catch(() => null)
  if (folder === null)
    return refused(
      'busy',
      `${request.target} is checked out in ${checkout}, which is gone (git worktree prune forgets it)`,
    )
  if (request.recovered) await clearUnfinishedMerge(repository, { folder, commit: request.commit, head, tree })
  const changes = await repository.changes(head, tree)
  const why = await whyNotMergeable(folder, changes)
  if (why !== null) return refused('dirty_checkout', why)
  const watch = await watchOf(repository, { folder, head, tree })
  if (request.verify === undefined || (isAhead && !request.isUnverified))
    return mergeWithGit(repository, request, { folder, head, tree, watch, isForwarded: isAhead && !isWatched(watch) })

  const joined = await joinAndVerify(repository, request, situation)
  if (typeof joined !== 'string') return joined
  // The person may have changed something while the tests ran.
  const hasMoved = async () => (await repository.resolve(`refs/heads/${target}`)) !== head
  if (await hasMoved()) return null
  const whyNow = await whyNotMergeable(folder, changes)
  if (whyNow !== null) return refused('dirty_checkout', whyNow)
  const merge = { folder, head, tree, watch }
  if (isWatched(watch)) return mergeWithGit(repository, request, { ...merge, isForwarded: false })
  const moved = await mergeWithGit(repository, { ...request, commit: joined }, { ...merge, isForwarded: true })
  if (moved.merged) return { ...moved, how: isAhead ? 'fast-forward' : 'merge-commit' }
  return (await hasMoved()) ? null : moved
}

/** The commit to move the target to, if it is not checked out. */
async function commitFor(
  repository: Repository,
  request: MergeRequest,
  { head, tree, joined }: Situation & { joined: string | null },
): Promise<MergeOutcome> {
  const watch = await watchOf(repository, { folder: repository.root, head, tree })
  if (isWatched(watch)) return mergeElsewhere(repository, request, { head, tree, watch })
  if (joined === null || joined === request.commit) return { merged: true, commit: request.commit, how: 'fast-forward' }
  return { merged: true, commit: joined, how: 'merge-commit' }
}

/** Hooks and signing need a checkout; this one is temporary. */
async function mergeElsewhere(
  repository: Repository,
  request: MergeRequest,
  { head, tree, watch }: Pick<Merge, 'head' | 'tree' | 'watch'>,
): Promise<MergeOutcome> {
  const { root, gitFolder } = repository
  const place = await realpath(await mkdtemp(join(tmpdir(), `${temporaryName}${process.pid}-`)))
  const folder = join(place, 'checkout')
  try {
    await processQueue.run(gitFolder, async () => {
      await forgetOthers(gitFolder)
      const add = ['worktree', 'add', '--detach', '--quiet', folder, head]
      const answer = await runGitPatiently(add, { folder: root }, () => removeTemporary(gitFolder, place))
      if (answer.code !== 0) throw new GitFailed(add, root, answer)
    })
    return await mergeWithGit(repository, request, { folder, head, tree, watch, isForwarded: false })
  } finally {
    await processQueue.run(gitFolder, () => removeTemporary(gitFolder, place))
    await removeTree(place)
  }
}

const temporaryName = 'convene-merge-'

async function removeTemporary(gitFolder: string, place: string): Promise<void> {
  const records = await worktreeRecords(gitFolder)
  for (const record of records) if (dirname(record.folder) === place) await removeWorktree(gitFolder, record)
}

/** Removes temporary checkouts that killed processes left. */
async function forgetOthers(gitFolder: string): Promise<void> {
  for (const { folder } of await worktreeRecords(gitFolder)) {
    const place = dirname(folder)
    const process = new RegExp(`^${temporaryName}(\\d+)-`).exec(basename(place))?.[1]
    if (process === undefined || isAlive(Number(process))) continue
    await removeTemporary(gitFolder, place)
    await removeTree(place)
  }
}

interface Merge {
  folder: string
  head: string
  /** The merged tree. */
  tree: string
  watch: Watch
  isForwarded: boolean
}

interface Watch extends CommitWatch {
  /** The changed paths for whose sake hooks do not run. */
  touched: string[]
}

/** TR1: hooks count only as they were before the work. */
async function watchOf(repository: Repository, place: { folder: string; head: string; tree: string }): Promise<Watch> {
  const [{ hooks, signing }, touched] = await Promise.all([
    commitWatch(place.folder),
    hooksTouchedBy(repository, place),
  ])
  return { hooks: hooks && touched.length === 0, signing, touched }
}

function isWatched({ hooks, signing }: CommitWatch): boolean {
  return hooks || signing
}

/** Runs the user's own git, with every option that affects the outcome set explicitly. */
async function mergeWithGit(repository: Repository, request: MergeRequest, merge: Merge): Promise<MergeOutcome> {
  const { commit, message } = request
  const { folder, isForwarded } = merge
  const always = ['merge', '--no-edit', '--no-stat', '--no-log', '--commit', '--no-squash', '--no-autostash']
  const how = isForwarded ? ['--ff-only'] : ['--no-ff', '-m', message || `Merge into ${request.target}`]
  const { touched } = merge.watch
  const secrets = withoutSecrets(process.env, request.secretNames ?? [])
  const env = { ...(await standInFor(repository)), ...ownDeps(), ...secrets }
  const hooks = touched.length > 0 ? noHooks : []
  const answer = await runGit([...hooks, ...always, ...how, commit], { folder, env, settings: 'own' })
  if (answer.code !== 0) {
    await undo(repository, merge)
    return refused(reasonOf(answer, merge.watch), answer.complaint.trim() || answer.output.toString('utf8').trim())
  }
  const result = await git(['rev-parse', '--verify', 'HEAD^{commit}'], { folder })
  const more = touched.length > 0 ? { withoutHooks: touched } : {}
  return { merged: true, commit: result, how: isForwarded ? 'fast-forward' : 'merge-commit', ...more }
}

/** Hooks run as in the user's shell; git's own messages stay English, since the reason is parsed from them. */
function ownDeps(): Record<string, string | undefined> {
  return {
    LC_ALL: process.env.LC_ALL,
    LANGUAGE: 'en',
    GIT_OPTIONAL_LOCKS: process.env.GIT_OPTIONAL_LOCKS,
    GIT_EDITOR: 'true',
  }
}

/** Without a configured user, git would refuse to commit. */
async function standInFor(repository: Repository): Promise<Record<string, string>> {
  const { name, email, configured } = await repository.identity()
  if (configured) return {}
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

/**
 * Restores the state before the merge. Git gives up if a hook edited merged files; then the files of the merge, which were
 * clean before, are restored one by one.
 */
async function undo(repository: Repository, { folder, head, tree }: Merge): Promise<void> {
  const underWay = await runGit(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { folder })
  if (underWay.code !== 0) return
  const request = { folder, settings: 'own' } as const
  const aborted = await runGit([...noHooks, 'merge', '--abort'], request)
  if (aborted.code === 0) return
  const paths = (await repository.changes(head, tree)).map(({ path }) => `${path}\0`).join('')
  const restore = [
    'restore',
    `--source=${head}`,
    '--staged',
    '--worktree',
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ]
  await git([...noHooks, '--literal-pathspecs', ...restore], { ...request, input: paths })
  await git(['merge', '--quit'], request)
}

const noHooks = ['-c', 'core.hooksPath=/dev/null']

function reasonOf({ complaint, output }: GitAnswer, { hooks }: CommitWatch): RefusalReason {
  const said = `${complaint}\n${output.toString('utf8')}`
  if (/failed to sign|failed to write commit object|does not have a GPG signature|gpg: /i.test(said))
    return 'signing_failed'
  if (/\.lock'?: File exists/.test(said)) return 'busy'
  if (/would be overwritten by merge|would lose untracked files|not uptodate|local changes/.test(said))
    return 'dirty_checkout'
  if (/CONFLICT|Automatic merge failed/.test(said)) return 'conflict'
  return hooks ? 'hook_failed' : 'merge_failed'
}

function refused(reason: RefusalReason, detail: string): MergeOutcome {
  return { merged: false, reason, detail }
}
