/** Who holds which position: one row per question, agreed and disagreed apart. */
import type { PhaseView } from '../../../../src/plan/view.ts'

type Stand = PhaseView['convergence'][number]['stands'][number]

export interface Question {
  question: string
  choices: { choice: string; roles: readonly string[] }[]
}

export interface Stands {
  /** All who said something about it said the same. */
  agreed: Question[]
  /** The choice that most hold comes first. */
  disagreed: Question[]
}

export function standsOf(stands: readonly Stand[]): Stands {
  const questions = new Map<string, Question>()
  for (const { question, choice, roles } of stands) {
    const known = questions.get(question) ?? { question, choices: [] }
    known.choices.push({ choice, roles })
    questions.set(question, known)
  }
  const all = [...questions.values()].map(({ question, choices }) => ({
    question,
    choices: choices.toSorted((one, other) => other.roles.length - one.roles.length),
  }))
  return {
    agreed: all.filter(({ choices }) => choices.length === 1),
    disagreed: all.filter(({ choices }) => choices.length > 1),
  }
}
