/** Requests that depend on who has just spoken: to "you two", to a third who settles it, to an agent that has not answered. SPEC.md § DP9. */
import { findPhrase, type Phrases, phrase } from './phrase.ts'

/** The agents that answered the last message. */
export function lastAnswerers(spoke: readonly string[], agents: readonly string[]): string[] {
  const since = spoke.findLastIndex((sender) => !agents.includes(sender))
  return [...new Set(spoke.slice(since + 1))]
}

/** The agents that answered the last message or, if only one did, the last two that spoke. */
export function lastRound(spoke: readonly string[], agents: readonly string[]): string[] {
  const answered = lastAnswerers(spoke, agents)
  if (answered.length > 1) return answered
  const latest = [...new Set(spoke.toReversed())].filter((sender) => agents.includes(sender))
  return latest.slice(0, 2).toReversed()
}

/** In a room of more than two, "you two" are those who have just spoken. */
export function youTwo(
  text: string,
  agents: readonly string[],
  spoke: readonly string[],
): { named: string[]; words: string } | undefined {
  const named = lastRound(spoke, agents)
  const words = agents.length > 2 && named.length === 2 ? findPhrase(text, two) : undefined
  return words === undefined ? undefined : { named, words }
}

const two: Phrases = {
  en: [phrase`you two|you both|both of you|the two of you`],
  de: [phrase`ihr (?:beiden?|zwei)|euch (?:beiden?|zwei)`],
  fr: [phrase`vous deux|tous les deux`],
  es: [phrase`(?:vosotr[oa]s|ustedes) dos|l[oa]s dos de (?:vosotr[oa]s|ustedes)`],
}

/** Who is to judge what was said, or to speak at last: somebody who is not in `except`. */
export function asksOutsider(
  text: string,
  agents: readonly string[],
  spoke: readonly string[],
): { except: string[]; words: string } | undefined {
  const silent = findPhrase(text, notYet)
  const except = silent ? [...new Set(spoke)].filter((name) => agents.includes(name)) : lastRound(spoke, agents)
  const words = silent ?? (except.length > 1 ? findPhrase(text, whoIsRight) : undefined)
  const isAnyLeft = agents.some((name) => !except.includes(name))
  return words === undefined || except.length === 0 || !isAnyLeft ? undefined : { except, words }
}

const notYet: Phrases = {
  en: [
    phrase`(?:some(?:one|body)|any(?:one|body)|whoever|one of you|the one)(?: of you)?,? (?:who )?(?:hasn't|has not|didn't|did not|haven't)(?: yet)? (?:answer(?:ed)?|sp(?:eak|oken)|said|say|repl(?:y|ied)|weigh(?:ed)?|chim(?:e|ed))`,
  ],
  de: [
    phrase`(?:jemand|einer|wer),? (?:der |die )?(?:noch nicht|noch nichts|bisher nicht)~(?:geantwortet|gesagt|gesprochen|geäußert)`,
  ],
  fr: [phrase`(?:quelqu'un|celui|un de vous) qui n'a (?:pas|rien) (?:encore )?(?:répondu|dit|parlé)`],
  es: [phrase`(?:alguien|el|uno) que (?:aún |todavía )?no ha (?:respondido|contestado|hablado|dicho)`],
}

const whoIsRight: Phrases = {
  en: [
    phrase`(?:who|which one|which (?:one )?of (?:you|them|the two))(?: of (?:you|them))? (?:is|was|do you think is) (?:right|correct|wrong)(?=\s*(?:here|now|then)?\s*(?:\?|$))|break the tie|(?:settle|referee) (?:this|it|that)(?: for (?:us|me))?(?=\s*(?:[.?!,]|$))`,
  ],
  de: [phrase`wer(?: von (?:euch|beiden|den beiden))? hat(?: denn| nun| jetzt| da| hier)* recht(?=\s*\?)`],
  fr: [phrase`(?:qui|lequel)(?: de vous(?: deux)?| d'entre vous)? a raison(?=\s*\?)`],
  es: [phrase`(?:quién|cuál(?: de (?:vosotros|ustedes))?) tiene (?:la )?razón(?=\s*\?)`],
}
