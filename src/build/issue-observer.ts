/** What a build tells the issue loop that started it, and asks it: each is written down in the build's own run. */
import type { Problem } from '../rules/schema/problem.ts'
import type { Node } from './node.ts'

export interface FailedAttempt {
  attempt: number
  problems: readonly Problem[]
  /** No try is left after it. */
  last: boolean
}

export interface Advice {
  /** What the next try is told. */
  guidance?: string
  /** Why there should be none. */
  stop?: string
}

export interface IssueObserver {
  testsWritten(node: Node, count: number): Promise<void>
  implemented(node: Node): Promise<void>
  attemptFailed(node: Node, failure: FailedAttempt): Promise<Advice | undefined>
}

/** The loop behind this node, where it builds an issue at the top. */
export function observerOf(node: Node): IssueObserver | undefined {
  return node.input.issue ? node.deps.issueObserver : undefined
}
