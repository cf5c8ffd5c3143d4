/** What a lead signs: the decisions, answers, major risks and open questions of a whole plan. SPEC.md § PH6. */
import type { IdentifiedRisk, KeyDecision, OpenQuestion } from '../plan/phase-summary.ts'
import type { PhaseId } from '../plan/phase-table.ts'
import { isPersons } from '../plan/plan-ids.ts'
import { repeatedDecisions } from '../plan/repeated-answers.ts'
import { type ContextSource, decisionsInForce, isGrave, type PhaseDecision, putToPerson, saidOnce } from './context.ts'

export interface PlanDigest {
  /** The agents' decisions that stand, in order: once for each wording, none that another repeats; `also`: what each says too. */
  decisions: (PhaseDecision & { also: string[] })[]
  /** The person's, each with the agents' decisions that say the same, by id. */
  answers: (PhaseDecision & { also: string[] })[]
  /** Those that no decision removes, in their latest wording. */
  carried: { phase: PhaseId; risk: IdentifiedRisk }[]
  /** The MAJOR, CRITICAL and HIGH ones of them. */
  risks: { phase: PhaseId; risk: IdentifiedRisk }[]
  /** How many others there are. */
  minorRisks: number
  /** HIGH and MEDIUM questions that no decision resolves. */
  open: { phase: PhaseId; question: OpenQuestion }[]
}

/** PH6: nothing that matters is lost on the way from a phase to the plan. */
export function planDigest(sources: readonly ContextSource[]): PlanDigest {
  const { standing, resolved } = decisionsInForce(sources)
  const risks = new Map(
    sources.flatMap(({ phase, risks_identified }) => risks_identified.map((risk) => [risk.id, { phase, risk }])),
  )
  const questions = new Map(
    sources.flatMap(({ phase, open_questions }) =>
      open_questions.map((question) => [question.id, { phase, question }]),
    ),
  )
  const answers = standing.filter(({ decision }) => isPersons(decision))
  const decisions = saidOnce(standing.filter(({ decision }) => !isPersons(decision)))
  const repeated = repeatedDecisions([...answers, ...decisions].map(({ decision }) => decision))
  const alsoIn = (id: string) => [...repeated].flatMap(([one, other]) => (other === id ? [one] : []))
  const carried = [...risks.values()].filter(({ risk }) => !resolved.has(risk.id))
  const grave = carried.filter(({ risk }) => isGrave(risk))
  return {
    decisions: decisions
      .filter(({ decision }) => !repeated.has(decision.id))
      .map((one) => ({ ...one, also: alsoIn(one.decision.id) })),
    answers: answers.map((one) => ({ ...one, also: alsoIn(one.decision.id) })),
    carried,
    risks: grave,
    minorRisks: carried.length - grave.length,
    open: [...questions.values()].filter(({ question: { id, priority } }) => priority !== 'LOW' && !resolved.has(id)),
  }
}

/** By the question's id, or as a person's answer on its matter. */
function settles(given: Pick<KeyDecision, 'question' | 'resolves'>, question: OpenQuestion): boolean {
  return given.resolves?.includes(question.id) || putToPerson(given, [{ open_questions: [question] }]).length > 0
}

/** A question of a phase, and the decision that answers it, if one does. */
export interface QuestionState {
  question: OpenQuestion
  answeredBy?: PhaseDecision
  /** The person left it to the team. */
  left?: true
}

/** PH6: a document lists a question as open only while no decision in force resolves it. */
export function questionStates(questions: readonly OpenQuestion[], sources: readonly ContextSource[]): QuestionState[] {
  const { standing } = decisionsInForce(sources)
  return questions.map((question) => {
    const answeredBy = standing.findLast(({ decision }) => settles(decision, question))
    const left = sources.some(({ closed_questions = [] }) => closed_questions.some((one) => settles(one, question)))
    return { question, ...(answeredBy ? { answeredBy } : left ? { left } : {}) }
  })
}

/** The risks of a phase that a decision in force removes, by id. */
export function settledRisks(
  risks: readonly IdentifiedRisk[],
  sources: readonly ContextSource[],
): Map<string, PhaseDecision> {
  const { standing, resolved } = decisionsInForce(sources)
  return new Map(
    risks.flatMap(({ id }) => {
      const by = resolved.has(id) ? standing.findLast(({ decision }) => decision.resolves?.includes(id)) : undefined
      return by ? [[id, by] as const] : []
    }),
  )
}
