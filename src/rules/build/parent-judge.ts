/** Decides what follows when a parent judges its children: one by one as they merge, then all together. SPEC.md § GR7. */
import { type ChildState, openChildren } from './children.ts'
import { type Counts, defaultGraphLimits, type GraphLimits, nextStep } from './graph.ts'
import type { ExitsAt, Target } from './graph-table.ts'

export interface JudgedChild {
  id: string
  state: ChildState
  /** The parent's criteria that it was given. */
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

/** The judge's exit is that of a review. Sending a child back counts among the child's own reviews, so it has their cap. */
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
  /** Children whose criteria fail, each with the tests that say so: they go back to their tdd. */
  sentBack: { child: string; failingTests: string[] }[]
  /** Failing tests of no child's criterion: the parent's own to deal with. */
  unassigned: string[]
}

/** Finds whose work a failing contract test is about. One test may speak for several children. */
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
