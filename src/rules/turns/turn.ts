/** Decides what follows a turn of a session: the next speaker, or why the session ends. SPEC.md § TN. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { oneLine } from '../text/one-line.ts'
import { type Envelope, maxTaskLength, readEnvelope } from './envelope.ts'

/** In order of precedence: the first that holds ends the session. SPEC.md § TN11. */
export type EndReason = 'canceled' | 'agent_failed' | 'malformed' | 'final' | 'no_handoff' | 'invalid_handoff' | 'cap'

export interface TurnSession {
  participants: readonly string[]
  /** The number of the turn just taken, from 1. */
  round: number
  max_rounds: number
}

export type NextTurn =
  | { kind: 'turn'; speaker: string; round: number; task: string }
  | { kind: 'end'; reason: EndReason }

export interface TurnDecision {
  /** What the room shows. */
  envelope: Envelope
  /** The envelope stood in a code fence or among other words. */
  loose?: true
  warning?: string
  next: NextTurn
}

export const defaultMaxRounds = 6
/** The upper bound of `max_rounds`, here and in `convene.yaml`. */
export const mostRounds = 50

export function decideTurn(
  session: TurnSession,
  speaker: string,
  reply: string,
  taskLength: number = maxTaskLength,
): TurnDecision {
  const { handoff, ...shown } = readTurn(session.participants, speaker, reply, taskLength)
  if (typeof handoff === 'string') return { ...shown, next: { kind: 'end', reason: handoff } }
  if (session.round >= session.max_rounds) return { ...shown, next: { kind: 'end', reason: 'cap' } } // TN6
  return { ...shown, next: { kind: 'turn', speaker: handoff.to, round: session.round + 1, task: handoff.task } } // TN5
}

export interface TurnReading {
  envelope: Envelope
  loose?: true
  warning?: string
  /** The hand-off to follow, or why there is none. */
  handoff: { to: string; task: string } | 'malformed' | 'final' | 'no_handoff' | 'invalid_handoff'
}

/** Reads a reply, before any cap applies. */
export function readTurn(
  participants: readonly string[],
  speaker: string,
  reply: string,
  taskLength: number = maxTaskLength,
): TurnReading {
  const reading = readEnvelope(reply, taskLength)
  if (reading.malformed) {
    const warning = `${speaker}'s reply is malformed (${reading.problem}); showing its raw text.`
    return { envelope: reading.envelope, warning, handoff: 'malformed' } // TN2
  }
  const { envelope } = reading
  const shown = reading.loose ? { envelope, loose: true as const } : { envelope }
  const invalid = (warning: string) => ({ ...shown, warning, handoff: 'invalid_handoff' }) as const // TN4
  if (envelope.final === true) return { ...shown, handoff: 'final' } // TN3
  if (!envelope.handoff) return { ...shown, handoff: 'no_handoff' } // TN4
  const { to, task } = envelope.handoff
  if (to === speaker) return invalid(`${speaker} handed off to itself.`)
  if (!participants.includes(to)) return invalid(`${speaker} handed off to ${to}, who is not in this session.`)
  return { ...shown, handoff: { to, task } }
}

const name = z.string().min(1)

const turnInput = z
  .object({
    session: z.object({
      participants: z.array(name).min(1),
      round: z.int().min(1),
      max_rounds: z.int().min(1).default(defaultMaxRounds),
    }),
    speaker: name,
    reply: z.string(),
    limits: z
      .strictObject({
        max_rounds: z.int().min(1).default(mostRounds),
        task_length: z.int().min(1).default(maxTaskLength),
      })
      .prefault({}),
  })
  .superRefine(({ session, speaker, limits }, context) => {
    const { participants, round, max_rounds } = session
    const tooBig = { code: 'too_big', origin: 'number', inclusive: true } as const
    if (max_rounds > limits.max_rounds) {
      const maximum = limits.max_rounds
      context.addIssue({ ...tooBig, path: ['session', 'max_rounds'], maximum, input: max_rounds })
    } else if (round > max_rounds) {
      context.addIssue({ ...tooBig, path: ['session', 'round'], maximum: max_rounds, input: round })
    }
    if (!participants.includes(speaker)) {
      const message = 'the speaker must be one of the participants'
      context.addIssue({ code: 'invalid_value', path: ['speaker'], values: participants, input: speaker, message })
    }
  })

export type TurnInput = z.infer<typeof turnInput>

export const rule: Rule<TurnInput, TurnDecision> = {
  name: 'turn',
  input: turnInput,
  decide: ({ session, speaker, reply, limits }) => decideTurn(session, speaker, reply, limits.task_length),
  explain,
}

const endings: Record<EndReason, string> = {
  canceled: 'a person stopped it [TN8]',
  agent_failed: 'the agent failed [TN11]',
  malformed: 'the reply is not an envelope [TN2]',
  final: 'the agent marked it final [TN3]',
  no_handoff: 'no hand-off [TN4]',
  invalid_handoff: 'the hand-off names the speaker or someone outside the session [TN4]',
  cap: 'max_rounds reached [TN6]',
}

function explain({ session, speaker }: TurnInput, { envelope, loose, warning, next }: TurnDecision): string {
  const lines = [
    `Round ${session.round} of ${session.max_rounds}, ${oneLine(speaker)} spoke [TN6]`,
    `  message: ${oneLine(envelope.message) || '(empty)'} [TN1]`,
    ...(loose ? ['  loose: the envelope stood in a code fence or among other words [TN1]'] : []),
  ]
  if (warning !== undefined) lines.push(`  warning: ${oneLine(warning, 160)}`)
  if (next.kind === 'end') lines.push(`  ends (${next.reason}): ${endings[next.reason]}`)
  else lines.push(`  next: ${oneLine(next.speaker)} in round ${next.round}, to do: ${oneLine(next.task)} [TN5]`)
  return lines.join('\n')
}
