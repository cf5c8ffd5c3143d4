/** `room`: who answers, how long is waited, and where talk ends. */
import { z } from 'zod'
import { fraction, seconds, wholeNumber } from './values.ts'

const dispatch = z.strictObject({
  gap: fraction.default(0.3).describe('A lead in confidence above this lets the leader answer alone.'),
  overlap: fraction
    .default(0.5)
    .describe('Angles that share less than this are different enough for parallel answers.'),
  high: fraction.default(0.5).describe('Confidence must be above this to answer in parallel.'),
  low: fraction.default(0.3).describe('Confidence below this counts as low conviction.'),
  synthesis: fraction.default(0.7).describe("Confidence must be above this to build on another's answer."),
  max_responders: wholeNumber.min(1).max(10).default(3).describe('At most so many agents answer one message.'),
})

const synthesis = z
  .strictObject({
    silence_seconds: seconds
      .default(15)
      .describe('How long the second agent waits without a sign of life from the first.'),
    total_seconds: seconds.default(120).describe('How long it waits in all.'),
  })
  .refine((waits) => waits.silence_seconds <= waits.total_seconds, {
    path: ['silence_seconds'],
    error: 'at most total_seconds',
  })

const turns = z.strictObject({
  max_rounds: wholeNumber.min(1).max(50).default(6).describe('Turns of a collaboration when nobody says how many.'),
  window_items: wholeNumber
    .min(1)
    .max(100)
    .default(8)
    .describe('How many of the latest transcript items an agent sees.'),
  window_tokens: wholeNumber
    .min(100)
    .max(200_000)
    .default(3000)
    .describe('How many tokens of them, oldest dropped first.'),
})

const autopilot = z.strictObject({
  turns: wholeNumber.min(1).max(10_000).default(200).describe('Turns after which autopilot ends.'),
  tokens: wholeNumber.min(1).default(200_000).describe('Tokens after which it ends.'),
  minutes: z.number().positive().default(20).describe('Minutes after which it ends.'),
  notice_every: wholeNumber.min(1).default(25).describe('A notice is posted every so many turns.'),
})

const messages = z.strictObject({
  max_depth: wholeNumber.min(1).max(100).default(6).describe('Replies in one thread between agents, whoever speaks.'),
  in_flight: wholeNumber.min(1).max(100).default(2).describe('Messages to one agent that are under way at once.'),
  queued: wholeNumber.min(0).max(10_000).default(20).describe('Messages that wait behind them; more are refused.'),
})

export const roomSchema = z.strictObject({
  dispatch: dispatch.prefault({}).describe('The numbers of the rule that decides who answers.'),
  proposal_seconds: seconds.default(8).describe('How long a proposal may take.'),
  synthesis: synthesis.prefault({}).describe("Waiting for the first agent's answer before building on it."),
  calls_per_minute: wholeNumber.min(1).default(1200).describe('Calls that one room may make in a minute.'),
  turns: turns.prefault({}).describe('Bounded collaboration with hand-offs.'),
  autopilot: autopilot.prefault({}).describe('Where an autopilot session ends.'),
  messages: messages.prefault({}).describe('Messages between agents.'),
})
