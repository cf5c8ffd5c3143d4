/** Routes for features, their issues and the runs that work on them. Browser-safe. */
import { z } from 'zod'
import { issueSchema } from '../../ship/events.ts'
import type { FeatureReport, FeatureRunReport } from '../../ship/feature/features.ts'
import { type FeatureView, noticeKinds } from '../../ship/view.ts'
import { goalFields } from './plans.ts'
import { type Routes, schemaOf, viewOf } from './route.ts'
import { chosenId, question, seq, workStatus } from './shared.ts'

type IssueLine = FeatureReport['issues'][number]

const issueLine = schemaOf<IssueLine>({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  commit: z.string().optional(),
  evidence: z.array(z.object({ kind: z.string(), detail: z.string() })),
  elsewhere: z.array(z.object({ branch: z.string(), commit: z.string() })),
  depends_on: z.array(z.int()).optional(),
  reviewed: z.boolean().optional(),
  notices: z
    .array(
      schemaOf<NonNullable<IssueLine['notices']>[number]>({
        ts: z.string(),
        change: z.enum(noticeKinds),
        by: z.string().optional(),
        label: z.string().optional(),
        text: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .describe('The last things people did to the issue on the forge')
    .optional(),
})

const featureFields = {
  feature: z.string(),
  issues: z.array(issueLine),
  synced: z.int(),
  reason: z.string().optional(),
  forge_off: z.string().describe('Why issues with a forge number are not synced').optional(),
  tracker: schemaOf<NonNullable<FeatureReport['tracker']>>({
    pending: z.int(),
    failed: z.int(),
    reason: z.string(),
  })
    .describe('Changes that the forge has not received yet')
    .optional(),
  warnings: z.array(z.string()).describe('Why the report may be incomplete, such as a shallow clone').optional(),
}

const featureReport = schemaOf<FeatureReport>(featureFields)

const featureRunReport = schemaOf<FeatureRunReport>({
  ...featureFields,
  left: z.array(z.int()).describe('Issues that are not done').optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  run: z.string(),
  status: workStatus,
  code: z.string().optional(),
  branch: z.string(),
  questions: z.array(question).optional(),
  merged: z.boolean().optional(),
  pull_request: z.object({ number: z.int(), url: z.string() }).optional(),
})

export const featureRoutes = {
  'GET /api/features': {
    name: 'listFeatures',
    role: 'viewer',
    summary: 'List the features.',
    response: z.object({
      features: z.array(
        z.object({
          feature: z.string(),
          issues: z.int(),
          done: z.int(),
          blocked: z.int(),
          run: z.string().describe('The run that is under way or stopped').optional(),
        }),
      ),
    }),
  },
  'GET /api/features/:feature': {
    name: 'getFeature',
    role: 'viewer',
    summary: 'Get the folded view of a feature and its issues.',
    response: viewOf<FeatureView & { seq: number; run?: string }>({
      feature: z.string(),
      issues: z.array(z.looseObject({ number: z.int() })),
      seq,
    }),
  },
  'GET /api/features/:feature/status': {
    name: 'featureStatus',
    role: 'viewer',
    summary: 'Sync a feature with git, then report the state of each issue.',
    response: featureReport,
  },
  'POST /api/features/:feature/greenlight': {
    name: 'greenlight',
    role: 'member',
    summary: 'Admit issues to the feature. Issues that are done stay done.',
    body: z.strictObject({
      issues: z.array(issueSchema).optional(),
      from_github: z.string().describe('Import issues from the forge: `label:<name>`').optional(),
    }),
    response: featureReport,
  },
  'POST /api/features/:feature/unblock': {
    name: 'unblock',
    role: 'member',
    summary: 'Unblock an issue, so that the next run attempts it again.',
    body: z.strictObject({ issue: z.int().min(1) }),
    response: featureReport,
    errors: [409],
  },
  'POST /api/features/:feature/reviewed': {
    name: 'markReviewed',
    role: 'member',
    summary: 'Mark finished issues as reviewed: one, several or all. A run waiting for the review continues.',
    body: z
      .strictObject({
        issue: z.int().min(1).optional(),
        issues: z.array(z.int().min(1)).min(1).optional(),
        all: z.literal(true).optional(),
      })
      .refine((given) => Object.keys(given).length === 1, { error: 'give exactly one of issue, issues and all' }),
    response: featureReport,
    errors: [409],
  },
  'POST /api/features/:feature/runs': {
    name: 'runFeature',
    role: 'member',
    summary: 'Work on the eligible issues. Returns the run that is already under way, if there is one.',
    body: z.strictObject({
      issue: z.int().min(1).describe('Only this issue').optional(),
      smart: z.boolean().describe('Let a coordinator pick the next issue').optional(),
      merge: z.boolean().optional(),
      pull_request: z
        .boolean()
        .describe('Open a pull request for the finished feature; default: the configuration')
        .optional(),
      answers: goalFields.answers,
      yes: z.boolean().describe('Ask nothing: build an issue even if a file suggests that it is done').optional(),
      id: chosenId('run'),
    }),
    status: 202,
    response: z.object({
      id: z.string(),
      warnings: z.array(z.string()).optional(),
      continues: z.int().describe('If a run was under way: the last event before it was continued').optional(),
    }),
  },
  'GET /api/feature-runs/:run/report': {
    name: 'reportFeatureRun',
    role: 'viewer',
    summary: 'Get a summary of a run of the issue loop.',
    response: featureRunReport,
  },
  'POST /api/webhooks/github': {
    name: 'receiveGitHubWebhook',
    role: 'public',
    summary: 'Receive a GitHub webhook. Needs no token: `X-Hub-Signature-256` proves the sender knows the secret.',
    rawBody: true,
    status: 202,
    response: z.object({ noticed: z.boolean() }),
    errors: [401, 404, 503],
  },
} as const satisfies Routes
