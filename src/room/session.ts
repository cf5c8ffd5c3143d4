/** A bounded collaboration: agents take turns until one is final, none hands off, or the cap is reached. TN. */

import type { z } from 'zod'
import { type Run, RunCancelled, Stopped, type Workflow } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'
import { type AskingRun, askInRun, type RunAskResult } from '../kernel/runs/ask-in-run.ts'
import { parkingRun } from '../kernel/runs/patient-run.ts'
import { type AutopilotCap, autopilot } from '../rules/turns/autopilot.ts'
import { type Envelope, envelopeSchema } from '../rules/turns/envelope.ts'
import { transcriptWindow } from '../rules/turns/transcript-window.ts'
import { decideTurn, type NextTurn } from '../rules/turns/turn.ts'
import { attachedText } from './attached-text.ts'
import { permitCalls } from './call-permit.ts'
import type { RoomDeps } from './deps.ts'
import {
  type Attachment,
  handoffPosted,
  noticePosted,
  replyPosted,
  roomStream,
  sessionEnded,
  turnStarted,
} from './events.ts'
import { findAgent } from './find-agent.ts'
import { messageTextOnly } from './message-text.ts'
import { mapMessages, toolsFor } from './readable-source.ts'

export interface SessionInput {
  room: string
  message_id: string
  session_id: string
  goal: string
  participants: string[]
  speaker: string
  max_rounds: number
  autopilot: boolean
  attachments?: Attachment[]
}

export interface SessionResult {
  end_reason: string
  round: number
  /** Set if the session did not end by itself. */
  reason?: string
}

export interface Turn {
  speaker: string
  round: number
  task?: string
}

export interface Utterance {
  from: string
  text: string
}

/** The result of one turn: what to show, and what comes next. */
interface TurnOutcome {
  envelope?: Envelope
  warning?: string
  notice?: string
  next: Exclude<NextTurn, { kind: 'end' }> | (Extract<NextTurn, { kind: 'end' }> & { cap?: AutopilotCap })
}

/** Tokens and time used by the whole session so far; only autopilot reads them. */
interface Used {
  tokens: number
  began: number
}

export function sessionWorkflow(deps: RoomDeps): Workflow<SessionInput, SessionResult> {
  return {
    name: 'room.session',
    version: 1,
    async run(started, input) {
      const run = parkingRun(started, deps.parking)
      const roundEnds = deps.activity.begin(input.room)
      let turn: Turn = { speaker: input.speaker, round: 1 }
      const transcript: Utterance[] = []
      const used: Used = { tokens: 0, began: input.autopilot ? await run.now() : 0 }
      try {
        for (;;) {
          const outcome = await takeTurn(run, deps, input, turn, transcript, used)
          if (outcome.envelope) transcript.push({ from: turn.speaker, text: outcome.envelope.message })
          const { next } = outcome
          if (next.kind === 'end') return ended(next.reason, turn.round)
          transcript.push({ from: `router to ${next.speaker}`, text: next.task })
          turn = next
        }
      } catch (error) {
        if (error instanceof Stopped) {
          await run.append(...canceled(input, turn.round))
          return ended('canceled', turn.round)
        }
        // Nothing continues this session after another error: it must not look as if it were still running.
        if (!(error instanceof RunCancelled)) {
          const why = error instanceof Error ? error.message : String(error)
          await run.append(
            notice(input, turn.round, `The collaboration ended: ${why}`),
            end(input, 'agent_failed', turn.round),
          )
        }
        throw error
      } finally {
        roundEnds()
        deps.memories.forget(run.runId)
      }
    },
  }
}

async function takeTurn(
  run: Run,
  deps: RoomDeps,
  input: SessionInput,
  turn: Turn,
  transcript: Utterance[],
  used: Used,
): Promise<TurnOutcome> {
  await permitCalls(run, deps, input.room, 1, (words) => notice(input, turn.round, words))
  const minutes = input.autopilot ? ((await run.now()) - used.began) / 60_000 : 0
  // Fixed here, so that the outcome that is written and the one that is followed are the same.
  const before = { tokens: used.tokens, minutes }
  const { outcome, tokens } = await askTurn(run, deps, input, turn, transcript, before)
  used.tokens += tokens
  return outcome
}

/** `before` is what the session used before this turn. */
export async function askTurn(
  run: AskingRun,
  deps: RoomDeps,
  input: SessionInput,
  turn: Turn,
  transcript: Utterance[],
  before: { tokens: number; minutes: number },
): Promise<{ outcome: TurnOutcome; tokens: number }> {
  const { speaker, round } = turn
  const agent = findAgent(deps, speaker)
  const others = input.participants.filter((name) => name !== speaker)
  const read = (result: RunAskResult<Envelope>) => outcomeOf(deps, input, turn, result, before)
  const result = await askInRun<Envelope>(run, deps, {
    agent,
    kind: 'turn',
    schema: envelopeSchema(others.length > 0 ? others : undefined),
    repairs: 0,
    facts: { round },
    source: () => toolsFor(deps, agent, { ...input, run: run.runId, round }),
    messages: async (source) => {
      const memory = await deps.memories.before(input, run.runId)
      const { note, lines } = memory.beforeSession(speaker, source !== null)
      const window = windowOf(deps, transcript)
      const system = deps.prompts.render('turn', { name: speaker, others })
      const content = deps.prompts.render('turn-question', {
        goal: await attachedText(deps.store, { text: input.goal, attachments: input.attachments }),
        room_note: note,
        room_talk: lines,
        transcript: window,
        omitted: transcript.length - window.length,
        round,
        max_rounds: input.max_rounds,
        task: turn.task,
      })
      return [...mapMessages(deps, source), { role: 'system', content: system }, { role: 'user', content }]
    },
    stream: roomStream(input.room),
    show: messageTextOnly,
    before: [turnStarted.create(eventHeader(input, speaker), { session_id: input.session_id, speaker, round })],
    emit: (result, ask) => turnEvents(input, turn, read(result), ask, agent.rehearsal),
  })
  return { outcome: read(result), tokens: result.usage.inputTokens + result.usage.outputTokens }
}

