/** What git knows about a feature's issues: commits that name them, reverts, and commits on branches that do not count. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Commit, type GitSync, gitSync } from '../rules/git-sync.ts'
import { git, runGit } from '../workspace/git.ts'
import type { Repository } from '../workspace/repository.ts'

export interface FeatureHistory extends GitSync {
  commits: Commit[]
}

interface Kept {
  heads: string[]
  commits: Commit[]
}

/** `cacheFile` keeps what was read, by the heads it was read at: a long history is read once. */
export async function readHistory(
  repository: Repository,
  feature: string,
  branches: { main: string; integration: string },
  cacheFile: string,
): Promise<FeatureHistory> {
  const heads = (await Promise.all([branches.main, branches.integration].map((ref) => repository.resolve(ref)))).filter(
    (head): head is string => head !== null,
  )
  const kept = readKept(cacheFile)
  const isCurrent = kept && kept.heads.length === heads.length && kept.heads.every((head) => heads.includes(head))
  const counted = isCurrent ? kept.commits : await logOf(repository, feature, heads, [])
  if (!isCurrent) writeKept(cacheFile, { heads, commits: counted })
  const elsewhere = await onOtherBranches(repository, feature, heads)
  const commits = [...counted.map((commit) => ({ ...commit, reachable: true })), ...elsewhere]
  return { ...gitSync(feature, commits), commits: counted }
}

/** Only commits that can matter: those that name an issue of the feature, and reverts, which name a commit. */
async function logOf(repository: Repository, feature: string, heads: string[], not: string[]): Promise<Commit[]> {
  if (heads.length === 0) return []
  const patterns = [
    `Convene-Issue: ${feature}#`,
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
    ...patterns.map((pattern) => `--grep=${pattern}`),
    '--format=%H%x00%P%x00%s%x00%b%x1e',
    ...heads,
    ...not.map((head) => `^${head}`),
    '--',
  ]
  return (await git(args, { folder: repository.root }))
    .split('\x1e')
    .map((record) => record.replace(/^\n/, ''))
    .filter((record) => record !== '')
    .map((record) => {
      const [hash = '', parents = '', subject = '', body = ''] = record.split('\0')
      return { hash, parents: parents.split(' ').filter(Boolean), subject, body }
    })
}

async function onOtherBranches(repository: Repository, feature: string, counted: string[]): Promise<Commit[]> {
  const refs = [...(await repository.listRefs('refs/heads/')), ...(await repository.listRefs('refs/remotes/'))]
  // Work in progress of our own is no news.
  const others = refs.filter(
    ({ ref, commit }) => !ref.startsWith(`refs/heads/convene/${feature}/+`) && !counted.includes(commit),
  )
  if (others.length === 0) return []
  const named = await logOf(repository, feature, [...new Set(others.map(({ commit }) => commit))], counted)
  const found: Commit[] = []
  for (const commit of named) {
    for (const { ref, commit: head } of others) {
      if (!(await repository.isAncestor(commit.hash!, head))) continue
      found.push({ ...commit, reachable: false, branch: ref.replace(/^refs\/(heads|remotes)\//, '') })
      break
    }
  }
  return found
}

/** `origin/HEAD`'s branch, else main, else master, else the one checked out. */
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
  for (const candidate of [named, 'main', 'master']) {
    if (candidate !== '' && (await repository.resolve(`refs/heads/${candidate}`)) !== null) return candidate
  }
  return (await repository.currentBranch()) ?? 'main'
}

function readKept(file: string): Kept | null {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : null
  } catch {
    return null
  }
}

function writeKept(file: string, kept: Kept): void {
  mkdirSync(dirname(file), { recursive: true })
  const staging = `${file}.writing`
  writeFileSync(staging, JSON.stringify(kept))
  renameSync(staging, file)
}
