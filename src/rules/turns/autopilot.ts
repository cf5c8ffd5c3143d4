/** Autopilot: without a hand-off the next participant takes the turn, until an agent or a cap ends the session. SPEC.md § TN12. */
import type { Envelope } from './envelope.ts'
import { type EndReason, readTurn } from './turn.ts'

export interface AutopilotLimits {
  turns: number
  tokens: number
  minutes: number
  /** Post a notice in the room every this many turns. */
  notice_every: number
}

export const defaultAutopilotLimits: AutopilotLimits = { turns: 200, tokens: 200_000, minutes: 20, notice_every: 25 }

/** What the session has used, including the turn just taken. */
export interface AutopilotUse {
  turns: number
  tokens: number
  minutes: number
}

export type AutopilotCap = 'turns' | 'tokens' | 'minutes'

export interface AutopilotDecision {
  envelope: Envelope
  loose?: true
  warning?: string
  next:
    | { kind: 'turn'; speaker: string; round: number; task: string }
    | { kind: 'end'; reason: EndReason; cap?: AutopilotCap }
  /** The text of a notice that is due. */
  notice?: string
}

export function autopilot(
  turn: { participants: readonly string[]; speaker: string; reply: string; used: AutopilotUse },
  limits: AutopilotLimits = defaultAutopilotLimits,
): AutopilotDecision {
  const { participants, speaker, reply, used } = turn
  const { handoff: asked, ...shown } = readTurn(participants, speaker, reply)
  const handoff = asked === 'no_handoff' ? alternate(participants, speaker) : asked
  if (typeof handoff === 'string') return { ...shown, next: { kind: 'end', reason: handoff } }

  const cap = reachedCap(used, limits)
  if (cap) return { ...shown, next: { kind: 'end', reason: 'cap', cap } }
  const next = { kind: 'turn' as const, speaker: handoff.to, round: used.turns + 1, task: handoff.task }
  if (used.turns % limits.notice_every !== 0) return { ...shown, next }
  return { ...shown, next, notice: `${used.turns} of ${limits.turns} turns done; continuing.` }
}

/** The participant after the speaker; with a single participant the session ends. */
function alternate(participants: readonly string[], speaker: string): { to: string; task: string } | 'no_handoff' {
  const circle = [...new Set(participants)]
  const to = circle[(circle.indexOf(speaker) + 1) % circle.length]
  return to === undefined || to === speaker ? 'no_handoff' : { to, task: 'Continue the work from here.' }
}

function reachedCap(used: AutopilotUse, limits: AutopilotLimits): AutopilotCap | undefined {
  return (['turns', 'tokens', 'minutes'] as const).find((cap) => used[cap] >= limits[cap])
}
