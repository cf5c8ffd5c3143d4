/** `coordination`, `ship` and `forge`: the issue loop and the tracker it keeps in sync. */
import { z } from 'zod'
import { defaultLockLimits, defaultRetryLimits } from '../../rules/issues/issue-retry.ts'
import { defaultLabelPrefix } from '../../rules/issues/labels.ts'
import { limitOf, variableName, webAddress, wholeNumber, words } from './values.ts'

export const coordinationSchema = z.strictObject({
  auto_sync_from_git: z.boolean().default(true).describe('Sync issue states from git before every decision.'),
  github_sync_enabled: z
    .boolean()
    .default(true)
    .describe('Update labels and comments on GitHub when issue states change.'),
  llm_coordinator_enabled: z
    .boolean()
    .default(false)
    .describe('Let a model analyse repeated failures and choose the order of issues.'),
  generate_summaries: z.boolean().default(true).describe('Summarise every finished issue for those that build on it.'),
  event_logging_enabled: z.boolean().default(true).describe('Mirror the events of a feature to .convene/events/.'),
})

export const shipSchema = z.strictObject({
  max_unreviewed: limitOf(wholeNumber.min(1))
    .default(null)
    .describe('Start no new issue while this many finished ones wait for review, or none for no limit.'),
  retries: wholeNumber
    .min(0)
    .max(20)
    .default(defaultRetryLimits.retries)
    .describe('Further attempts at an issue after the first fails; then it is blocked.'),
  pull_request: z.boolean().default(false).describe('Push the branch of a finished feature and open a pull request.'),
  stale_minutes: z
    .number()
    .positive()
    .default(defaultLockLimits.stale_minutes)
    .describe('Release the claim on an issue after this many minutes without a heartbeat.'),
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
    .describe('How often to poll for changes by people, in seconds, or none for never.'),
  webhook_secret_env: variableName
    .default('GITHUB_WEBHOOK_SECRET')
    .describe('The environment variable that holds the secret of the webhook (its name, never the secret).'),
  create_issues: z
    .boolean()
    .default(false)
    .describe('Open an issue on GitHub for each greenlit issue that has no number there.'),
  label_prefix: words.max(40).default(defaultLabelPrefix).describe('The prefix of state labels.'),
})

export const forgeSchema = z.strictObject({
  github: github.optional().describe('Track issues on GitHub.'),
})
