/** How a message becomes a round: routed by name, answered at once, or put to the room for proposals. SPEC.md § RD. */
import { byCodeUnit, firstByName } from '../text/by-code-unit.ts'
import { hasContentWords } from '../text/content-words.ts'
import type { DispatchDecision } from './dispatch.ts'
import { mentions } from './mentions.ts'
import { offeredTopics } from './offered-topics.ts'
import type { Override } from './override.ts'

export interface RoundRequest {
  message: { id: string; text: string }
  agents: readonly string[]
  /** Who answered last in this room, as read from the log before this message. */
  lastResponder?: string
  /** What a person asked for: for this message, for the room. */
  override?: { message?: Override; room?: Override }
}

/** `id` is the message's own: a message delivered twice is the same round. */
export type RoundPlan = { id: string } & (
  | { kind: 'route'; agents: string[]; because: 'mention' | 'override' }
  | { kind: 'solo'; agent: string; because: 'no_content' | 'only_agent' }
  | { kind: 'propose'; agents: string[]; topics: string[] }
)

/** The room has at least one agent. What is said for the message goes before what its text says, and that before the room's. */
export function planRound({ message, agents, lastResponder, override = {} }: RoundRequest): RoundPlan {
  const { id, text } = message
  if (override.message?.kind === 'only') return routed(id, [override.message.agent], 'override') // RD10

  const named = mentions(text, agents)
  if (named.length > 0) return routed(id, named, 'mention') // RD2
  const room = override.message === undefined ? override.room : undefined
  if (room?.kind === 'only' && agents.includes(room.agent)) return routed(id, [room.agent], 'override') // RD10

  const everybody = [...new Set(agents)].sort(byCodeUnit)
  if (everybody.length === 1) return { id, kind: 'solo', agent: everybody[0]!, because: 'only_agent' }
  if (!hasContentWords(text) && override.message === undefined) {
    return { id, kind: 'solo', agent: addressee(everybody, lastResponder), because: 'no_content' } // RD3
  }
  return { id, kind: 'propose', agents: everybody, topics: offeredTopics(text) } // RD4
}

/** RD3: who a nod is meant for. */
export function addressee(agents: readonly string[], lastResponder?: string): string {
  if (lastResponder !== undefined && agents.includes(lastResponder)) return lastResponder
  const first = firstByName(agents)
  if (first === undefined) throw new RangeError('a room needs an agent')
  return first
}

export type Part = 'answer' | 'wait' | 'cancel'

/** RD5–RD7: what each agent of the room does now. In a synthesis the later ones wait; they are not cancelled. */
export function parts(
  decision: Pick<DispatchDecision, 'mode' | 'winner' | 'responders'>,
  agents: readonly string[],
): Map<string, Part> {
  return new Map(agents.map((agent) => [agent, partOf(agent, decision)]))
}

function partOf(agent: string, decision: Pick<DispatchDecision, 'mode' | 'winner' | 'responders'>): Part {
  if (!decision.responders.includes(agent)) return 'cancel'
  return decision.mode === 'synthesis' && agent !== decision.winner ? 'wait' : 'answer'
}

function routed(id: string, agents: string[], because: 'mention' | 'override'): RoundPlan {
  return { id, kind: 'route', agents, because }
}
