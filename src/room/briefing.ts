/** What a responder of a round is told about the others, and its role among them. RD5, RD6, RD7. */
import { coordinationContext, describeCoordination, describeNote } from '../rules/context/coordination-context.ts'
import type { Proposals } from '../rules/room/proposal.ts'
import type { RoundDecision } from '../rules/room/round.ts'
import type { AnswerRequest } from './answer.ts'
import type { AnswersSoFar } from './wait-for-answer.ts'

type Decided = Pick<RoundDecision, 'mode' | 'rule' | 'responders'>

/** In a synthesis, `soFar` are the answers that the agent reads; those that failed no longer count as responders. */
export function briefing(
  decision: Decided,
  proposals: Proposals,
  agent: string,
  soFar: AnswersSoFar = { answers: {}, failed: [] },
): Required<Pick<AnswerRequest, 'role'>> & Pick<AnswerRequest, 'coordination'> {
  const context = coordinationContext(
    decision.mode === 'synthesis'
      ? remaining(decision, soFar.failed)
      : { ...decision, winner: decision.responders[0]! },
    proposals,
    agent,
    new Map(Object.entries(soFar.answers)),
  )
  return {
    role: context?.role ?? 'primary',
    coordination: context ? describeCoordination(context) : describeNote(decision.rule),
  }
}

function remaining(decision: Decided, failed: readonly string[]) {
  const left = decision.responders.filter((name) => !failed.includes(name))
  return { ...decision, mode: left.length > 1 ? decision.mode : ('solo' as const), winner: left[0]!, responders: left }
}
