/** Picks the next issue, and says which issues cannot start and why. SPEC.md § IS. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { oneLine } from '../text/one-line.ts'
import { graphFaults } from './issue-graph.ts'
import { dependencySkips } from './issue-skips.ts'
import { type IssueState, issueStates } from './issue-states.ts'

export const issueSizes = ['small', 'medium', 'large'] as const
export type IssueSize = (typeof issueSizes)[number]

/** The weights of size, business value and low risk in the score. */
export const defaultIssueLimits = { small: 0.5, medium: 0.25, large: 0, value: 1, risk: 0.5 }
export type IssueLimits = typeof defaultIssueLimits

const number = z.int().min(0)
const share = z.number().min(0).max(1)
const weight = z.number().min(0).max(1000)

const issueLimitsSchema = z.strictObject({
  small: weight.default(defaultIssueLimits.small),
  medium: weight.default(defaultIssueLimits.medium),
  large: weight.default(defaultIssueLimits.large),
  value: weight.default(defaultIssueLimits.value),
  risk: weight.default(defaultIssueLimits.risk),
})

const issueInput = z.object({
  issues: z.array(
    z.object({
      number,
      state: z.enum(issueStates).default('READY'),
      depends_on: z.array(number).default([]),
      size: z.enum(issueSizes).default('medium'),
      business_value: share.default(0),
      risk: share.default(0),
    }),
  ),
  limits: issueLimitsSchema.prefault({}),
})

export type IssueInput = z.output<typeof issueInput>
export type Issue = IssueInput['issues'][number]

export interface IssueDecision {
  next: number | null
  skipped: { number: number; reason: string }[]
  errors: string[]
}

/** [IS2] The order of the list does not matter. Faulty issues are reported and never chosen. */
export function decideIssue(issues: readonly Issue[], limits: IssueLimits = defaultIssueLimits): IssueDecision {
  return {
    next: eligibleIssues(issues, limits)[0]?.number ?? null,
    skipped: dependencySkips(issues).map(({ number, reason }) => ({ number, reason })),
    errors: graphFaults(issues).errors,
  }
}

/** [IS2] READY, without faults and with every dependency DONE: best score first, then the lower number. */
export function eligibleIssues(issues: readonly Issue[], limits: IssueLimits = defaultIssueLimits): Issue[] {
  const { faulty, repeated } = graphFaults(issues)
  const done = new Set(issues.filter((issue) => issue.state === 'DONE').map((issue) => issue.number))
  const isDone = (dependency: number) => done.has(dependency) && !repeated.has(dependency)
  return issues
    .filter((issue) => issue.state === 'READY' && !faulty.has(issue.number) && issue.depends_on.every(isDone))
    .map((issue) => ({ issue, score: issueScore(issue, limits) }))
    .sort((a, b) => b.score - a.score || a.issue.number - b.issue.number)
    .map(({ issue }) => issue)
}

/** [IS2] In whole thousandths, half up, without float noise: 0.35 + 0.45 and 0.3 + 0.5 are a tie. */
export function issueScore(
  issue: Pick<Issue, 'size' | 'business_value' | 'risk'>,
  limits: IssueLimits = defaultIssueLimits,
) {
  const score = limits[issue.size] + issue.business_value * limits.value + (1 - issue.risk) * limits.risk
  return Math.round(Number((score * 1000).toFixed(6)))
}

export const rule: Rule<IssueInput, IssueDecision> = {
  name: 'issue',
  input: issueInput,
  decide: ({ issues, limits }) => decideIssue(issues, limits),
  explain: explainIssue,
}

const shown = 10

function explainIssue({ issues, limits }: IssueInput, output: IssueDecision): string {
  const eligible = eligibleIssues(issues, limits)
  const headline =
    output.next === null
      ? `No issue can start: none of ${issues.length} is READY with its dependencies DONE. [IS2]`
      : `Next: #${output.next}, the best of ${eligible.length} that can start. [IS2]`
  return [
    headline,
    ...list(eligible, (issue) => `  #${issue.number}  ${scoreInWords(issue, limits)}`),
    ...list(waiting(issues, output), ({ number, on }) => `  #${number} waits for ${on}`),
    ...list(output.skipped, ({ number, reason }) => `  #${number} is skipped: ${reason}`),
    ...list(output.errors, (error) => `  Error: ${oneLine(error, 300)}`),
  ].join('\n')
}

function list<Item>(items: readonly Item[], line: (item: Item) => string): string[] {
  const lines = items.slice(0, shown).map(line)
  return items.length > shown ? [...lines, `  … and ${items.length - shown} more`] : lines
}

function scoreInWords(issue: Issue, limits: IssueLimits): string {
  const thousandths = (value: number) => (value / 1000).toFixed(3)
  const total = thousandths(issueScore(issue, limits))
  const { size, business_value, risk } = issue
  return `${total} = ${size} ${limits[size]} + value ${business_value} × ${limits.value} + (1 − risk ${risk}) × ${limits.risk}`
}

/** READY issues that are neither eligible nor skipped, with the dependencies they wait for. */
function waiting(issues: readonly Issue[], output: IssueDecision): { number: number; on: string }[] {
  const states = new Map<number, IssueState>(issues.map((issue) => [issue.number, issue.state]))
  const skipped = new Set(output.skipped.map((skip) => skip.number))
  return issues.flatMap((issue) => {
    if (issue.state !== 'READY' || skipped.has(issue.number)) return []
    const open = issue.depends_on.filter((dependency) => states.get(dependency) !== 'DONE')
    if (open.length === 0) return []
    const on = open.slice(0, shown).map((dependency) => `#${dependency} (${states.get(dependency) ?? 'unknown'})`)
    return [{ number: issue.number, on: on.join(', ') }]
  })
}
