/** Events of the ship floor. Browser-safe. */

import { z } from 'zod'
import { noCost } from '../kernel/ask/cost.ts'
import { defineEvent } from '../kernel/events.ts'
import { criterionSchema } from '../rules/build/spec.ts'
import { duplicateInput } from '../rules/issues/duplicate.ts'
import { issueSizes } from '../rules/issues/issue.ts'
import { issueStates, moveCauses } from '../rules/issues/issue-states.ts'

export const issueSchema = z.strictObject({
  number: z.int().min(1),
  title: z.string().min(1),
  body: z.string().default(''),
  acceptance_criteria: z.array(criterionSchema).min(1),
  depends_on: z.array(z.int()).default([]),
  size: z.enum(issueSizes).default('medium'),
  business_value: z.number().min(0).max(1).default(0),
  risk: z.number().min(0).max(1).default(0),
  target_path: z.string().optional(),
  test_path: z.string().optional(),
  /** What the plan hands to the builder, and the ids of the decisions in it (PH6). */
  context: z.string().optional(),
  decisions: z.array(z.string()).optional(),
  /** Its number in `forge.github.repo`. */
  github: z.int().positive().optional(),
})
export type IssueDefinition = z.output<typeof issueSchema>

export const issuesFileSchema = z.strictObject({
  feature: z.string().min(1),
  /** What was degraded in the plan they come from. */
  degraded: z.array(z.string()).optional(),
  issues: z.array(issueSchema).min(1),
})

const issue = { issue: z.int() }
const evidence = z.object({ kind: z.enum(['commit', 'tests', 'file', 'person', 'parts']), detail: z.string() })

export const featureGreenlit = defineEvent(
  'feature.greenlit',
  1,
  z.object({
    feature: z.string(),
    issues: z.array(issueSchema),
    main: z.string(),
    synced: z.number().int(),
    /** The commit that their work starts from. DU1 compares with its tree. */
    head: z.string().optional(),
  }),
)

/** The issue loop was started for a feature. */
export const featureRunStarted = defineEvent(
  'feature.run-started',
  1,
  z.object({
    feature: z.string(),
    issue: z.int().optional(),
    smart: z.boolean(),
    merge: z.boolean(),
    pull_request: z.boolean().optional(),
  }),
)

export const issueMoved = defineEvent(
  'issue.moved',
  1,
  z.object({
    ...issue,
    from: z.enum(issueStates),
    to: z.enum(issueStates),
    cause: z.enum(moveCauses),
    reason: z.string().optional(),
    commit: z.string().optional(),
    done_by: z.enum(['commit', 'tests', 'person', 'parts']).optional(),
    evidence: z.array(evidence).default([]),
    /** What the last attempt of an issue that was given up had changed. */
    changed: z.array(z.object({ path: z.string(), change: z.enum(['created', 'modified', 'deleted']) })).optional(),
  }),
)

/** GH5: Convene opened it on the forge. */
export const issueLinked = defineEvent('issue.linked', 1, z.object({ ...issue, github: z.int().positive() }))

export const issueSplit = defineEvent('issue.split', 1, z.object({ ...issue, parts: z.array(issueSchema) }))

/** IS5: whether a medium issue is built whole or in parts. */
export const issueSized = defineEvent(
  'issue.sized',
  1,
  z.object({
    ...issue,
    verdict: z.enum(['whole', 'split']),
    by: z.enum(['coordinator', 'rule']),
    reason: z.string(),
  }),
)

/** DU1: weak signs that the issue is implemented already; a person is asked. */
export const duplicateSuspected = defineEvent(
  'duplicate.suspected',
  1,
  z.object({
    ...issue,
    evidence: z.array(evidence),
    /** What was found in the tree, and what of it was there at greenlight. */
    signs: z.object({ tests: duplicateInput.shape.tests, files: duplicateInput.shape.files }).optional(),
  }),
)

/** A person has reviewed a finished issue. */
export const issueReviewed = defineEvent('issue.reviewed', 1, z.object(issue))

