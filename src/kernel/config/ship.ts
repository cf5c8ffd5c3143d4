/** `coordination`, `ship` and `forge`: the issue loop and the tracker it keeps true. */
import { z } from 'zod'
import { defaultLockLimits, defaultRetryLimits } from '../../rules/issues/issue-retry.ts'
import { defaultLabelPrefix } from '../../rules/issues/labels.ts'
import { limitOf, variableName, webAddress, wholeNumber, words } from './values.ts'

export const coordinationSchema = z.strictObject({
  auto_sync_from_git: z.boolean().default(true).describe('Issue states are first brought in line with git.'),
  github_sync_enabled: z.boolean().default(true).describe('Labels and comments on GitHub follow the issue states.'),
  llm_coordinator_enabled: z
    .boolean()
    .default(false)
    .describe('A model analyses repeated failures and may order issues.'),
  generate_summaries: z.boolean().default(true).describe('Every finished issue is summed up for the next one.'),
  event_logging_enabled: z.boolean().default(true).describe('Events of a feature are mirrored to .convene/events/.'),
})

export const shipSchema = z.strictObject({
  max_unreviewed: limitOf(wholeNumber.min(1))
    .default(null)
    .describe('No new issue is started while so many finished ones wait for review, or none.'),
  retries: wholeNumber
    .min(0)
    .max(20)
    .default(defaultRetryLimits.retries)
    .describe('Tries of an issue after the first; then it is blocked.'),
  pull_request: z
    .boolean()
    .default(false)
    .describe('The branch of a finished feature is pushed, and a pull request opened for it on the forge.'),
  stale_minutes: z
    .number()
    .positive()
    .default(defaultLockLimits.stale_minutes)
    .describe('A lock without heartbeat for so long is released.'),
})

const github = z.strictObject({
  repo: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/, { error: 'owner/name, such as acme/shop' })
    .describe('The repository, as owner/name.'),
  api_url: webAddress.optional().describe('The API of a GitHub Enterprise server.'),
  token_env: variableName
    .default('GITHUB_TOKEN')
    .describe('The environment variable that holds the token (its name, never the token).'),
  poll_seconds: limitOf(z.number().min(1).max(86_400))
    .default(60)
    .describe('How often changes that people made there are looked for, while Convene runs; none: never.'),
  webhook_secret_env: variableName
    .default('GITHUB_WEBHOOK_SECRET')
    .describe('The environment variable that holds the secret of the webhook (its name, never the secret).'),
  label_prefix: words.max(40).default(defaultLabelPrefix).describe('What the state labels begin with.'),
})

export const forgeSchema = z.strictObject({
  github: github.optional().describe('Issues on GitHub.'),
})
