/** Turns the findings of an expert review into an outcome. SPEC.md § RV. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'

export const severities = ['CRITICAL', 'MAJOR', 'MINOR'] as const

export type Severity = (typeof severities)[number]

export interface Finding {
  severity: Severity
  /** From 0 to 100. */
  confidence?: number | null
  [extra: string]: unknown
}

export interface ReviewLimits {
  /** Findings below this are advisory. */
  confidence_threshold: number
  /** From this round on, the user must decide about a failing review. */
  max_review_iterations: number
  /** The most findings with which a review still passes. */
  pass_max_critical: number
  pass_max_major: number
  /** The most critical findings that are carried as risks; one more fails the review. */
  risk_max_critical: number
}

export interface ReviewVerdict {
  outcome: 'pass' | 'pass_with_risk' | 'fail'
  action: 'proceed' | 'carry' | 'ask' | 'decide'
  blocking: Finding[]
  carried: Finding[]
  noted: Finding[]
  advisory: Finding[]
  degraded: boolean
}

export const defaultReviewLimits: ReviewLimits = {
  confidence_threshold: 80,
  max_review_iterations: 2,
  pass_max_critical: 0,
  pass_max_major: 0,
  risk_max_critical: 0,
}

/** The confidence of a finding that states none. */
export const assumedConfidence = 80

/** The user's choices after a failing review (RV3). */
export const reviewChoices = ['redesign', 'override', 'more context'] as const

export function review(
  findings: readonly Finding[],
  iteration = 1,
  reviewerMissing = false,
  limits: ReviewLimits = defaultReviewLimits,
): ReviewVerdict {
  const isSure = ({ confidence }: Finding) => (confidence ?? assumedConfidence) >= limits.confidence_threshold // RV1
  const counts = (finding: Finding) => isSure(finding) && typeof finding.dismissed !== 'string' // RV4
  const counting = findings.filter(counts)
  const critical = counting.filter((finding) => finding.severity === 'CRITICAL')
  const major = counting.filter((finding) => finding.severity === 'MAJOR')
  const fails = critical.length > limits.risk_max_critical // RV2
  const sorted = {
    blocking: fails ? critical : [],
    carried: fails ? major : [...critical, ...major],
    noted: counting.filter((finding) => finding.severity === 'MINOR'),
    advisory: findings.filter((finding) => !counts(finding)),
    degraded: reviewerMissing,
  }
  if (fails) {
    const action = iteration >= limits.max_review_iterations ? 'decide' : 'ask' // RV3
    return { outcome: 'fail', action, ...sorted }
  }
  const passes = critical.length <= limits.pass_max_critical && major.length <= limits.pass_max_major
  if (!passes) return { outcome: 'pass_with_risk', action: 'carry', ...sorted }
  return { outcome: 'pass', action: 'proceed', ...sorted }
}

export interface OverriddenVerdict extends ReviewVerdict {
  /** The critical findings that the user overrode. They stay on record. */
  overridden: Finding[]
}

/** RV3: the user accepts the risk. Blocking findings are carried; a verdict that did not fail is unchanged. */
export function override(verdict: ReviewVerdict): OverriddenVerdict {
  if (verdict.outcome !== 'fail') return { ...verdict, overridden: [] }
  return {
    ...verdict,
    outcome: 'pass_with_risk',
    action: 'carry',
    blocking: [],
    carried: [...verdict.blocking, ...verdict.carried],
    overridden: verdict.blocking,
  }
}

const findingShape = z.object({
  severity: z.enum(severities),
  confidence: z.number().min(0).max(100).nullish(),
})

/** Validates without copying, so that every field a reviewer wrote is kept. */
const finding = z.custom<Finding>().check((context) => {
  const { error } = findingShape.safeParse(context.value)
  const issues = error?.issues.map((issue) => ({ ...issue, input: context.value })) ?? []
  context.issues.push(...(issues as z.core.$ZodRawIssue[]))
})

const reviewInput = z.object({
  findings: z.array(finding),
  iteration: z.number().int().min(1).default(1),
  /** The names or number of missing reviewers, or true. */
  reviewers_missing: z
    .preprocess(
      (value) => (Array.isArray(value) ? value.length > 0 : typeof value === 'number' ? value > 0 : value),
      z.boolean(),
    )
    .default(false),
  limits: z
    .strictObject({
      confidence_threshold: z.number().min(0).max(100).default(defaultReviewLimits.confidence_threshold),
      max_review_iterations: z.number().int().min(1).default(defaultReviewLimits.max_review_iterations),
      pass_max_critical: z.number().int().min(0).default(defaultReviewLimits.pass_max_critical),
      pass_max_major: z.number().int().min(0).default(defaultReviewLimits.pass_max_major),
      risk_max_critical: z.number().int().min(0).default(defaultReviewLimits.risk_max_critical),
    })
    .prefault({}),
})

export type ReviewInput = z.infer<typeof reviewInput>

export const rule: Rule<ReviewInput, ReviewVerdict> = {
  name: 'review',
  input: reviewInput,
  decide: ({ findings, iteration, reviewers_missing, limits }) =>
    review(findings, iteration, reviewers_missing, limits),
  explain,
}

function explain({ iteration, limits }: ReviewInput, verdict: ReviewVerdict): string {
  const lines = [`${outcomeWords[verdict.outcome]} [RV2]`]
  const counted = [...verdict.blocking, ...verdict.carried]
  const many = (severity: Severity) => counted.filter((finding) => finding.severity === severity).length
  lines.push(`  counted: ${many('CRITICAL')} critical, ${many('MAJOR')} major, ${verdict.noted.length} minor`)
  if (verdict.advisory.length > 0) {
    lines.push(`  advisory, confidence below ${limits.confidence_threshold}: ${verdict.advisory.length} [RV1]`)
  }
  if (verdict.action === 'ask') lines.push(`  round ${iteration}: ask the user for ${reviewChoices.join(', ')} [RV3]`)
  if (verdict.action === 'decide') {
    lines.push(`  round ${iteration} of ${limits.max_review_iterations}: the user must decide [RV3]`)
  }
  if (verdict.action === 'carry') lines.push('  carried: major findings become risks and tasks [RV2]')
  if (verdict.degraded) lines.push('  degraded: a reviewer is missing [RV3]')
  return lines.join('\n')
}

const outcomeWords = { pass: 'Pass', pass_with_risk: 'Pass with risk', fail: 'Fail' } as const
