/** Reads "first one, then another" from a message: by name, or "then have someone check it". SPEC.md § DP9. */
import { namesIn } from './names.ts'
import { findPhrase, type Phrases, phrase } from './phrase.ts'
import { reviewedWork } from './phrases.ts'

export interface Sequence {
  /** The agents named, in the order in which they are to speak; may be empty. */
  named: string[]
  words: string
}

export function readSequence(text: string, agents: readonly string[]): Sequence | undefined {
  return byName(text, agents) ?? withoutNames(text, agents)
}

/** "claude drafts it, then gpt cuts it", "gpt writes the migration and claude reviews it". */
function byName(text: string, agents: readonly string[]): Sequence | undefined {
  const names = namesIn(text, agents).filter(({ end }) => !reported.test(text.slice(end)))
  const named = [...new Set(names.map(({ agent }) => agent))]
  if (named.length < 2) return undefined
  for (const [index, { agent, at, end }] of names.entries()) {
    const previous = names[index - 1]
    if (!previous || previous.agent === agent) continue
    const between = text.slice(previous.end, at)
    const then = between.length <= farthest ? thenWord.exec(between)?.[0] : undefined
    if (then) return { named, words: `${then} … ${agent}` }
    const checks = /^,|^ /.test(between) ? reviewsNext.exec(text.slice(end, end + 60))?.[0] : undefined
    if (checks && !listOnly.test(between)) return { named, words: `${agent}${checks}` }
  }
  return undefined
}

/** The first task may be long; the second speaker still belongs to it. */
const farthest = 600

const thenWord =
  /(?<!\p{L})(?:then|afterwards|after that|after which|next|finally|followed by|once (?:that's|it's|that is|it is|they're) (?:done|there|ready)|when (?:done|finished)|dann|danach|anschließend|hinterher|darauf|puis|ensuite|après (?:quoi|cela|ça)|luego|después|a continuación|y que)(?!\p{L})/u

const reported =
  /^ (?:said|says|claims|claimed|suggested|wrote|answered|told|argued|meinte|sagte|schrieb|a dit|dijo)(?!\p{L})/u

const listOnly = /^(?:,| ?& ?|,? (?:and|und|et|y|or) |\/)\s*@?$/

const reviewsNext =
  /^(?:,)?(?: (?:should|can|could|to|then|please|will|soll|bitte|doit|peut|debe|puede))? (?:checks?|reviews?|verif(?:y|ies)|critiques?|criticizes?|criticises?|challenges?|attacks?|proofreads?|double-checks?|edits|cuts|shortens?|polishes|improves|tears|finish(?:es)?|completes?|continues?|extends?|refines?|tightens?|responds?|replies|counters?|prüft|liest|kritisiert|kürzt|verbessert|überarbeitet|gegenlesen|prüfen|vérifie|relit|critique|corrige|améliore|revisa|verifica|critica|mejora)(?!\p{L})/u

/** A task, then somebody to go over it. Needs a request ("have someone", "another of you"): in a story, someone just does things. */
function withoutNames(text: string, agents: readonly string[]): Sequence | undefined {
  const words = findPhrase(text, thenSomebody) ?? findPhrase(text, reviewedWork)
  if (words === undefined) return undefined
  return { named: [...new Set(namesIn(text, agents).map(({ agent }) => agent))], words }
}

const goesOver =
  '(?:check|review|verif|critique|critici[sz]e|challenge|attack|poke|take|edit|cut|shorten|improve|go over|look over|look at|tear|test|correct|polish|answer|argue|respond|counter|double-check|cross-check|proofread|sanity|find|reply|push|rebut|refine|build)'
const anotherOne =
  '(?:another (?:one|of you|agent|model)|one of (?:you|the others)|the other (?:one|agent|model|two)|the others?|a (?:second|different) (?:one|agent|model|person|voice|pair of eyes)|(?:someone|somebody) else|the rest of you)'

const thenSomebody: Phrases = {
  en: [
    phrase`(?:then|afterwards|after that|and|next|finally|once (?:that's|it's|that is|it is) done|when (?:done|finished)),? (?:please )?(?:i(?:'d| would) like(?: to have)?|i want(?: to have)?|i need|have|let|get|ask) (?:someone|somebody|another|${anotherOne})(?: else)?(?: to)?~${goesOver}\p{L}*`,
    phrase`(?:then|afterwards|after that|next|finally),? ${anotherOne}~${goesOver}\p{L}*`,
    phrase`(?:then|afterwards|after that|next|finally),? ${anotherOne} (?:should|can|could|may|will|please|to) \p{L}+ (?:it|that|them|this|the \p{L}+)`,
    phrase`(?:then|afterwards|after that|next|finally),? (?:please )?(?:have|let|get|ask) ${anotherOne} (?:to )?\p{L}+`,
    phrase`(?:have|let|get|ask) (?:someone|somebody|${anotherOne}) (?:else )?(?:to )?(?:check|review|verify|critique|double-check|cross-check|proofread|challenge|improve) (?:it|that|this|the result|your (?:answer|work|draft))`,
  ],
  de: [
    phrase`(?:dann|danach|anschließend|hinterher|und)~(?:soll|sollte|lass|lasst|bitte|kann|möge|möchte ich,? dass)~(?:jemand|ein[er]* ander\p{L}+|(?:der|die|den) andere[nr]?|einer von euch)~(?:prüf|gegenles|durchseh|überarbeit|kritisier|verbesser|kürz|drüberschau|gegenprüf|korrigier|test|zerpflück|widersprech|gegenhalt|les)\p{L}*`,
    phrase`(?:dann|danach|anschließend|hinterher) (?:prüft|liest|kritisiert|verbessert|kürzt|überarbeitet|korrigiert|testet)~(?:jemand ander\p{L}+|ein[er]* ander\p{L}+|(?:der|die) andere|einer von euch)`,
  ],
  fr: [
    phrase`(?:puis|ensuite|après|et)~(?:que|demande[rz]? à|laisse[rz]?|fais|faites)? ?(?:quelqu'un(?: d'autre)?|un(?:e)? autre|l'autre)~(?:vérifi|reli|critiqu|corrig|amélior|relis|raccourci|contredi|attaqu)\p{L}*`,
  ],
  es: [
    phrase`(?:luego|después|a continuación|y)~(?:que |pide a |deja que )?(?:alguien(?: más)?|otr[oa]|el otro|la otra)~(?:revis|verifi|compruebe|critiqu|mejor|corrij|acort|rebat)\p{L}*`,
  ],
}
