/** What a plan hands to the builder of an issue: decisions, interface, tests, files. SPEC.md § PH6. */
import { oneLine } from '../text/one-line.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'

/** What phase 9 says about an issue beyond its criteria. */
export interface IssueNeeds {
  /** Ids of decisions that the issue must follow. */
  decisions?: readonly string[]
  /** The part of the design's interface that it makes or uses, as code. */
  interface?: string
  /** Rows of the test plan that prove it. */
  tests?: readonly string[]
  /** Paths that it reads or changes. */
  files?: readonly string[]
}

export interface BuilderContext {
  /** Markdown; empty if the plan has nothing to say. */
  text: string
  decisions: string[]
}

/**
 * PH6: the context of each issue, in order. An issue carries the decisions it names, a successor in place of a superseded
 * one. A person's answers, and HIGH decisions that no issue names, go to every issue.
 */
export function builderContexts(
  issues: readonly IssueNeeds[],
  decided: readonly KeyDecision[],
): { contexts: BuilderContext[]; unknown: string[] } {
  const successor = new Map(decided.flatMap(({ id, supersedes = [] }) => supersedes.map((old) => [old, id] as const)))
  const standing = decided.filter(({ id }) => !successor.has(id))
  const idOf = (given: string) => {
    const name = given.trim()
    const known = decided.find(({ id, called }) => same(id, name) || (called !== undefined && same(called, name)))
    return known && latest(known.id, successor)
  }
  const unknown: string[] = []
  const named = issues.map(({ decisions = [] }) =>
    decisions.flatMap((name) => {
      const id = idOf(name)
      if (id === undefined) unknown.push(name)
      return id ?? []
    }),
  )
  const somewhere = new Set(named.flat())
  const everywhere = standing.filter((one) => isPersons(one) || (one.confidence === 'HIGH' && !somewhere.has(one.id)))
  const contexts = issues.map((issue, index) => {
    const ids = new Set([...named[index]!, ...everywhere.map(({ id }) => id)])
    const decisions = standing.filter(({ id }) => ids.has(id))
    return { text: rendered(issue, decisions), decisions: decisions.map(({ id }) => id) }
  })
  return { contexts, unknown: [...new Set(unknown)] }
}

function latest(id: string, successor: ReadonlyMap<string, string>): string {
  const seen = new Set<string>()
  let at = id
  while (successor.has(at) && !seen.has(at)) {
    seen.add(at)
    at = successor.get(at)!
  }
  return at
}

function rendered(issue: IssueNeeds, decisions: readonly KeyDecision[]): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `${title}:\n${items.map((item) => `- ${oneLine(item, 600)}`).join('\n')}`
  const design = issue.interface?.trim() ?? ''
  return [
    list(
      'Decisions to follow',
      decisions.map(({ id, decision, rationale }) => `${id}: ${decision}${rationale ? ` (${rationale})` : ''}`),
    ),
    design === '' ? '' : `Interface:\n${design.includes('```') ? design : `\`\`\`\n${design}\n\`\`\``}`,
    list('Tests that the plan asks for', issue.tests ?? []),
    list('Files it reads or changes', issue.files ?? []),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
