/** The options of the next message: mode, target and participants. Remembered for each room. */
import { defaultMaxRounds } from '../../../../src/rules/turns/turn.ts'
import type { MessageBody } from '../../data/calls/rooms.ts'

export type ComposerMode = 'single' | 'collaborate' | 'coordinate'

export interface Composition {
  mode: ComposerMode
  target: string
  participants: string[]
  speaker: string
  maxRounds: number
  /** Agents keep taking turns without hand-offs, up to the autopilot limits. */
  autopilot: boolean
  /** For this message only; null lets the rule decide. */
  override: string | null
}

export const fewestRounds = 1
export const mostRounds = 50

/** The remembered options, reduced to agents that are still in the room. */
export function fitComposition(kept: Partial<Composition> | undefined, agents: readonly string[]): Composition {
  const chosen = (kept?.participants ?? []).filter((name) => agents.includes(name))
  const participants = chosen.length > 0 ? chosen : [...agents]
  const target = agents.includes(kept?.target ?? '') ? kept!.target! : (agents[0] ?? '')
  const speaker = participants.includes(kept?.speaker ?? '') ? kept!.speaker! : (participants[0] ?? '')
  const mode = kept?.mode ?? (agents.length === 1 ? 'single' : 'coordinate')
  const maxRounds = clampRounds(kept?.maxRounds ?? defaultMaxRounds)
  return { mode, target, participants, speaker, maxRounds, autopilot: kept?.autopilot === true, override: null }
}

export function clampRounds(value: number): number {
  return Number.isFinite(value) ? Math.min(mostRounds, Math.max(fewestRounds, Math.round(value))) : defaultMaxRounds
}

const mostNamed = 3

export function collaborateLabel(participants: readonly string[]): string {
  const who = participants.length > mostNamed ? `${participants.length} agents` : participants.join('↔')
  return `Collaborate (${who})`
}

export function messageBody(
  composition: Composition,
  text: string,
  message_id: string,
  attachments: readonly { name: string; text: string }[] = [],
): MessageBody {
  const body = bodyOf(composition, text, message_id)
  return attachments.length === 0 ? body : { ...body, attachments: [...attachments] }
}

function bodyOf(composition: Composition, text: string, message_id: string): MessageBody {
  const { mode, target, participants, speaker, maxRounds, autopilot, override } = composition
  if (mode === 'single') return { text, message_id, mode, target }
  if (mode === 'coordinate') return { text, message_id, mode, ...(override === null ? {} : { override }) }
  if (autopilot) return { text, message_id, mode: 'autopilot', participants, speaker }
  return { text, message_id, mode, participants, speaker, max_rounds: maxRounds }
}
