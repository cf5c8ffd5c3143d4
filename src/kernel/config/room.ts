/** `room`: who answers, how long is waited, and where talk ends. */
import { z } from 'zod'
import { defaultInboxLimits } from '../../rules/room/agent-inbox.ts'
import { maxThreadDepth } from '../../rules/room/agent-message.ts'
import { defaultCallCaps } from '../../rules/room/call-caps.ts'
import { defaultDispatchLimits, mostResponders } from '../../rules/room/dispatch-limits.ts'
import { defaultWaitLimits } from '../../rules/room/synthesis-wait.ts'
import { defaultAutopilotLimits } from '../../rules/turns/autopilot.ts'
import { defaultWindowLimits } from '../../rules/turns/transcript-window.ts'
import { defaultMaxRounds, mostRounds } from '../../rules/turns/turn.ts'
import { fraction, seconds, wholeNumber } from './values.ts'

const dispatch = z.strictObject({
  gap: fraction
    .default(defaultDispatchLimits.gap)
    .describe('A lead in confidence above this lets the leader answer alone.'),
  overlap: fraction
    .default(defaultDispatchLimits.overlap)
    .describe('Angles that share less than this are different enough for parallel answers.'),
  high: fraction.default(defaultDispatchLimits.high).describe('Confidence must be above this to answer in parallel.'),
  low: fraction.default(defaultDispatchLimits.low).describe('Confidence below this counts as low conviction.'),
  synthesis: fraction
    .default(defaultDispatchLimits.synthesis)
    .describe("Confidence must be above this to build on another's answer."),
  max_responders: wholeNumber
    .min(1)
    .max(mostResponders)
    .default(defaultDispatchLimits.max_responders)
    .describe('At most so many agents answer one message.'),
})

const synthesis = z
  .strictObject({
    silence_seconds: seconds
      .default(defaultWaitLimits.silence_ms / 1000)
      .describe('How long the second agent waits without a sign of life from the first.'),
    total_seconds: seconds.default(defaultWaitLimits.total_ms / 1000).describe('How long it waits in all.'),
  })
  .refine((waits) => waits.silence_seconds <= waits.total_seconds, {
    path: ['silence_seconds'],
    error: 'at most total_seconds',
  })

const turns = z.strictObject({
  max_rounds: wholeNumber
    .min(1)
    .max(mostRounds)
    .default(defaultMaxRounds)
    .describe('Turns of a collaboration when nobody says how many.'),
  window_items: wholeNumber
    .min(1)
    .max(100)
    .default(defaultWindowLimits.items)
    .describe('How many of the latest transcript items an agent sees.'),
  window_tokens: wholeNumber
    .min(100)
    .max(200_000)
    .default(defaultWindowLimits.tokens)
    .describe('How many tokens of them, oldest dropped first.'),
})

const autopilot = z.strictObject({
  turns: wholeNumber
    .min(1)
    .max(10_000)
    .default(defaultAutopilotLimits.turns)
    .describe('Turns after which autopilot ends.'),
  tokens: wholeNumber.min(1).default(defaultAutopilotLimits.tokens).describe('Tokens after which it ends.'),
  minutes: z.number().positive().default(defaultAutopilotLimits.minutes).describe('Minutes after which it ends.'),
  notice_every: wholeNumber
    .min(1)
    .default(defaultAutopilotLimits.notice_every)
    .describe('A notice is posted every so many turns.'),
})

const messages = z.strictObject({
  max_depth: wholeNumber
    .min(1)
    .max(100)
    .default(maxThreadDepth)
    .describe('Replies in one thread between agents, whoever speaks.'),
  in_flight: wholeNumber
    .min(1)
    .max(100)
    .default(defaultInboxLimits.in_flight)
    .describe('Messages to one agent that are under way at once.'),
  queued: wholeNumber
    .min(0)
    .max(10_000)
    .default(defaultInboxLimits.queued)
    .describe('Messages that wait behind them; more are refused.'),
})

export const roomSchema = z.strictObject({
  dispatch: dispatch.prefault({}).describe('The numbers of the rule that decides who answers.'),
  proposal_seconds: seconds.default(8).describe('How long a proposal may take.'),
  synthesis: synthesis.prefault({}).describe("Waiting for the first agent's answer before building on it."),
  calls_per_minute: wholeNumber
    .min(1)
    .default(defaultCallCaps.calls_per_minute)
    .describe('Calls that one room may make in a minute.'),
  turns: turns.prefault({}).describe('Bounded collaboration with hand-offs.'),
  autopilot: autopilot.prefault({}).describe('Where an autopilot session ends.'),
  messages: messages.prefault({}).describe('Messages between agents.'),
})
