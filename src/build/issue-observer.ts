/** How a build notifies the issue loop that started it. The build's run records each call. */
import type { Problem } from '../rules/schema/problem.ts'
import type { Node } from './node.ts'

export interface FailedAttempt {
  attempt: number
  problems: readonly Problem[]
  /** Whether this was the last attempt. */
  last: boolean
}

export interface Advice {
  /** What to tell the next attempt; it says who suggests it. */
  guidance?: string
  /** Set if there should be no next attempt: the reason. */
  stop?: string
}

export interface IssueObserver {
  testsWritten(node: Node, count: number): Promise<void>
  implemented(node: Node): Promise<void>
  attemptFailed(node: Node, failure: FailedAttempt): Promise<Advice | undefined>
}

/** The observer, if this node is the root of an issue's build. */
export function observerOf(node: Node): IssueObserver | undefined {
  return node.input.issue ? node.deps.issueObserver : undefined
}
