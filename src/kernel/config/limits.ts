/** `budget` and `retry`: what a run may spend, and how failed calls are retried. */
import { z } from 'zod'
import { defaultCallCaps } from '../../rules/room/call-caps.ts'
import { limitOf, seconds, wholeNumber } from './values.ts'

export const budgetSchema = z.strictObject({
  calls: limitOf(wholeNumber.min(0))
    .default(1000)
    .describe('Calls to agents that one run may make with all it starts, or none for no limit (1000).'),
  tokens: limitOf(wholeNumber.min(0)).default(null).describe('Tokens it may use, or none.'),
  usd: limitOf(z.number().min(0)).default(null).describe('US dollars it may spend, or none.'),
  minutes: limitOf(z.number().min(0)).default(null).describe('Minutes it may take (parts allowed), or none.'),
  depth: limitOf(wholeNumber.min(0)).default(8).describe('How deep runs may start runs, or none (8).'),
})

export const retrySchema = z
  .strictObject({
    retries: wholeNumber
      .min(0)
      .max(10)
      .default(defaultCallCaps.retries)
      .describe('Tries after a call to a model failed; rehearsal agents have none.'),
    first_wait_ms: wholeNumber
      .min(0)
      .max(600_000)
      .default(1000)
      .describe('The wait before the first of them; it doubles.'),
    longest_wait_ms: wholeNumber.min(0).max(3_600_000).default(20_000).describe('The longest of these waits.'),
    longest_retry_after_ms: wholeNumber
      .min(0)
      .max(3_600_000)
      .default(60_000)
      .describe('The longest wait that a provider may ask for; more is cut short.'),
    rate_limit_minutes: z
      .number()
      .min(0)
      .max(1440)
      .default(15)
      .describe('How long calls wait for a provider that answers 429 to all of them, before they fail.'),
    silence_seconds: seconds.default(120).describe('A call without a sign of life for so long has failed.'),
  })
  .refine((retry) => retry.first_wait_ms <= retry.longest_wait_ms, {
    path: ['first_wait_ms'],
    error: 'at most longest_wait_ms',
  })
