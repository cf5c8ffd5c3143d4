/** `budget` and `retry`: what a run may spend, and how failed calls are retried. */
import { z } from 'zod'
import { defaultCallCaps } from '../../rules/room/call-caps.ts'
import { limitOf, seconds, wholeNumber } from './values.ts'

export const budgetSchema = z.strictObject({
  calls: limitOf(wholeNumber.min(0))
    .default(1000)
    .describe('Asks by one run and everything it starts, or none for no limit.'),
  tokens: limitOf(wholeNumber.min(0)).default(null).describe('Tokens it may use, or none for no limit.'),
  usd: limitOf(z.number().min(0)).default(null).describe('US dollars it may spend, or none for no limit.'),
  minutes: limitOf(z.number().min(0))
    .default(null)
    .describe('Minutes it may take (fractions allowed), or none for no limit.'),
  depth: limitOf(wholeNumber.min(0)).default(8).describe('How deep runs may start further runs, or none for no limit.'),
})

export const retrySchema = z
  .strictObject({
    retries: wholeNumber
      .min(0)
      .max(10)
      .default(defaultCallCaps.retries)
      .describe('Retries of a failed call to a model. Rehearsal agents have none.'),
    first_wait_ms: wholeNumber
      .min(0)
      .max(600_000)
      .default(1000)
      .describe('Milliseconds before the first retry; doubles with each retry.'),
    longest_wait_ms: wholeNumber
      .min(0)
      .max(3_600_000)
      .default(20_000)
      .describe('The longest wait between retries, in milliseconds.'),
    longest_retry_after_ms: wholeNumber
      .min(0)
      .max(3_600_000)
      .default(60_000)
      .describe(
        'The longest wait, in milliseconds, that a provider may request; longer requests are shortened to this.',
      ),
    rate_limit_minutes: z
      .number()
      .min(0)
      .max(1440)
      .default(15)
      .describe('Fail calls after this many minutes of nothing but rate-limit replies (429) from the provider.'),
    silence_seconds: seconds.default(120).describe('Fail a call after this many seconds without output.'),
    call_minutes: z
      .number()
      .positive()
      .max(1440)
      .default(30)
      .describe('End a call after this many minutes in all (fractions allowed), however steadily it produces output.'),
  })
  .refine((retry) => retry.first_wait_ms <= retry.longest_wait_ms, {
    path: ['first_wait_ms'],
    error: 'at most longest_wait_ms',
  })
