/** Who holds which position: one row per question; agreed, disagreed and held by one alone. */
import type { PhaseView } from '../../../../src/plan/view.ts'

type Stand = PhaseView['convergence'][number]['stands'][number]

export interface Question {
  question: string
  choices: { choice: string; roles: readonly string[]; follows?: string }[]
}

export interface Stands {
  /** All who said something about it said the same. */
  agreed: Question[]
  /** The choice that most hold comes first. */
  disagreed: Question[]
  /** Nobody else speaks to it. */
  alone: Question[]
}

export function standsOf(stands: readonly Stand[]): Stands {
  const questions = new Map<string, Question>()
  const alone: Question[] = []
  for (const { question, choice, roles, kind, follows } of stands) {
    const held = { choice, roles, ...(follows === undefined ? {} : { follows }) }
    if (kind === 'alone') {
      alone.push({ question, choices: [held] })
      continue
    }
    const known = questions.get(question) ?? { question, choices: [] }
    known.choices.push(held)
    questions.set(question, known)
  }
  const all = [...questions.values()].map(({ question, choices }) => ({
    question,
    choices: choices.toSorted((one, other) => other.roles.length - one.roles.length),
  }))
  return {
    agreed: all.filter(({ choices }) => choices.length === 1),
    disagreed: all.filter(({ choices }) => choices.length > 1),
    alone,
  }
}
