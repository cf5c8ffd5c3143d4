/** Reads from git which commits name a feature's issues: commits that count, reverts, and commits on other branches. */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { integrationBranch } from '../build/branches.ts'
import { privateFile, privateFolder } from '../kernel/private-files.ts'
import { type Commit, type GitSync, gitSync } from '../rules/issues/git-sync.ts'
import { revertedHashes } from '../rules/merge/commit-message.ts'
import { git, runGit } from '../workspace/git/git.ts'
import type { Repository } from '../workspace/git/repository.ts'

export interface FeatureHistory extends GitSync {
  /** Commits that count, newest first. */
  commits: Commit[]
}

/** A history read, with the heads it was read at. */
interface CachedHistory {
  form: typeof form
  /** The shallow cut-off then: fetching the rest moves no head. */
  cut: string
  heads: string[]
  commits: Commit[]
  /** The refs searched for commits on other branches. */
  others: string
  elsewhere: Commit[]
}

/** A cache of another version is ignored and rebuilt. */
const form = 3

/** Reads a history once, then only new commits. */
export class GitHistories {
  readonly #folder: string
  readonly #cached = new Map<string, CachedHistory>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `main` is the name of the main branch, local and on origin. */
  async read(repository: Repository, feature: string, main: string): Promise<FeatureHistory> {
    const refs = await refsOf(repository)
    const heads = headsThatCount(refs, feature, main)
    const cut = cutOf(repository)
    const file = join(this.#folder, `history-${feature}.json`)
    const cached = this.#cached.get(feature) ?? readCache(file)
    const before = cached?.cut === cut ? cached : null
    const commits = await countedCommits(repository, feature, heads, before)
    const others = otherRefs(refs, feature, heads)
    const othersKey = createHash('sha256')
      .update([...heads, '', ...others.flat()].join('\n'))
      .digest('hex')
    const elsewhere =
      before?.others === othersKey ? before.elsewhere : await onOtherBranches(repository, feature, others, heads)
    const now: CachedHistory = { form, cut, heads, commits, others: othersKey, elsewhere }
    this.#cached.set(feature, now)
    if (before?.others !== othersKey || before.commits !== commits) writeCache(file, now)
    return { ...gitSync(feature, [...commits, ...elsewhere]), commits }
  }
}

/**
 * The given commits that no counting branch reaches any more. Empty if git cannot tell: in a shallow clone, or if the main
 * branch was renamed.
 */
export async function goneCommits(
  repository: Repository,
  feature: string,
  main: string,
  commits: readonly string[],
): Promise<Set<string>> {
  if (commits.length === 0 || cutOf(repository) !== '') return new Set()
  // Read the heads now: a branch may have moved since the history was read.
  const refs = await refsOf(repository)
  if (!mainRefs(main).some((ref) => refs.has(ref))) return new Set()
  const missing = new Set<string>()
  for (const commit of commits) if (!(await repository.exists(commit))) missing.add(commit)
  const present = commits.filter((commit) => !missing.has(commit))
  const input = [...present, ...headsThatCount(refs, feature, main).map((head) => `^${head}`)]
  const { code, output } = await runGit(['rev-list', '--stdin'], {
    folder: repository.root,
    input: `${input.join('\n')}\n`,
  })
  if (code !== 0) return new Set()
  const apart = new Set(output.toString().split('\n'))
  return new Set(commits.filter((commit) => missing.has(commit) || apart.has(commit)))
}

/** Where a shallow clone is cut off; empty for a full clone. */
export function cutOf({ gitFolder }: Pick<Repository, 'gitFolder'>): string {
  try {
    return readFileSync(join(gitFolder, 'shallow'), 'utf8').trim()
  } catch {
    return ''
  }
}

const mainRefs = (main: string) => [`refs/heads/${main}`, `refs/remotes/origin/${main}`]

function headsThatCount(refs: ReadonlyMap<string, string>, feature: string, main: string): string[] {
  return [...new Set([...mainRefs(main), integrationBranch(feature)].flatMap((ref) => refs.get(ref) ?? []))]
}

async function countedCommits(
  repository: Repository,
  feature: string,
  heads: string[],
  before: CachedHistory | null,
): Promise<Commit[]> {
  if (before && sameHeads(before.heads, heads)) return before.commits
  const goesOn = before !== null && before.heads.length > 0 && (await areAncestors(repository, before.heads, heads))
  const added = await logOf(repository, feature, heads, goesOn ? before.heads : [])
  const found = goesOn ? [...added, ...before.commits] : added
  return withRevertedMerges(repository, found, added)
}

/** Whether every old head is still reachable; a rebase or reset breaks that. */
async function areAncestors(repository: Repository, old: string[], heads: string[]): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', ...old, ...heads.map((head) => `^${head}`), '--']
  const { code, output } = await runGit(args, { folder: repository.root })
  return code === 0 && output.toString().trim() === ''
}

const format = '--format=%H%x00%P%x00%S%x00%s%x00%b%x1e'

