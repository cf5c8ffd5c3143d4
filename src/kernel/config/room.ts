/** `room`: who answers, timeouts and limits. */
import { z } from 'zod'
import { defaultInboxLimits } from '../../rules/room/agent-inbox.ts'
import { maxThreadDepth } from '../../rules/room/agent-message.ts'
import { defaultCallCaps } from '../../rules/room/call-caps.ts'
import { defaultDispatchLimits, dispatchRuleNames, mostResponders } from '../../rules/room/dispatch-limits.ts'
import { defaultWaitLimits } from '../../rules/room/synthesis-wait.ts'
import { defaultTalkLimits } from '../../rules/room/talk-window.ts'
import { defaultPeerTimers } from '../../rules/team/peer-decision.ts'
import { defaultAutopilotLimits } from '../../rules/turns/autopilot.ts'
import { defaultWindowLimits } from '../../rules/turns/transcript-window.ts'
import { defaultMaxRounds, mostRounds } from '../../rules/turns/turn.ts'
import { fraction, seconds, wholeNumber } from './values.ts'

const dispatch = z.strictObject({
  rule: z
    .enum(dispatchRuleNames)
    .default(defaultDispatchLimits.rule)
    .describe('`measured` reads the message and what agents say of their answers; `seed` only compares proposals.'),
  gap: fraction
    .default(defaultDispatchLimits.gap)
    .describe('The most confident agent answers alone if its lead is larger than this.'),
  overlap: fraction
    .default(defaultDispatchLimits.overlap)
    .describe('Proposals that overlap less than this may be answered in parallel.'),
  high: fraction.default(defaultDispatchLimits.high).describe('Agents answer in parallel only above this confidence.'),
  low: fraction.default(defaultDispatchLimits.low).describe('Confidence below this counts as low conviction.'),
  synthesis: fraction
    .default(defaultDispatchLimits.synthesis)
    .describe("An agent builds on another's answer only above this confidence."),
  max_responders: wholeNumber
    .min(1)
    .max(mostResponders)
    .default(defaultDispatchLimits.max_responders)
    .describe('How many agents may answer one message.'),
})

const synthesis = z
  .strictObject({
    silence_seconds: seconds
      .default(defaultWaitLimits.silence_ms / 1000)
      .describe('Seconds without output from the first agent before the second answers anyway.'),
    total_seconds: seconds.default(defaultWaitLimits.total_ms / 1000).describe('Seconds it waits at most.'),
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
    .describe('Turns of a collaboration unless the message says otherwise.'),
  window_items: wholeNumber
    .min(1)
    .max(100)
    .default(defaultWindowLimits.items)
    .describe('How many recent transcript items an agent sees.'),
  window_tokens: wholeNumber
    .min(100)
    .max(200_000)
    .default(defaultWindowLimits.tokens)
    .describe('How many tokens of them; the oldest are dropped first.'),
})

const autopilot = z.strictObject({
  turns: wholeNumber.min(1).max(10_000).default(defaultAutopilotLimits.turns).describe('End after this many turns.'),
  tokens: wholeNumber.min(1).default(defaultAutopilotLimits.tokens).describe('End after this many tokens.'),
  minutes: z.number().positive().default(defaultAutopilotLimits.minutes).describe('End after this many minutes.'),
  notice_every: wholeNumber
    .min(1)
    .default(defaultAutopilotLimits.notice_every)
    .describe('Post a notice every this many turns.'),
})

const messages = z.strictObject({
  max_depth: wholeNumber.min(1).max(100).default(maxThreadDepth).describe('Replies in one thread between agents.'),
  in_flight: wholeNumber
    .min(1)
    .max(100)
    .default(defaultInboxLimits.in_flight)
    .describe('Messages to one agent in flight at once.'),
  queued: wholeNumber
    .min(0)
    .max(10_000)
    .default(defaultInboxLimits.queued)
    .describe('Messages queued behind them; further messages are refused.'),
})

const talk = z.strictObject({
  window_items: wholeNumber
    .min(2)
    .max(1000)
    .default(defaultTalkLimits.items)
    .describe("How many of a room's last messages an agent sees when it answers."),
  window_tokens: wholeNumber
    .min(500)
    .max(1_000_000)
    .default(defaultTalkLimits.tokens)
    .describe('How many tokens of them, attachments included; the oldest are dropped first.'),
  summary: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto: summarise what no longer fits the window. off: only tell agents how many messages are missing.'),
})

const peers = z
  .strictObject({
    alone_seconds: seconds
      .default(defaultPeerTimers.alone_ms / 1000)
      .describe('Seconds after its own proposal at which a peer that sees no other decides alone.'),
    round_seconds: seconds
      .default(defaultPeerTimers.round_ms / 1000)
      .describe('Seconds after the message at which peers decide with the proposals they have.'),
    last_resort_seconds: seconds
      .default(defaultPeerTimers.last_resort_ms / 1000)
      .describe('Seconds after the message at which another peer answers for one that gives no sign of life.'),
  })
  .refine((timers) => timers.round_seconds < timers.last_resort_seconds, {
    path: ['round_seconds'],
    error: 'less than last_resort_seconds',
  })

export const roomSchema = z.strictObject({
  dispatch: dispatch.prefault({}).describe('The rule that decides who answers, and its thresholds.'),
  tools: z
    .enum(['read', 'off'])
    .default('read')
    .describe(
      '`read`: agents see the last commit, as a map and through read-only tools. `off`: nothing of it is sent.',
    ),
  proposal_seconds: seconds.default(8).describe('Seconds an agent has for its proposal.'),
  synthesis: synthesis.prefault({}).describe('How long an agent waits for the answer it builds on.'),
  calls_per_minute: wholeNumber
    .min(1)
    .default(defaultCallCaps.calls_per_minute)
    .describe('Calls to agents per minute in one room.'),
  turns: turns.prefault({}).describe('Collaboration with hand-offs.'),
  autopilot: autopilot.prefault({}).describe('Limits of an autopilot session.'),
  messages: messages.prefault({}).describe('Messages between agents.'),
  talk: talk.prefault({}).describe('What agents see of the earlier talk.'),
  peers: peers.prefault({}).describe('Rooms whose agents run as `convene peer`.'),
  attachments_kb: wholeNumber
    .min(1)
    .max(900)
    .default(256)
    .describe('Kilobytes that the attachments of one message may have together.'),
})
