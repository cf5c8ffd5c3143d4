/** What each responder of a shared round is told about the others, as data and as prompt text. SPEC.md § RD6, RD7. */
import { type DispatchDecision, isWordingRule } from '../room/dispatch-decision.ts'
import { passWord } from '../room/passing.ts'
import type { Proposal, Proposals } from '../room/proposal.ts'

export interface OtherAgent {
  name: string
  angle: string
  covers: readonly string[]
  /** Its full answer, if it has answered. */
  answer?: string
}

export interface CoordinationContext {
  /** `primary` answers the whole message, `secondary` adds to it, `synthesis` builds on answers it has read. */
  role: 'primary' | 'secondary' | 'synthesis'
  /** Whether this agent answers together with the others, before them or after them. */
  order: 'together' | 'before' | 'after'
  primary: string
  angle: string
  others: OtherAgent[]
  /** The person asked for these voices: each gives its own answer or does its own part, and none is asked to pass. */
  asked: boolean
}

/**
 * The context of one responder; undefined for an agent that answers alone or not at all.
 * `answers` are those given so far. In a synthesis, an agent without an answer to read gets the context of a parallel round.
 */
export function coordinationContext(
  decision: Pick<DispatchDecision, 'mode' | 'winner' | 'responders'> & { rule?: string },
  proposals: Proposals,
  agent: string,
  answers: ReadonlyMap<string, string> = new Map(),
): CoordinationContext | undefined {
  const place = decision.responders.indexOf(agent)
  if (decision.mode === 'solo' || place < 0) return undefined
  const { angle } = proposalOf(proposals, agent)
  const others = decision.responders.filter((name) => name !== agent).map((name) => otherAgent(name, proposals))
  const primary = decision.winner
  const isPrimary = agent === primary
  const asked = decision.rule !== undefined && isWordingRule(decision.rule)
  if (decision.mode === 'parallel') {
    return { role: isPrimary ? 'primary' : 'secondary', order: 'together', primary, angle, others, asked } // RD6
  }
  if (isPrimary) return { role: 'primary', order: 'before', primary, angle, others, asked }

  const earlier = decision.responders.slice(0, place).filter((name) => answers.has(name))
  if (earlier.length === 0) return { role: 'secondary', order: 'together', primary, angle, others, asked } // RD7: no answer arrived
  const read = earlier.map((name) => ({ ...otherAgent(name, proposals), answer: answers.get(name)! }))
  return { role: 'synthesis', order: 'after', primary, angle, others: read, asked }
}

export function describeCoordination(context: CoordinationContext): string {
  const names = context.others.map((other) => other.name).join(' and ')
  const own = context.angle ? [`Your angle: ${context.angle}`] : []
  switch (context.order) {
    case 'together':
      return [
        `You and ${names} answer this message at the same time.`,
        ...own,
        ...context.others.flatMap(describeOther),
        ...together(context, names),
      ].join('\n')
    case 'before':
      return [
        context.asked
          ? `The person asked for your answer first, then for ${names}: do your part of the message. ${names} will read it and do the rest.`
          : `You are the primary: answer the message as a whole. ${names} will read your answer and build on it.`,
        ...own,
      ].join('\n')
    case 'after':
      return [
        `${names} answered before you; read it first.`,
        ...own,
        ...(context.asked
          ? ['The person asked for you after that: do your part of the message on top of it. Do not repeat it.']
          : ['Extend, challenge or reframe it. Do not repeat what has been said.', offerToPass]),
        ...context.others.map(
          (other) => `\n--- answer of ${other.name} ---\n${other.answer}\n--- end of ${other.name} ---`,
        ),
      ].join('\n')
  }
}

/** [RD2] What an agent is told that was called by name together with others; undefined for one that was called alone. */
export function describeCalledTogether(agents: readonly string[], agent: string): string | undefined {
  const others = agents.filter((name) => name !== agent)
  if (others.length === 0) return undefined
  const names = others.length > 1 ? `${others.slice(0, -1).join(', ')} and ${others.at(-1)}` : others[0]!
  return `The person called you and ${names} by name. You all answer at the same time, without seeing each other's answers: do what the message asks of you, and leave to ${names} what it asks of them.`
}

/** [DP9] What the agent is told that gets a note: somebody has to show that it was read, and nobody wants an essay. */
export function describeNote(rule: string): string | undefined {
  return rule === 'noted' ? 'The message asks for nothing. Acknowledge it in one short sentence.' : undefined
}

function together({ asked, role, primary }: CoordinationContext, names: string): string[] {
  if (asked) return ['The person asked several of you: give your own answer, and leave theirs to them.']
  if (role === 'primary') return [`You are the primary: answer the message as a whole. ${names} will fill in the rest.`]
  return [`${primary} is the primary. Add only what ${primary} cannot.`, offerToPass]
}

/** RD13 */
const offerToPass = `If you have nothing to add that helps the person, reply with the single word ${passWord}; it is not shown.`

/** Nothing is said about an agent that made no proposal. */
function describeOther({ name, angle, covers }: OtherAgent): string[] {
  const topics = covers.length > 0 ? ` (topics: ${covers.join(', ')})` : ''
  return angle === '' && topics === '' ? [] : [`${name}'s angle: ${angle || 'not stated'}${topics}`]
}

function otherAgent(name: string, proposals: Proposals): OtherAgent {
  const { angle, covers } = proposalOf(proposals, name)
  return { name, angle, covers }
}

/** An agent added by an override may not have made a proposal. */
function proposalOf(proposals: Proposals, name: string): Pick<Proposal, 'angle' | 'covers'> {
  return Object.hasOwn(proposals, name) ? proposals[name]! : { angle: '', covers: [] }
}
