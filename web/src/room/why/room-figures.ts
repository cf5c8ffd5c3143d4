/** A room's costs and modes, for its charts. */
import type { Message } from '../conversation/conversation-types.ts'
import { addCost, type Cost, costOf, noCost } from './cost.ts'

export const answerKinds = ['single', 'solo', 'parallel', 'synthesis', 'collaborate'] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface RoundFigure {
  id: string
  kind: AnswerKind
  milliseconds: number
  usd: number | null
}

export interface RoomFigures {
  messages: number
  mix: Record<AnswerKind, number>
  coordination: Cost
  answers: Cost
  /** Rounds that were coordinated, oldest first. */
  rounds: RoundFigure[]
}

export function roomFigures(messages: Iterable<Message>): RoomFigures {
  const figures: RoomFigures = {
    messages: 0,
    mix: { single: 0, solo: 0, parallel: 0, synthesis: 0, collaborate: 0 },
    coordination: noCost,
    answers: noCost,
    rounds: [],
  }
  for (const message of messages) {
    figures.messages += 1
    const { coordination, answers } = costOf(message)
    figures.coordination = addCost(figures.coordination, coordination)
    figures.answers = addCost(figures.answers, answers)
    const kind = kindOf(message)
    if (kind === undefined) continue
    figures.mix[kind] += 1
    if (!message.decision) continue
    const { milliseconds, usd } = message.decision.coordination
    figures.rounds.push({ id: message.id, kind, milliseconds, usd })
  }
  return figures
}

/** Undefined while it is not yet decided. */
function kindOf({ mode, decision }: Message): AnswerKind | undefined {
  if (mode === 'single') return 'single'
  return mode === 'coordinate' ? decision?.mode : 'collaborate'
}
