/** Looks up commits by hash, and the commits that a merge brought in. SPEC.md § SY. */

export interface HistoricCommit {
  hash?: string
  parents?: readonly string[]
}

export interface CommitHistory {
  /** Positions of the commits that a hash or abbreviation matches. */
  find(hash: string): number[]
  /** Positions of the commits reachable from a merge but not from its first parent. */
  broughtBy(commit: HistoricCommit): number[]
}

const shortestAbbreviation = 4

export function commitHistory(commits: readonly HistoricCommit[]): CommitHistory {
  const byHash = new Map<string, number>()
  const byPrefix = new Map<string, { hash: string; index: number }[]>()
  commits.forEach((commit, index) => {
    if (!commit.hash) return
    const hash = commit.hash.toLowerCase()
    byHash.set(hash, index)
    const prefix = hash.slice(0, shortestAbbreviation)
    const known = byPrefix.get(prefix)
    if (known) known.push({ hash, index })
    else byPrefix.set(prefix, [{ hash, index }])
  })
  return { find, broughtBy }

  /** Either side may be abbreviated. Below four digits only equal text matches. */
  function find(text: string): number[] {
    const wanted = text.toLowerCase()
    const exact = byHash.get(wanted)
    if (exact !== undefined) return [exact]
    const candidates = byPrefix.get(wanted.slice(0, shortestAbbreviation)) ?? []
    return candidates.filter(({ hash }) => isAbbreviation(wanted, hash)).map(({ index }) => index)
  }

  function broughtBy({ parents = [] }: HistoricCommit): number[] {
    if (parents.length < 2) return []
    const before = ancestors(parents.slice(0, 1), new Set())
    return [...ancestors(parents.slice(1), before)]
  }

  function ancestors(hashes: readonly string[], without: ReadonlySet<number>): Set<number> {
    const found = new Set<number>()
    const queue = [...hashes]
    for (const hash of queue) {
      const index = byHash.get(hash.toLowerCase())
      if (index === undefined || found.has(index) || without.has(index)) continue
      found.add(index)
      for (const parent of commits[index]!.parents ?? []) queue.push(parent)
    }
    return found
  }
}

function isAbbreviation(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < shortestAbbreviation) return false
  return a.startsWith(b) || b.startsWith(a)
}
