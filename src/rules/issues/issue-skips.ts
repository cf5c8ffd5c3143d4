/** Decides which issues are skipped for a blocked dependency, and which return when it is unblocked. SPEC.md § IS. */
import { dependencyEdges, graphFaults } from './issue-graph.ts'
import { canBeSkippedForDependency, type IssueState, type MoveCause } from './issue-states.ts'

export interface TrackedIssue {
  number: number
  state: IssueState
  depends_on: readonly number[]
  /** Set if it was SKIPPED for a dependency; an issue that a person skipped does not return by itself. */
  skipped_from?: IssueState
}

export interface DependencySkip {
  number: number
  /** The issue that has to be unblocked. */
  root: number
  reason: string
}

/** [IS2] Issues that cannot start because a direct or indirect dependency is BLOCKED or SKIPPED, by number. */
export function dependencySkips(issues: readonly TrackedIssue[]): DependencySkip[] {
  const edges = dependencyEdges(issues)
  const states = knownStates(issues)
  const stopped = stoppedIssues(edges, states)
  const causeOf = (number: number) => edges.get(number)!.find((dependency) => stopped.has(dependency))
  const rootOf = rootFinder(states, causeOf)

  return [...stopped].sort(ascending).flatMap((number) => {
    const cause = causeOf(number)
    if (cause === undefined || states.get(number) === 'BLOCKED') return []
    const root = rootOf(cause)
    return [{ number, root, reason: skipReason(cause, root, states.get(root)!) }]
  })
}

export interface SkipMove {
  number: number
  cause: MoveCause
  reason: string
}

/** [IS2] The moves that update SKIPPED states after an issue was blocked, unblocked or done. */
export function reconcileSkipped(issues: readonly TrackedIssue[]): SkipMove[] {
  const asIfFree = issues.map((issue) => (isHeldBack(issue) ? { ...issue, state: issue.skipped_from! } : issue))
  const skips = new Map(dependencySkips(asIfFree).map((skip) => [skip.number, skip]))
  return [...issues]
    .sort((a, b) => a.number - b.number)
    .flatMap((issue): SkipMove[] => {
      const { number } = issue
      const skip = skips.get(number)
      if (skip && issue.state !== 'SKIPPED') return [{ number, cause: 'dependency_blocked', reason: skip.reason }]
      if (skip || !isHeldBack(issue)) return []
      const cause = issue.skipped_from === 'BACKLOG' ? 'shelved' : 'dependency_unblocked'
      return [{ number, cause, reason: 'no dependency is blocked any longer' }]
    })
}

function isHeldBack(issue: TrackedIssue): boolean {
  return issue.state === 'SKIPPED' && issue.skipped_from !== undefined
}

/** The state of a number that is listed twice is unknown. */
function knownStates(issues: readonly TrackedIssue[]): Map<number, IssueState> {
  const { repeated } = graphFaults(issues)
  return new Map(issues.filter(({ number }) => !repeated.has(number)).map(({ number, state }) => [number, state]))
}

function stoppedIssues(edges: ReadonlyMap<number, readonly number[]>, states: ReadonlyMap<number, IssueState>) {
  const dependants = new Map<number, number[]>()
  for (const [number, dependencies] of edges) {
    for (const dependency of dependencies) {
      const known = dependants.get(dependency)
      if (known) known.push(number)
      else dependants.set(dependency, [number])
    }
  }
  const stopped = new Set([...edges.keys()].filter((number) => stops(states.get(number))))
  for (const number of stopped) {
    for (const dependant of dependants.get(number) ?? []) {
      const state = states.get(dependant)
      if (state && canBeSkippedForDependency(state)) stopped.add(dependant)
    }
  }
  return stopped
}

function stops(state: IssueState | undefined): boolean {
  return state === 'BLOCKED' || state === 'SKIPPED'
}

/** Follows causes to the root. Caches results, so that a long chain is walked once. */
function rootFinder(states: ReadonlyMap<number, IssueState>, causeOf: (number: number) => number | undefined) {
  const roots = new Map<number, number>()
  return (start: number): number => {
    const path = new Set<number>()
    let current = start
    while (!roots.has(current) && !path.has(current)) {
      path.add(current)
      const cause = states.get(current) === 'BLOCKED' ? undefined : causeOf(current)
      if (cause === undefined) roots.set(current, current)
      else current = cause
    }
    const root = roots.get(current) ?? current
    for (const number of path) roots.set(number, root)
    return root
  }
}

function skipReason(cause: number, root: number, rootState: IssueState): string {
  if (cause === root) return `depends on #${root}, which is ${rootState}`
  return `depends on #${cause}, which is skipped because #${root} is ${rootState}`
}

function ascending(a: number, b: number): number {
  return a - b
}
