/** Decides from a list of commits which issues of a feature are done. SPEC.md § SY. */

import {
  issueInSubject,
  issuesInTrailers,
  issuesMentioned,
  revertedHashes,
  revertLayers,
} from '../merge/commit-message.ts'
import { unsquash } from '../merge/squash-message.ts'
import { commitHistory } from './commit-history.ts'

export interface Commit {
  hash?: string
  /** Needed to undo everything that a reverted merge brought in. */
  parents?: readonly string[]
  subject: string
  body?: string
  /** False: on neither the main nor the integration branch; shown but not counted. */
  reachable?: boolean
  branch?: string
  /** Known to be reverted. */
  reverted?: boolean
}

export interface IssueCommit {
  number: number
  commit: Commit
  by: 'subject' | 'trailer'
}

export interface GitSync {
  /** The newest commit that stands for each done issue, by number. */
  done: IssueCommit[]
  /** Issues that had a commit, none of which stands. */
  reverted: number[]
  /** The same work on other branches. */
  elsewhere: IssueCommit[]
}

/** [SY1] Commits newest first, children before parents (`git log --topo-order`). */
export function gitSync(feature: string, commits: readonly Commit[]): GitSync {
  const reachable = readAll(feature, commits.filter(isReachable))
  const newest = new Map<number, IssueCommit>()
  for (const work of standingWork(feature, reachable)) if (!newest.has(work.number)) newest.set(work.number, work)

  const claimed = new Set(reachable.flatMap(({ claims }) => claims.map((claim) => claim.number)))
  const others = readAll(
    feature,
    commits.filter((commit) => !isReachable(commit)),
  )
  return {
    done: [...newest.values()].sort(byNumber),
    reverted: [...claimed].filter((number) => !newest.has(number)).sort((a, b) => a - b),
    elsewhere: others.flatMap(({ claims }) => claims).sort(byNumber),
  }
}

/** A commit with everything that its message states. */
interface Statement {
  commit: Commit
  /** The topic of the subject, to match a revert with its target without hashes. */
  topic: string
  /** Odd: undone. Even and above 0: restored. */
  flips: number
  /** The issue whose top commit this is, undoes or restores. */
  issue: number | null
  /** The commits that it reverts by hash. */
  hashes: string[]
  trailers: number[]
  own: string
  /** The issues that it implements. */
  claims: IssueCommit[]
}

/** [SY1] Every commit whose work on an issue still stands, newest first. */
function standingWork(feature: string, statements: readonly Statement[]): IssueCommit[] {
  const history = commitHistory(statements.map(({ commit }) => commit))
  const undone = new Set<number>()
  const topicsOff = new Set<string>()
  const topicsOn = new Set<string>()
  const partsOff = new Set<number>()
  const standing: IssueCommit[] = []

  statements.forEach((statement, index) => {
    if (isUndone(statement, index)) {
      for (const brought of history.broughtBy(statement.commit)) undone.add(brought)
      // A top commit stands for the whole issue: once it is reverted, older commits of the issue do not count.
      if (isWork(statement) && statement.issue !== null && !statement.commit.reverted) partsOff.add(statement.issue)
      return
    }
    const targets = statement.hashes.flatMap(history.find)
    for (const target of targets) undone.add(target)
    const takenBack = targets.length > 0 ? issuesOf(targets) : takeBackBySubject(statement)
    for (const claim of statement.claims) {
      if (claim.by === 'trailer' && (partsOff.has(claim.number) || takenBack.has(claim.number))) continue
      standing.push(claim)
    }
  })
  return standing

  function isUndone({ commit, flips, topic }: Statement, index: number): boolean {
    return commit.reverted === true || undone.has(index) || (flips % 2 === 1 ? topicsOn : topicsOff).has(topic)
  }

  function issuesOf(targets: readonly number[]): Set<number> {
    return new Set(targets.flatMap((target) => statements[target]!.claims.map((claim) => claim.number)))
  }

  /** Without a hash, the newest statement about a topic applies to everything older. */
  function takeBackBySubject(statement: Statement): Set<number> {
    const named = issuesTakenBack(feature, statement)
    for (const number of named) {
      topicsOff.add(topicOfIssue(number))
      partsOff.add(number)
    }
    if (statement.flips > 0) (statement.flips % 2 === 1 ? topicsOff : topicsOn).add(statement.topic)
    return named
  }
}

/** Issues that a revert names: in the quoted subject or, in a hand-written revert, in a trailer or the text. */
function issuesTakenBack(feature: string, statement: Statement): Set<number> {
  if (statement.flips % 2 === 1) return new Set(statement.issue === null ? [] : [statement.issue])
  if (statement.flips > 0 || !statement.hashes.some(isHash)) return new Set()
  const text = `${statement.commit.subject}\n${statement.own}`
  return new Set([...statement.trailers, ...issuesMentioned(feature, text)])
}

function readAll(feature: string, commits: readonly Commit[]): Statement[] {
  return commits.map((commit) => {
    const { own, inside } = unsquash(commit.subject, commit.body ?? '')
    const squashed = standingWork(
      feature,
      inside.map((message) => read(feature, message, message.body, [])),
    )
    return read(feature, commit, own, squashed)
  })
}

function read(feature: string, commit: Commit, own: string, squashed: readonly IssueCommit[]): Statement {
  const { base, flips } = revertLayers(commit.subject)
  const issue = issueInSubject(feature, base)
  const topic = issue === null ? `subject ${base}` : topicOfIssue(issue)
  const trailers = issuesInTrailers(feature, own)
  const statement = { commit, topic, flips, issue, hashes: revertedHashes(own), trailers, own }
  const claims = issuesClaimed(statement, [...trailers, ...squashed.map((work) => work.number)])
  return { ...statement, claims: claims.map(([number, by]) => ({ number, commit, by })) }
}

/** A revert is never evidence; restored work counts by its subject alone. */
function issuesClaimed(
  { flips, issue }: Pick<Statement, 'flips' | 'issue'>,
  trailers: readonly number[],
): [number, IssueCommit['by']][] {
  const claims = new Map<number, IssueCommit['by']>()
  if (flips % 2 === 0 && issue !== null) claims.set(issue, 'subject')
  if (flips === 0) for (const number of trailers) if (!claims.has(number)) claims.set(number, 'trailer')
  return [...claims]
}

function isWork({ flips }: Statement): boolean {
  return flips % 2 === 0
}

function isReachable(commit: Commit): boolean {
  return commit.reachable !== false
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{4,64}$/.test(text)
}

function topicOfIssue(issue: number): string {
  return `issue ${issue}`
}

function byNumber(a: IssueCommit, b: IssueCommit): number {
  return a.number - b.number
}
