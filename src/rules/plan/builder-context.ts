/** What a plan hands to the builder of an issue: decisions, interface, tests, files. SPEC.md § PH6. */
import { oneLine } from '../text/one-line.ts'
import { issuesNamedBy, issuesNamingCode } from './concerned-issues.ts'
import { type Contradiction, issuesConcerned } from './consistency.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'
import { repeatedDecisions } from './repeated-answers.ts'

/** What phase 9 says about an issue. */
export interface IssueNeeds {
  title?: string
  body?: string
  acceptance_criteria?: readonly { text: string }[]
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
 * one. A person's answers and HIGH decisions that no issue names go to the issues that they concern, by the code, the files
 * or the words in them, and to all if they concern none in particular. An answer that issues name goes to those, and to issues
 * that name its code; words and files that they share by chance do not count. RV5: so does an open contradiction.
 */
export function builderContexts(
  issues: readonly IssueNeeds[],
  decided: readonly KeyDecision[],
  open: readonly Contradiction[] = [],
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
  const words = issues.map((issue, index) => ({ text: wordsOfIssue(issue), decisions: named[index]! }))
  const texts = words.map(({ text }) => text)
  const unnamed = standing
    .filter((one) => isPersons(one) || (one.confidence === 'HIGH' && !somewhere.has(one.id)))
    .map((one) => {
      if (somewhere.has(one.id)) return { id: one.id, issues: issuesNamingCode(matterOf(one), texts) }
      const meant = issuesNamedBy(matterOf(one), texts)
      return { id: one.id, issues: meant.length > 0 ? meant : texts.map((_, index) => index) }
    })
  const repeated = repeatedDecisions(standing)
  const concerned = open.map((one) => ({ one, issues: issuesConcerned(one, words) }))
  const contexts = issues.map((issue, index) => {
    const carried = unnamed.filter(({ issues: meant }) => meant.includes(index))
    const ids = new Set([...named[index]!, ...carried.map(({ id }) => id)])
    const decisions = standing.filter(({ id }) => ids.has(id))
    const own = concerned.filter(({ issues }) => issues.includes(index)).map(({ one }) => one)
    return { text: rendered(issue, saidOnce(decisions, repeated), own), decisions: decisions.map(({ id }) => id) }
  })
  return { contexts, unknown: [...new Set(unknown)] }
}

/** A decision that says another one too stands for both, under both ids. */
function saidOnce(decisions: readonly KeyDecision[], repeated: ReadonlyMap<string, string>): KeyDecision[] {
  const isSaid = (id: string | undefined) => decisions.some((one) => one.id === id)
  return decisions
    .filter(({ id }) => !isSaid(repeated.get(id)))
    .map((one) => {
      const also = decisions.filter(({ id }) => repeated.get(id) === one.id).map(({ id }) => id)
      return { ...one, id: [one.id, ...also].join(', ') }
    })
}

/** What a decision is about; of a person's answer the question, the answer and the sentence that the agents gave it. */
function matterOf({ decision, question, answer }: KeyDecision): string {
  if (question === undefined) return decision
  return [question, answer, decision].join('\n')
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

/** Everything that an issue says of its work. */
export function wordsOfIssue({
  title,
  body,
  acceptance_criteria = [],
  interface: design,
  tests = [],
  files = [],
}: IssueNeeds): string {
  return [title, body, ...acceptance_criteria.map(({ text }) => text), design, ...tests, ...files].join('\n')
}

function rendered(issue: IssueNeeds, decisions: readonly KeyDecision[], open: readonly Contradiction[]): string {
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
    list(
      'The plan contradicts itself here and nobody has decided. Follow the acceptance criteria; where they leave it open, choose one side and say which',
      open.map(({ matter, first, second }) => {
        return `${matter}: ${first.where} says “${first.says}”, ${second.where} says “${second.says}”`
      }),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
