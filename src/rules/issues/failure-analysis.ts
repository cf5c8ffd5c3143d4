/** Decides what to do about a failed attempt: when to ask a coordinator, and what to do without one. SPEC.md § FA. */
import { z } from 'zod'
import type { ErrorClass } from '../text/error-class.ts'
import { defaultRetryLimits, type RetryLimits, retryDecision } from './issue-retry.ts'

export const diagnoses = ['test_expectation', 'implementation_bug', 'missing_dependency', 'blocked'] as const
export const recommendations = ['retry', 'skip', 'escalate', 'modify'] as const

/** [FA1] A coordinator's reply to `failure-analysis`. `modify` requires an approach. */
export const failureAnalysisReply = z
  .object({
    diagnosis: z.enum(diagnoses),
    recommendation: z.enum(recommendations),
    modified_approach: z.string().nullish(),
    reason: z.string().min(1),
  })
  .refine((reply) => reply.recommendation !== 'modify' || Boolean(reply.modified_approach?.trim()), {
    path: ['modified_approach'],
    message: 'is needed when the recommendation is modify',
  })
export type FailureAnalysis = z.output<typeof failureAnalysisReply>

export interface CoordinatorOccasion {
  /** The user asked for it with `--smart`. */
  smart: boolean
  /** `coordination.llm_coordinator_enabled`. */
  enabled: boolean
  /** Failed retries, not counting the first attempt. */
  failedRetries: number
  dependencies: { blocked: number; total: number }
}

export const defaultConsultLimits = { failed_retries: 2 }

/** [FA1] Why to ask a coordinator; `null` if the rule decides. */
export function whyConsult(occasion: CoordinatorOccasion, limits = defaultConsultLimits): string | null {
  const { smart, enabled, failedRetries, dependencies } = occasion
  if (smart) return 'asked for with --smart'
  if (!enabled) return null
  if (failedRetries >= limits.failed_retries) return `${failedRetries} retries failed`
  if (dependencies.blocked > 0 && dependencies.blocked < dependencies.total)
    return `${dependencies.blocked} of ${dependencies.total} dependencies are blocked`
  return null
}

export interface FailureFacts {
  /** The failed attempt, from 1. */
  attempt: number
  failingTests: readonly string[]
  /** False if the runner reports no test names: the entries are problems instead of tests. */
  areNamed?: boolean
  /** Failing tests of the attempt before; absent on the first. */
  failedBefore?: readonly string[]
  errors: readonly ErrorClass[]
  blockedDependencies: readonly number[]
}

/** [FA2] The first line that holds decides. */
export function analyseFailure(facts: FailureFacts, limits: RetryLimits = defaultRetryLimits): FailureAnalysis {
  const { attempt, failingTests, areNamed = true, failedBefore, errors, blockedDependencies } = facts
  const named = areNamed ? failingTests : []
  const failing = failingInWords(failingTests, failedBefore)

  if (blockedDependencies.length > 0)
    return advice('missing_dependency', 'skip', `needs ${issueList(blockedDependencies)}, which is blocked`)
  if (retryDecision(attempt, limits).kind === 'blocked')
    return advice('blocked', 'escalate', `no retry is left: ${failing}`)
  if (isOnly('environment', errors) && attempt === 1)
    return advice('blocked', 'retry', 'the commands could not run; this may be transient')
  if (isOnly('environment', errors))
    return advice('blocked', 'escalate', 'the commands could not run again; changing the code will not help')
  if (errors.includes('missing_module'))
    return modify('missing_dependency', 'an import is missing', wayAroundMissingModule)
  if (isStuck(failingTests, failedBefore) && isOnly('assertion', errors))
    return modify('test_expectation', `the same assertions fail again: ${failing}`, rereadExpectations(named))
  if (isStuck(failingTests, failedBefore) && !areNamed)
    return modify('implementation_bug', `the same problems again: ${failing}`, firstThingsFirst(failingTests))
  if (isStuck(failingTests, failedBefore))
    return modify('implementation_bug', `the same tests fail again: ${failing}`, oneTestAtATime(failingTests))
  if (failedBefore && failingTests.length > failedBefore.length)
    return modify('implementation_bug', `it got worse: ${failing}`, startFromBefore)
  return advice('implementation_bug', 'retry', failing)
}

const wayAroundMissingModule =
  'Look up what the missing import is meant to be: correct its path or name if it exists elsewhere, write it if it belongs to this issue, and name it in the exit if it belongs to another.'

const startFromBefore =
  'Go back to the state of the previous attempt, keep what passed there, and change one thing at a time.'

function rereadExpectations(tests: readonly string[]): string {
  return `Read what ${testList(tests)} expect, compare it with the acceptance criteria word by word, and follow the criteria; if a test contradicts them, say which and why.`
}

function firstThingsFirst([said = '']: readonly string[]): string {
  return `Drop the approach of the last attempt and fix this first: ${said.replace(/:$/, '')}.`
}

function oneTestAtATime(tests: readonly string[]): string {
  return `Drop the approach of the last attempt. Make ${testList(tests.slice(0, 1))} pass alone, then the next.`
}

function advice(
  diagnosis: FailureAnalysis['diagnosis'],
  recommendation: FailureAnalysis['recommendation'],
  reason: string,
): FailureAnalysis {
  return { diagnosis, recommendation, reason }
}

function modify(diagnosis: FailureAnalysis['diagnosis'], reason: string, approach: string): FailureAnalysis {
  return { diagnosis, recommendation: 'modify', modified_approach: approach, reason }
}

function isOnly(errorClass: ErrorClass, errors: readonly ErrorClass[]): boolean {
  return errors.length > 0 && errors.every((error) => error === errorClass)
}

function isStuck(now: readonly string[], before: readonly string[] | undefined): boolean {
  const tests = new Set(now)
  return tests.size > 0 && tests.size === new Set(before).size && before!.every((test) => tests.has(test))
}

function failingInWords(now: readonly string[], before: readonly string[] | undefined): string {
  return `${now.length} failing${before ? ` (${before.length} before)` : ''}`
}

function testList(tests: readonly string[]): string {
  const named = tests.slice(0, 5).map((test) => `"${test}"`)
  return tests.length > 5 ? `${named.join(', ')} and ${tests.length - 5} more` : named.join(', ') || 'the failing tests'
}

function issueList(numbers: readonly number[]): string {
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => `#${number}`)
    .join(', ')
}
