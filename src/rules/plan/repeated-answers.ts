/** Which decisions only repeat another: a plan says each once. SPEC.md § PH6. */
import { words } from '../text/words.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'

/**
 * By the id of an agents' decision, the id of the one that says the same or more: an answer of the person first. Of two that say
 * the same the first stays. What the person said always stands for itself.
 */
export function repeatedDecisions(decided: readonly KeyDecision[]): Map<string, string> {
  const byRank = [...decided.filter(isPersons), ...decided.filter((one) => !isPersons(one))]
  return new Map(
    byRank.flatMap((one, rank) => {
      if (isPersons(one)) return []
      const more = byRank.find((other, place) => {
        if (place === rank || !addsNothing(one.decision, other)) return false
        return isPersons(other) || place < rank || !addsNothing(other.decision, one)
      })
      return more ? [[one.id, more.id] as const] : []
    }),
  )
}

/**
 * Every word of the decision is in the sentence of the other, which has no further negation or condition. The question of an answer
 * does not count: it has the words of the options that were not chosen, too.
 */
export function addsNothing(decision: string, other: KeyDecision): boolean {
  const said = new Set(words(isInOwnWords(other) ? (other.answer ?? '') : other.decision))
  const own = words(decision)
  if (own.length < 2 || !own.every((word) => said.has(word)) || !own.some((word) => word.length > 2)) return false
  return [...said].every((word) => !limiting.has(word) || own.includes(word))
}

/** Words by which a longer sentence may say something else, or less. */
const limiting = new Set(
  `not no never none without except unless only if but instead cannot don doesn nor for when where while until nicht für bei bis kein keine nie nur außer wenn ohne sondern
  pas jamais sans sauf si nunca sin solo salvo`.split(/\s+/),
)

/** The person's words, with or without their question in front; otherwise an agent gave the chosen option its sentence. */
export function isInOwnWords({ decision, answer }: Pick<KeyDecision, 'decision' | 'answer'>): boolean {
  return answer !== undefined && plain(decision).endsWith(plain(answer))
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
