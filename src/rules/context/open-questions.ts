/** Which of the agents' open questions are put to the person, and which an answer settles in passing. SPEC.md § SG2. */
import { sameMatter } from '../plan/consistency.ts'
import type { OpenQuestion, PhaseSummary } from '../plan/phase-summary.ts'
import type { PhaseId } from '../plan/phase-table.ts'
import type { SpokenMatter } from '../plan/settled-matters.ts'
import { decisionsInForce } from './context.ts'

export interface QuestionForPerson {
  question: string
  /** The phase that raised it first. */
  phase: PhaseId
  /** Every open question on the matter, by id: the answer resolves them all. */
  ids: string[]
}

/** The HIGH ones that no decision in force resolves (CX2) and that the person has not spoken on; one for each matter, in order. */
export function questionsForPerson(
  summaries: readonly Pick<PhaseSummary, 'phase' | 'key_decisions' | 'open_questions'>[],
  spoken: readonly SpokenMatter[],
): QuestionForPerson[] {
  const { resolved } = decisionsInForce(summaries)
  const isSpoken = (matter: string) =>
    spoken.some(({ question, about = question }) => [question, about].some((one) => sameMatter(one, matter)))
  const asked: QuestionForPerson[] = []
  for (const { phase, id, question } of summaries.flatMap(highIn)) {
    if (resolved.has(id) || isSpoken(question)) continue
    const same = asked.find((one) => one.ids.includes(id) || sameMatter(one.question, question))
    if (!same) asked.push({ question, phase, ids: [id] })
    else if (!same.ids.includes(id)) same.ids.push(id)
  }
  return asked
}

/** An open question or a risk of the agents and the person's answer that settles it, by their ids. */
export interface AnsweredInPassing {
  question: string
  by: string
}

/** Of what the scorer names: each question or risk that is still open, once, with an answer that exists. */
export function answeredInPassing(
  named: readonly AnsweredInPassing[],
  summaries: readonly Pick<PhaseSummary, 'phase' | 'key_decisions' | 'open_questions' | 'risks_identified'>[],
  answers: readonly string[],
): AnsweredInPassing[] {
  const { resolved } = decisionsInForce(summaries)
  const open = new Set(
    summaries.flatMap(({ open_questions, risks_identified }) =>
      [...open_questions, ...risks_identified].map(({ id }) => id),
    ),
  )
  for (const id of resolved) open.delete(id)
  return named.filter(({ question, by }) => answers.includes(by) && open.delete(question))
}

function highIn({ phase, open_questions }: Pick<PhaseSummary, 'phase' | 'open_questions'>) {
  return open_questions
    .filter(({ priority }: OpenQuestion) => priority === 'HIGH')
    .map((one) => ({ phase, id: one.id, question: one.question }))
}