/** Commits that name an issue, and reverts, which name a commit. Newest first. */
async function logOf(
  repository: Repository,
  feature: string,
  tips: readonly string[],
  not: readonly string[],
): Promise<Commit[]> {
  if (tips.length === 0) return []
  const patterns = [
    'Convene-Issue:',
    `feat(${feature}): Implement issue #`,
    'This reverts commit',
    'Revert "',
    'Reapply "',
    'revert: ',
  ]
  const args = [
    'log',
    '--topo-order',
    '--fixed-strings',
    '--regexp-ignore-case',
    ...patterns.map((pattern) => `--grep=${pattern}`),
    format,
    '--stdin',
  ]
  const input = `${[...tips, ...not.map((head) => `^${head}`)].join('\n')}\n`
  return (await git(args, { folder: repository.root, input }))
    .split('\x1e')
    .map((record) => record.replace(/^\n/, ''))
    .filter((record) => record !== '')
    .map((record) => {
      const [hash = '', parents = '', branch = '', subject = '', body = ''] = record.split('\0')
      const named = branch.startsWith('refs/') ? { branch: branch.replace(/^refs\/(heads|remotes)\//, '') } : {}
      return { hash, parents: parents.split(' ').filter(Boolean), subject, body, ...named }
    })
}

/**
 * A merge names no issue, but reverting it reverts every commit it brought. A reverted merge joins the list as the parent
 * of just those commits.
 */
async function withRevertedMerges(repository: Repository, all: Commit[], added: Commit[]): Promise<Commit[]> {
  const named = new Set(added.flatMap(({ body = '' }) => revertedHashes(body)).filter((hash) => isHash(hash)))
  if (named.size === 0) return all
  const args = ['rev-list', '--no-walk', '--parents', '--ignore-missing', '--stdin']
  const { code, output } = await runGit(args, { folder: repository.root, input: `${[...named].join('\n')}\n` })
  if (code !== 0) return all
  let commits = all
  for (const line of output.toString().split('\n')) {
    const [hash = '', first = '', ...others] = line.split(' ')
    if (others.length === 0) continue
    const walked = await git(['rev-list', hash, `^${first}`, '--'], { folder: repository.root })
    const came = new Set(walked.split('\n').filter((one) => one !== hash))
    const brought = commits.filter((commit) => came.has(commit.hash!)).map((commit) => commit.hash!)
    const known = commits.findIndex((commit) => commit.hash === hash)
    const merge: Commit = {
      subject: '',
      ...(known >= 0 ? commits[known] : {}),
      hash,
      parents: [first, ...brought],
    }
    const at = known >= 0 ? known : commits.findIndex((commit) => came.has(commit.hash!))
    if (at >= 0) commits = commits.toSpliced(at, known >= 0 ? 1 : 0, merge)
  }
  return commits
}

type Ref = [name: string, commit: string]

async function refsOf(repository: Repository): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/remotes']
  const lines = (await git(args, { folder: repository.root })).split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => line.split(' ') as Ref))
}

/** Leaves out our own work in progress, and branches at the same commit as a counting one. */
function otherRefs(refs: ReadonlyMap<string, string>, feature: string, counted: readonly string[]): Ref[] {
  return [...refs].filter(
    ([ref, commit]) =>
      !ref.startsWith(`refs/heads/convene/${feature}/+`) && !ref.endsWith('/HEAD') && !counted.includes(commit),
  )
}

async function onOtherBranches(
  repository: Repository,
  feature: string,
  others: readonly Ref[],
  counted: readonly string[],
): Promise<Commit[]> {
  const found = await logOf(
    repository,
    feature,
    others.map(([ref]) => ref),
    counted,
  )
  return found.map((commit) => ({ ...commit, reachable: false }))
}

/** The branch of `origin/HEAD`, else main, else master, else the checked-out branch. */
export async function mainBranchOf(repository: Repository): Promise<string> {
  const args = ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']
  const { code, output } = await runGit(args, { folder: repository.root })
  const named =
    code === 0
      ? output
          .toString()
          .trim()
          .replace(/^origin\//, '')
      : ''
  if (named !== '' && (await mainCommitOf(repository, named)) !== null) return named
  for (const candidate of ['main', 'master'])
    if ((await repository.resolve(`refs/heads/${candidate}`)) !== null) return candidate
  return (await repository.currentBranch()) ?? 'main'
}

/** The commit of the local main branch, or of origin's if there is no local one. */
export async function mainCommitOf(repository: Repository, main: string): Promise<string | null> {
  return (await repository.resolve(`refs/heads/${main}`)) ?? (await repository.resolve(`refs/remotes/origin/${main}`))
}

function sameHeads(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((head) => others.includes(head))
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text)
}

function readCache(file: string): CachedHistory | null {
  try {
    const cached = JSON.parse(readFileSync(file, 'utf8')) as CachedHistory
    return cached.form === form ? cached : null
  } catch {
    return null
  }
}

function writeCache(file: string, cached: CachedHistory): void {
  mkdirSync(dirname(file), privateFolder)
  const staging = `${file}.writing`
  writeFileSync(staging, JSON.stringify(cached), privateFile)
  renameSync(staging, file)
}
