/** What a build tells the issue loop that started it, and asks it: each is written down in the build's own run. */
import type { Problem } from '../rules/schema/problem.ts'
import type { Node } from './node.ts'

export interface FailedTry {
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

export interface IssueHooks {
  testsWritten(node: Node, count: number): Promise<void>
  implemented(node: Node): Promise<void>
  failedTry(node: Node, failure: FailedTry): Promise<Advice | undefined>
}

/** The loop behind this node, where it builds an issue at the top. */
export function hooksOf(node: Node): IssueHooks | undefined {
  return node.input.issue ? node.deps.issues : undefined
}
