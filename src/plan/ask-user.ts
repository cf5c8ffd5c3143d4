/** What only a person can settle: asked by the orchestrator alone, answered by them, by a file, or by an assumption. */
import { askPerson } from '../kernel/questions.ts'
import { assumptionMade } from './events.ts'
import { type Phase, placeOf } from './plan.ts'

export interface UserQuestion {
  text: string
  choices?: string[]
  /** What is taken as the answer where nobody is to be asked (`--yes`), and how that is put into words. */
  assume: { answer: string; words: string }
  context?: Record<string, unknown>
}

export async function askUser(phase: Phase, question: UserQuestion): Promise<string> {
  const { plan, run } = phase
  const { text, choices, assume } = question
  const given = plan.input.answers.find(({ match }) => text.toLowerCase().includes(match.toLowerCase()))
  if (given) return kept(phase, text, given.answer)
  if (plan.input.yes) {
    plan.assumptions.push(`${text} → ${assume.words}`)
    const about = { phase: phase.id, question: text, assumption: assume.words }
    await run.append(assumptionMade.create(placeOf(plan, run), about))
    return assume.answer
  }
  const context = { phase: phase.id, plan: plan.input.plan, ...question.context }
  const asked = { text, ...(choices ? { choices } : {}), context }
  const answer = await plan.around.attendance.during(run.runId, () => askPerson(run, placeOf(plan, run), asked))
  return kept(phase, text, answer.choice ?? answer.text ?? '')
}

function kept({ plan }: Phase, question: string, answer: string): string {
  plan.clarifications.push({ question, answer })
  return answer
}
