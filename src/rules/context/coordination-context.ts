/** What each responder of a shared round is told about the others: as data, and in words for its prompt. SPEC.md § RD6, RD7. */
import type { DispatchDecision } from '../room/dispatch.ts'
import type { Proposal, Proposals } from '../room/proposal.ts'

export interface OtherAgent {
  name: string
  angle: string
  covers: readonly string[]
  /** Its whole answer, where it has already given one. */
  answer?: string
}

export interface CoordinationContext {
  /** `primary` answers as a whole, `secondary` adds, `synthesis` builds on answers it has read. */
  role: 'primary' | 'secondary' | 'synthesis'
  /** Whether the others answer at the same time, or after having read this one. */
  order: 'together' | 'before' | 'after'
  primary: string
  angle: string
  others: OtherAgent[]
}

/**
 * The context of one responder. Nothing for an agent that answers alone or not at all.
 * `answers` are those given so far: in a synthesis, who has none to read is told what PARALLEL would tell.
 */
export function coordinationContext(
  decision: Pick<DispatchDecision, 'mode' | 'winner' | 'responders'>,
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
  if (decision.mode === 'parallel') {
    return { role: isPrimary ? 'primary' : 'secondary', order: 'together', primary, angle, others } // RD6
  }
  if (isPrimary) return { role: 'primary', order: 'before', primary, angle, others }

  const earlier = decision.responders.slice(0, place).filter((name) => answers.has(name))
  if (earlier.length === 0) return { role: 'secondary', order: 'together', primary, angle, others } // RD7: waited in vain
  const read = earlier.map((name) => ({ ...otherAgent(name, proposals), answer: answers.get(name)! }))
  return { role: 'synthesis', order: 'after', primary, angle, others: read }
}

export function describeCoordination(context: CoordinationContext): string {
  const names = context.others.map((other) => other.name).join(' and ')
  const own = context.angle ? [`Your angle: ${context.angle}`] : []
  switch (context.order) {
    case 'together':
      return [
        `This message is answered by you and, at the same time, by ${names}.`,
        ...own,
        ...context.others.map(describeOther),
        context.role === 'primary'
          ? `You are the primary: answer the message as a whole. ${names} will fill in the rest.`
          : `${context.primary} is the primary. Keep to what only you can add.`,
      ].join('\n')
    case 'before':
      return [
        `You are the primary: answer the message as a whole. ${names} will read your answer and build on it.`,
        ...own,
      ].join('\n')
    case 'after':
      return [
        `${names} answered before you; read it first.`,
        ...own,
        'Extend it, challenge it, or show the matter in another light. Do not repeat what has been said.',
        ...context.others.map(
          (other) => `\n--- answer of ${other.name} ---\n${other.answer}\n--- end of ${other.name} ---`,
        ),
      ].join('\n')
  }
}

function describeOther({ name, angle, covers }: OtherAgent): string {
  const topics = covers.length > 0 ? ` (topics: ${covers.join(', ')})` : ''
  return `${name}'s angle: ${angle || 'not stated'}${topics}`
}

function otherAgent(name: string, proposals: Proposals): OtherAgent {
  const { angle, covers } = proposalOf(proposals, name)
  return { name, angle, covers }
}

/** An agent that a person called in may not have proposed. */
function proposalOf(proposals: Proposals, name: string): Pick<Proposal, 'angle' | 'covers'> {
  return Object.hasOwn(proposals, name) ? proposals[name]! : { angle: '', covers: [] }
}