function windowOf(deps: RoomDeps, transcript: Utterance[]): Utterance[] {
  const { window_items, window_tokens } = deps.settings.turns
  return transcriptWindow(transcript, deps.countTokens, { items: window_items, tokens: window_tokens })
}

/** TN2, TN11: a reply that cannot be parsed is shown as it is and ends the session; so does a missing reply. */
function outcomeOf(
  deps: RoomDeps,
  input: SessionInput,
  turn: Turn,
  { exit, raw, usage }: RunAskResult<Envelope>,
  used: { tokens: number; minutes: number },
): TurnOutcome {
  if (!exit.ok && exit.failure.reason !== 'malformed') {
    return {
      notice: `${turn.speaker} could not take its turn: ${exit.failure.message}`,
      next: { kind: 'end', reason: 'agent_failed' },
    }
  }
  const reply = exit.ok ? exit.text : raw
  if (!input.autopilot)
    return decideTurn(
      { participants: input.participants, round: turn.round, max_rounds: input.max_rounds },
      turn.speaker,
      reply,
    )
  const tokens = used.tokens + usage.inputTokens + usage.outputTokens
  return autopilot(
    {
      participants: input.participants,
      speaker: turn.speaker,
      reply,
      used: { turns: turn.round, tokens, minutes: used.minutes },
    },
    { ...deps.settings.autopilot, turns: input.max_rounds },
  )
}

/** The events of a turn: the reply, and the hand-off or the end of the session. */
function turnEvents(
  input: SessionInput,
  turn: Turn,
  outcome: TurnOutcome,
  ask: string,
  rehearsal: boolean,
): NewEvent[] {
  const events: NewEvent[] = []
  const { envelope, warning, next } = outcome
  if (envelope) {
    const reply = {
      message_id: input.message_id,
      ask,
      agent: turn.speaker,
      rehearsal,
      text: envelope.message,
      ...(warning ? { warning } : {}),
    }
    events.push(replyPosted.create(eventHeader(input, turn.speaker), { ...reply, ...sessionFields(input, turn.round) }))
  }
  if (outcome.notice) events.push(notice(input, turn.round, outcome.notice))
  if (next.kind === 'end')
    events.push(end(input, next.reason, turn.round, next.cap, envelope && saidBeside(envelope, next.reason)))
  else {
    const task = {
      message_id: input.message_id,
      call_id: `${ask}/task`,
      from: turn.speaker,
      to: next.speaker,
      task: next.task,
    }
    events.push(handoffPosted.create(eventHeader(input, 'router'), { ...task, ...sessionFields(input, next.round) }))
  }
  return events
}

/** What a person's stop adds to the room. */
export function canceled(input: SessionInput, round: number): NewEvent[] {
  return [notice(input, round, 'Collaboration canceled by user.'), end(input, 'canceled', round)]
}

export function ended(end_reason: string, round: number): SessionResult {
  const unfinished = ['canceled', 'agent_failed'].includes(end_reason)
  return { end_reason, round, ...(unfinished ? { reason: end_reason === 'canceled' ? 'stopped' : end_reason } : {}) }
}

const eventHeader = (input: SessionInput, actor: string) => ({ stream: roomStream(input.room), actor })

const sessionFields = (input: SessionInput, round: number) => ({
  session_id: input.session_id,
  round,
  max_rounds: input.max_rounds,
})

function notice(input: SessionInput, round: number, text: string): NewEvent {
  return noticePosted.create(eventHeader(input, 'router'), {
    message_id: input.message_id,
    text,
    ...sessionFields(input, round),
  })
}

/** For `replay`: the rest of the reply, from which the end follows. */
function saidBeside({ handoff, final }: Envelope, reason: string): SaidBeside {
  if (reason === 'malformed') return { malformed: true }
  return { ...(handoff ? { handoff } : {}), ...(final === undefined ? {} : { final }) }
}

type SaidBeside = NonNullable<z.infer<typeof sessionEnded.schema>['reply']>

function end(input: SessionInput, reason: string, round: number, cap?: AutopilotCap, reply?: SaidBeside): NewEvent {
  const { session_id } = input
  return sessionEnded.create(eventHeader(input, 'router'), {
    session_id,
    reason,
    round,
    ...(cap ? { cap } : {}),
    ...(reply ? { reply } : {}),
  })
}