// Events of an issue, mirrored to `.convene/events/<feature>.jsonl`.
export const issueStarted = defineEvent('issue.started', 1, z.object({ ...issue, session: z.string() }))
export const testsWritten = defineEvent('tests.written', 1, z.object({ ...issue, count: z.number().int() }))
export const implementationCompleted = defineEvent('implementation.completed', 1, z.object(issue))
export const verificationFailed = defineEvent(
  'verification.failed',
  1,
  z.object({
    ...issue,
    failures: z.number().int(),
    attempt: z.number().int(),
    detail: z.string(),
    /** The failed tests, if the runner names them. */
    tests: z.array(z.string()).optional(),
  }),
)
export const retryStarted = defineEvent('retry.started', 1, z.object({ ...issue, attempt: z.number().int() }))
export const issueDone = defineEvent(
  'issue.done',
  1,
  z.object({ ...issue, commit: z.string(), files: z.array(z.string()), tests: z.number().int().optional() }),
)

export const lockTaken = defineEvent('lock.taken', 1, z.object({ ...issue, holder: z.string() }))
export const lockReleased = defineEvent(
  'lock.released',
  1,
  z.object({ ...issue, holder: z.string(), stale: z.boolean() }),
)

export const contextInjected = defineEvent(
  'context.injected',
  1,
  z.object({ ...issue, context_ref: z.string(), tokens: z.number().int(), omitted: z.array(z.string()) }),
)

export const summaryWritten = defineEvent(
  'summary.written',
  1,
  z.object({
    ...issue,
    summary: z.string(),
    by: z.enum(['agent', 'rule']),
    key_files: z.array(z.string()),
    modules: z.array(
      z.object({
        path: z.string(),
        symbols: z.array(z.string()),
        purpose: z.string(),
        change: z.enum(['created', 'modified']),
      }),
    ),
  }),
)

export const failureAnalysed = defineEvent(
  'failure.analysed',
  1,
  z.object({
    ...issue,
    attempt: z.number().int(),
    by: z.enum(['coordinator', 'rule']),
    why: z.string().optional(),
    diagnosis: z.string(),
    recommendation: z.string(),
    modified_approach: z.string().optional(),
    reason: z.string(),
  }),
)

export const orderChosen = defineEvent(
  'order.chosen',
  1,
  z.object({
    ...issue,
    by: z.enum(['coordinator', 'rule']),
    reason: z.string(),
    rejected: z.array(z.int()),
    /** What could be built, best first, and what the coordinator named. */
    eligible: z.array(z.int()).optional(),
    proposed: z.array(z.int()).optional(),
  }),
)

/** Commits for an issue that were found on a branch that does not count. */
export const elsewhereFound = defineEvent(
  'commits.found-elsewhere',
  1,
  z.object({ found: z.array(z.object({ issue: z.int(), branch: z.string(), commit: z.string() })) }),
)

/** The integration branch was pushed, and a pull request for it is open. */
export const pullRequestOpened = defineEvent(
  'pull-request.opened',
  1,
  z.object({ number: z.int(), url: z.string(), head: z.string(), base: z.string(), created: z.boolean() }),
)

export const featureStream = (feature: string) => `feature:${feature}`

export const shipStarted = defineEvent(
  'ship.started',
  1,
  z.object({
    goal: z.string(),
    mode: z.string(),
    plan: z.string(),
    feature: z.string(),
    merge: z.boolean().default(false),
    /** The room it was started in, and the message there with its goal. */
    room: z.string().optional(),
    message_id: z.string().optional(),
  }),
)

const plannedIssueLine = z.object({
  number: z.int(),
  title: z.string(),
  criteria: z.int(),
  size: z.enum(issueSizes),
  depends_on: z.array(z.int()),
})
export type PlannedIssueLine = z.output<typeof plannedIssueLine>

/** The issues that a ship is about to build. `approved`: a person saw them and said so. */
export const shipIssues = defineEvent(
  'ship.issues',
  1,
  z.object({ issues: z.array(plannedIssueLine), approved: z.boolean() }),
)

/** Earlier versions counted asks as calls. */
const spent = z
  .object({ asks: z.int().optional(), calls: z.int(), tokens: z.number(), usd: z.number().nullable() })
  .transform(({ asks, ...cost }) => ({ asks: asks ?? cost.calls, ...cost }))

export const shipFinished = defineEvent(
  'ship.finished',
  1,
  z.object({
    status: z.enum(['done', 'failed']),
    done: z.array(z.int()),
    blocked: z.array(z.int()),
    reason: z.string().optional(),
    branch: z.string().default(''),
    merged: z.boolean().optional(),
    cost: spent.default(noCost),
    seconds: z.number().default(0),
  }),
)
