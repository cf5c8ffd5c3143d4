/** Plans and decides a round: routed by name, solo without proposals, or dispatched by proposals. SPEC.md § RD. */
import { byCodeUnit, firstByName } from '../text/by-code-unit.ts'
import { hasContentWords } from '../text/content-words.ts'
import { askedFor, dispatch } from './dispatch.ts'
import type { DispatchDecision, DispatchRule } from './dispatch-decision.ts'
import { type DispatchLimits, defaultDispatchLimits } from './dispatch-limits.ts'
import { offeredTopics } from './offered-topics.ts'
import { applyOverride, type Override } from './override.ts'
import type { Proposals } from './proposal.ts'
import { mentions } from './wording/mentions.ts'

export interface RoundRequest {
  /** `files` are the names of the files that come with it. */
  message: { id: string; text: string; files?: readonly string[] }
  agents: readonly string[]
  /** The agent that answered last in this room before this message. */
  lastResponder?: string
  /** The senders of the earlier lines, oldest first. */
  spoke?: readonly string[]
  /** Those whose words the last answers judged. */
  judged?: readonly string[]
  /** The last line is a turn of a collaboration. */
  collaborated?: boolean
  /** Files or texts come with the message. */
  attached?: boolean
  /** What a person asked for, for this message and for the room. */
  override?: { message?: Override; room?: Override }
  limits?: DispatchLimits
}

/** `id` is the message's id, so a message delivered twice is the same round. */
export type RoundPlan = { id: string } & (
  | { kind: 'route'; agents: string[]; because: 'mention' | 'override' }
  | { kind: 'solo'; agent: string; because: 'no_content' | 'only_agent' }
  | { kind: 'asked'; agents: string[]; decision: DispatchDecision }
  | { kind: 'propose'; agents: string[]; topics: string[] }
)

/** Precedence: the message's override, then mentions in its text, then the room's override. The room must have an agent. */
export function planRound(request: RoundRequest): RoundPlan {
  const { message, agents, lastResponder, override = {}, limits = defaultDispatchLimits } = request
  const { id, text } = message
  if (override.message?.kind === 'only') return routed(id, [override.message.agent], 'override') // RD10

  const { spoke, judged, collaborated, attached } = request
  const asked = askedFor({ message: text, spoke, judged, collaborated, attached }, [], agents, limits)
  const named = mentions(text, agents)
  if (named.length > 0) {
    const inTurn = asked?.rule === 'asked_second' ? asked : undefined
    return inTurn ? { id, kind: 'asked', agents: [...agents], decision: inTurn } : routed(id, named, 'mention') // DP9, RD2
  }
  const room = override.message === undefined ? override.room : undefined
  if (room?.kind === 'only' && agents.includes(room.agent)) return routed(id, [room.agent], 'override') // RD10

  const everybody = [...new Set(agents)].sort(byCodeUnit)
  if (everybody.length === 1) return { id, kind: 'solo', agent: everybody[0]!, because: 'only_agent' }
  if (asked) return { id, kind: 'asked', agents: everybody, decision: asked } // DP9
  if (!hasContentWords(text) && override.message === undefined) {
    return { id, kind: 'solo', agent: addressee(everybody, lastResponder), because: 'no_content' } // RD3
  }
  return { id, kind: 'propose', agents: everybody, topics: offeredTopics(text, message.files) } // RD4
}

/** RD3: the agent that answers a message without content words. */
export function addressee(agents: readonly string[], lastResponder?: string): string {
  if (lastResponder !== undefined && agents.includes(lastResponder)) return lastResponder
  const first = firstByName(agents)
  if (first === undefined) throw new RangeError('a room needs an agent')
  return first
}

/** What decided the round: a line of dispatch, or why the round needed no proposals. */
export type RoundRule = DispatchRule | 'rulebook' | 'mention' | 'override' | 'no_content' | 'only_agent'

export type RoundDecision = Omit<DispatchDecision, 'rule'> & { rule: RoundRule; override?: Override }

/** RD2, RD3, RD5, RD10 where the plan needs no proposals; dispatch where it does. `override` is the one in force. */
export function decideRound(
  plan: RoundPlan,
  proposals: Proposals,
  override: Override | undefined,
  limits: DispatchLimits = defaultDispatchLimits,
): RoundDecision {
  switch (plan.kind) {
    case 'route':
      return plan.because === 'override' && override ? { ...routeDecision(plan), override } : routeDecision(plan)
    case 'solo':
      return soloDecision(plan)
    case 'asked':
      return override ? applyOverride(plan.decision, override, plan.agents) : plan.decision
    case 'propose': {
      const decision = dispatch(proposals, plan.agents, limits)
      return override ? applyOverride(decision, override, plan.agents) : decision
    }
  }
}

/** RD12: the calls to reserve before a round starts. Further answers are reserved once dispatch decides on them. */
export function callsOf(plan: RoundPlan): number {
  if (plan.kind === 'solo' || plan.kind === 'asked') return 1
  return plan.kind === 'propose' ? plan.agents.length + 1 : plan.agents.length
}

function routeDecision({ agents, because }: Extract<RoundPlan, { kind: 'route' }>): RoundDecision {
  const [winner, runnerUp] = agents
  const called = `${agents.join(' and ')} ${agents.length > 1 ? 'were' : 'was'} mentioned by name.`
  return {
    mode: agents.length > 1 ? 'parallel' : 'solo',
    rule: because,
    winner: winner!,
    ...(runnerUp === undefined ? {} : { runnerUp }),
    responders: agents,
    overlap: null,
    reason: because === 'mention' ? called : `Only ${winner} was asked for.`,
  }
}

function soloDecision({ agent, because }: Extract<RoundPlan, { kind: 'solo' }>): RoundDecision {
  const reason =
    because === 'only_agent'
      ? `${agent} is the only agent in the room.`
      : `The message has no content words: ${agent} answers, without proposals.`
  return { mode: 'solo', rule: because, winner: agent, responders: [agent], overlap: null, reason }
}

function routed(id: string, agents: string[], because: 'mention' | 'override'): RoundPlan {
  return { id, kind: 'route', agents, because }
}
