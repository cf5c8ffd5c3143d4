/** Which decisions of agents only repeat what the person said: a plan says each answer once. SPEC.md § PH6. */
import { words } from '../text/words.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'

/** By the id of the agents' decision, the id of the person's answer that says the same. */
export function repeatedAnswers(decided: readonly KeyDecision[]): Map<string, string> {
  const answers = decided.filter(isPersons)
  return new Map(
    decided
      .filter((one) => !isPersons(one))
      .flatMap((one) => {
        const answer = answers.find((other) => addsNothing(one.decision, other))
        return answer ? [[one.id, answer.id] as const] : []
      }),
  )
}

/**
 * Every word of the decision, negations and numbers included, is in the sentence of the answer. The question does not count: it
 * has the words of the options that were not chosen, too.
 */
export function addsNothing(decision: string, { decision: sentence, question, answer = '' }: KeyDecision): boolean {
  const isSentence = question === undefined || !sentence.includes(question)
  const said = new Set(words(isSentence ? sentence : answer))
  const own = words(decision)
  return own.length > 1 && own.every((word) => said.has(word)) && own.some((word) => word.length > 2)
}
