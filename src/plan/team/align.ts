/** Asks the coordinator which positions of a team mean the same and which conflict. CV7. */
import {
  type AlignedPositions,
  alignmentFaults,
  alignmentSchema,
  countAlignment,
  positionId,
} from '../../rules/convergence/align.ts'
import { type Position, tally } from '../../rules/convergence/positions/position.ts'
import { settledLine } from '../../rules/plan/settled-matters.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { type Phase, settledIn } from '../plan.ts'
import { askMember } from './ask-member.ts'

/** Null if nothing needs aligning, or if nobody could: then the positions are compared as text. */
export async function alignPositions(phase: Phase, positions: readonly Position[]): Promise<AlignedPositions | null> {
  if (!needsAligning(positions)) return null
  const settled = settledIn(phase.plan)
  const before =
    settled.length === 0
      ? ''
      : `\n\nSettled before:\n${settled.map((one) => `- ${oneLine(settledLine(one), 300)}`).join('\n')}\nA question that one of these answers, or that the person left to the agents there, names it in "settled_by"; the person is not asked again.`
  const schema = alignmentSchema.superRefine((alignment, context) => {
    const faults = alignmentFaults(
      alignment,
      positions,
      settled.map(({ id }) => id),
    )
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') })
  })
  const answer = await askMember(phase, {
    kind: 'align',
    agent: phase.settings.staff.coordinator,
    round: 0,
    task: `The team took these positions:\n${positions.map(listed).join('\n')}\n\nSort them by meaning, not by wording. Positions that answer one question the same way are one option of it. Options belong to one question only if they exclude each other. A position that excludes no other and that nobody else speaks to stands alone. Where a question has two or more options, say in "follows" what each would mean for the plan.${before}`,
    acceptance: ['Every position is placed exactly once', 'Options of one question cannot both be done'],
    form: 'an alignment of positions',
    schema,
    optional: true,
  })
  return answer.ok ? countAlignment(answer.value, positions) : null
}

/** Two agents or more, and not all in the same words already. */
function needsAligning(positions: readonly Position[]): boolean {
  if (new Set(positions.map(({ agent }) => agent)).size < 2) return false
  return tally(positions).some(({ unanimous, votes }) => !unanimous || votes[0]!.agents.length < 2)
}

function listed({ agent, question, choice }: Position, index: number): string {
  return `- ${positionId(index)} (${agent}) ${oneLine(question, 200)} → ${oneLine(choice, 300)}`
}
