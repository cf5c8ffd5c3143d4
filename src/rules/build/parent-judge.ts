/** Decides what follows a parent's review of a merged child, and its contract tests. SPEC.md § GR7. */

import { type ChildState, openChildren } from './children.ts'
import { type Counts, defaultGraphLimits, type GraphLimits, nextStep } from './graph.ts'
import type { ExitsAt, Target } from './graph-table.ts'

export interface JudgedChild {
  id: string
  state: ChildState
  /** The criteria that the parent gave it. */
  criteria: readonly string[]
}

/** The contract tests run once every child is settled, if any of them has merged. */
export function shouldRunContract(children: readonly JudgedChild[]): boolean {
  return openChildren(children).length === 0 && children.some(({ state }) => state === 'merged')
}

export type Judgement =
  | { verdict: 'accepted' }
  | { verdict: 'sent-back'; next: Target }
  | { verdict: 'escalate'; capped?: 'reviews' }

/** The judge exits like a review. Sending a child back counts among the child's own reviews and their cap. */
export function judgement(
  exit: ExitsAt<'tdd:review'>,
  childCounts: Partial<Counts>,
  limits: GraphLimits = defaultGraphLimits,
): Judgement {
  const step = nextStep({ node: 'tdd', mode: 'review', exit, counts: childCounts }, limits)
  if (exit === 'Approved') return { verdict: 'accepted' }
  const [next] = step.next
  if (next) return { verdict: 'sent-back', next }
  return { verdict: 'escalate', ...(step.capped ? { capped: 'reviews' } : {}) }
}

export interface ContractVerdict {
  passed: boolean
  /** Children to send back to their tdd, with the failing tests of their criteria. */
  sentBack: { child: string; failingTests: string[] }[]
  /** Failing tests of criteria that no child has. */
  unassigned: string[]
}

/** Finds the children that a failing contract test concerns; it may be several. */
export function contractVerdict(
  children: readonly JudgedChild[],
  failing: readonly { test: string; criteria: readonly string[] }[],
): ContractVerdict {
  const merged = children.filter((child) => child.state === 'merged')
  const isAbout = (child: JudgedChild, criteria: readonly string[]) =>
    criteria.some((id) => child.criteria.includes(id))
  const sentBack = merged.flatMap((child) => {
    const failingTests = failing.filter(({ criteria }) => isAbout(child, criteria)).map(({ test }) => test)
    return failingTests.length > 0 ? [{ child: child.id, failingTests }] : []
  })
  const unassigned = failing.filter(({ criteria }) => !merged.some((child) => isAbout(child, criteria)))
  return { passed: failing.length === 0, sentBack, unassigned: unassigned.map(({ test }) => test) }
}
