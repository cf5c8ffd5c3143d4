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
): { except: string[]; words: string; silent?: true } | undefined {
  const silent = findPhrase(text, notYet)
  if (silent) {
    const except = allButTheSilent(spoke, agents)
    return except.length === 0 ? undefined : { except, words: silent, silent: true }
  }
  const except = lastRound(spoke, agents)
  const words = except.length > 1 ? findPhrase(text, whoIsRight) : undefined
  const isAnyLeft = agents.some((name) => !except.includes(name))
  return words === undefined || !isAnyLeft ? undefined : { except, words }
}

/** All that have spoken or, if nobody is left then, all but the one that has been silent longest; none if that one has just answered. */
function allButTheSilent(spoke: readonly string[], agents: readonly string[]): string[] {
  const spoken = [...new Set(agents)].filter((name) => spoke.includes(name))
  if (agents.some((name) => !spoken.includes(name))) return spoken
  const [silent, ...others] = spoken.sort((a, b) => spoke.lastIndexOf(a) - spoke.lastIndexOf(b))
  return silent !== undefined && lastAnswerers(spoke, agents).includes(silent) ? [] : others
}

const notYet: Phrases = {
  en: [
    phrase`(?:some(?:one|body)|any(?:one|body)|whoever|one of you|(?:the|that|your) (?:other )?(?:ones?|agent|model|voice)|who(?= (?:else )?(?:here )?has))(?: of you| here| in here| in this room)?,? ?(?:(?:who|that|which) ?)?(?:(?:hasn't|has not|haven't|have not|didn't|did not|has never|has yet to|is yet to)(?: (?:yet|really|actually|so far|even))* (?:answer(?:ed)?|sp(?:eak|oken|oke)(?: up)?|said|say|repl(?:y|ied)|weigh(?:ed)?|chim(?:e|ed)|comment(?:ed)?|respond(?:ed)?|(?:had|have) (?:a|their|its|his|her) (?:say|turn|word)|been heard|contributed?)|(?:has |have |'s )?said nothing|(?:has been|'s been|is|was|stayed|has stayed|kept|has kept|remained|has remained) (?:so |very |still |completely |rather )*(?:quiet|silent))(?! (?:to )?(?:the|our|my|their|his|her|any|an?(?! word)) \p{L})`,
    phrase`the (?:quiet|silent) (?:one|agent|model)(?=\s*(?:[.,;:!?)–—-]|$)| (?:here|think|say|see|please|of you|about|on)(?!\p{L}))|(?:the (?:one|agent|model)|whoever|who) (?:i|we) (?:haven't|have not)(?: yet)? heard(?: from)?`,
  ],
  de: [
    phrase`(?:jemand|einer|eine|wer|wen|der|die|den|dem|derjenige|diejenige|denjenigen|diejenigen|agent),? (?:(?:der|die|dem|wer|von euch) )?(?:(?:hier|dazu|sich|bis jetzt|heute|davon|darauf|es) )*(?:noch nichts?|noch gar nichts?|noch kein wort|bisher nichts?|bislang nichts?|bis jetzt nichts?|nichts?)(?: (?:dazu|hier|darüber|davon|darauf|hierzu|zu wort|zum thema|zu dem thema))*(?: noch nicht)? (?:geantwortet|gesagt|gesprochen|geäußert|gemeldet|beigetragen|gekommen|dran|geredet)`,
    phrase`wer hat(?: (?:hier|dazu|sich|von euch|bisher|denn))* noch (?:nichts|nicht|kein wort)(?: dazu)? (?:gesagt|geantwortet|gesprochen|geäußert)`,
    phrase`(?:der|die|den|derjenige|diejenige|denjenigen|einer|jemand|wer),? (?:(?:der|die) )?(?:(?:hier|dazu|bisher|bislang|bis jetzt|noch|die ganze zeit) )*(?:geschwiegen|still|schweigt|stumm)(?= (?:war|ist|hat|geblieben|blieb)(?!\p{L})|\s*(?:[.,;:!?)–—-]|$))`,
  ],
  fr: [
    phrase`(?:quelqu'un|celui|celle|un de vous|l'un de vous|l'agent|l'autre|le modèle) qui (?:n'a|ne s'est|n'avait)(?: (?:toujours|encore|pas|rien|jamais))* (?:répondu|dit|parlé|exprimé|prononcé|réagi)`,
    phrase`(?:celui|celle|quelqu'un|l'agent|l'autre) qui (?:(?:se tait|est resté\p{L}*|reste|est)(?: (?:encore|toujours|jusqu'ici))?)(?: silencieu(?:x|se)| muete?t?)?(?=\s*(?:[.,;:!?)–—-]|$))`,
  ],
  es: [
    phrase`(?:alguien|el|la|uno|quien|agente|otro|aquel) (?:que )?(?:aún |todavía )?no (?:ha|había)(?: (?:aún|todavía))? (?:respondido|contestado|hablado|dicho|opinado|intervenido)`,
    phrase`(?:el|la|quien|alguien|agente) (?:que )?(?:ha estado|está|sigue|estaba|ha permanecido) (?:tan |muy )?(?:callad[oa]|en silencio)`,
  ],
}

const whoIsRight: Phrases = {
  en: [
    phrase`(?:who|which one|which (?:one )?of (?:you|them|the two))(?: of (?:you|them))? (?:is|was|do you think is) (?:right|correct|wrong)(?=\s*(?:here|now|then)?\s*(?:\?|$))|break the tie|(?:settle|referee) (?:this|it|that)(?: for (?:us|me))?(?=\s*(?:[.?!,]|$))`,
  ],
  de: [phrase`wer(?: von (?:euch|beiden|den beiden))? hat(?: denn| nun| jetzt| da| hier)* recht(?=\s*\?)`],
  fr: [phrase`(?:qui|lequel)(?: de vous(?: deux)?| d'entre vous)? a raison(?=\s*\?)`],
  es: [phrase`(?:quién|cuál(?: de (?:vosotros|ustedes))?) tiene (?:la )?razón(?=\s*\?)`],
}
