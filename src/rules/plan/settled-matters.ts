/** What the person has decided or left to the agents, and what is settled: never asked again. SPEC.md § CV7, RV4. */
import { sameMatter } from './consistency.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'

/** A question to the person that has an answer; without one, the person left it to the agents. */
export interface SpokenMatter {
  question: string
  /** What it is about, if the question says more than that. */
  about?: string
  answer?: string
}

/** A matter of the plan that needs no further question. */
export interface SettledMatter {
  /** `s1`, `s2` … in the order of the list. */
  id: string
  matter: string
  /** Absent if the person left it to the agents. */
  answer?: string
  /** `person`: they were asked. `plan`: a HIGH decision of the agents. */
  by: 'person' | 'plan'
}

/** Everything that the person has spoken on, and the HIGH decisions that stand. */
export function settledMatters(spoken: readonly SpokenMatter[], decided: readonly KeyDecision[]): SettledMatter[] {
  const replaced = new Set(decided.flatMap(({ supersedes = [] }) => supersedes))
  const firm = decided.filter((one) => one.confidence === 'HIGH' && !isPersons(one) && !replaced.has(one.id))
  return [
    ...spoken.map(({ question, about = question, answer }) => ({
      matter: about,
      ...(answer === undefined ? {} : { answer }),
      by: 'person' as const,
    })),
    ...firm.map(({ id, decision }) => ({ matter: id, answer: decision, by: 'plan' as const })),
  ].map((one, index) => ({ id: `s${index + 1}`, ...one }))
}

/** CV7: the settled matter that answers a question: the one that the alignment names, or one in nearly the same words. */
export function settledBefore(
  { question, settledBy }: { question: string; settledBy?: string },
  settled: readonly SettledMatter[],
): SettledMatter | undefined {
  const named = settled.find(({ id }) => id === settledBy)
  return named ?? settled.findLast(({ matter, by }) => by === 'person' && sameMatter(matter, question))
}

/** One line, for the agent that compares new questions with it. */
export function settledLine({ id, matter, answer, by }: SettledMatter): string {
  if (by === 'plan') return `${id}: ${matter}, decided: ${answer}`
  return `${id}: ${matter} → ${answer ?? 'the person left it to the agents'}`
}
