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
export function addsNothing(decision: string, given: KeyDecision): boolean {
  const { decision: sentence, answer = '' } = given
  const said = new Set(words(isInOwnWords(given) ? answer : sentence))
  const own = words(decision)
  return own.length > 1 && own.every((word) => said.has(word)) && own.some((word) => word.length > 2)
}

/** The person's words, with or without their question in front; otherwise an agent gave the chosen option its sentence. */
export function isInOwnWords({ decision, answer }: Pick<KeyDecision, 'decision' | 'answer'>): boolean {
  return answer !== undefined && plain(decision).endsWith(plain(answer))
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
