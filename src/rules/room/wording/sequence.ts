/** Reads "first one, then another" from a message: by name, or "then have someone check it". SPEC.md § DP9. */
import { hasContentWords } from '../../text/content-words.ts'
import { readErrand } from './errand.ts'
import { farthest, handsOver } from './hand-off.ts'
import { listOnly, namesIn, withYou } from './names.ts'
import { clauseStart, findPhrase, type Phrases, phrase } from './phrase.ts'
import { reviewedWork } from './phrases.ts'

export interface Sequence {
  /** The agents named, in the order in which they are to speak; may be empty. */
  named: string[]
  words: string
}

/** `answered`: an agent has spoken, so "let someone check it" alone is about that answer and no sequence. */
export function readSequence(text: string, agents: readonly string[], answered: boolean): Sequence | undefined {
  return byName(text, agents) ?? withoutNames(text, agents, answered)
}

/** "claude drafts it, then gpt cuts it", "gpt writes the migration and claude reviews it". */
function byName(text: string, agents: readonly string[]): Sequence | undefined {
  const names = namesIn(text, agents).filter(({ end }) => !reported.test(text.slice(end)))
  const named = [...new Set(names.map(({ agent }) => agent))]
  if (named.length < 2) return undefined
  const errand = readErrand(text, names)
  if (errand) return errand
  for (const [index, second] of names.entries()) {
    const { agent, at, end } = second
    const previous = names[index - 1]
    if (!previous || previous.agent === agent) continue
    const between = text.slice(previous.end, at)
    const then = between.length <= farthest ? thenWord.exec(between)?.[0] : undefined
    if (then) return { named, words: `${then} … ${agent}` }
    const later = inTurn.exec(text.slice(end))?.[0]
    if (later && between.length <= farthest) return { named, words: `${agent}${later}` }
    const handed = handsOver(text, previous, second)
    if (handed) return { named, words: handed }
    const checks = /^,|^ /.test(between) ? reviewsNext.exec(text.slice(end, end + 60))?.[0] : undefined
    if (checks && !withYou.test(between) && (!listOnly.test(between) || begins.test(text.slice(0, previous.at))))
      return { named, words: `${agent}${checks}` }
  }
  return undefined
}

const thens =
  "(?:based on (?:that|this|it)|on that basis|then|afterwards|after that|after which|next|finally|followed by|once (?:that's|it's|that is|it is|they're) (?:done|there|ready)|when (?:done|finished)|dann|danach|anschließend|hinterher|darauf|puis|ensuite|après (?:quoi|cela|ça)|luego|después|a continuación|y que|auf dieser grundlage|sur cette base|con eso)"

export const thenWord = new RegExp(`(?<!\\p{L})${thens}(?!\\p{L})`, 'u')

/** "… claude ihn danach prüfen", "gpt first, claude second". */
const inTurn = new RegExp(
  `^(?: \\p{L}+){0,2} ${thens}(?!\\p{L})|^ (?:goes |comes |als |en )?(?:second|last|zweite[rs]?|deuxième|segundo)(?=\\s*(?:[.,;:!?]|$))`,
  'u',
)

const reported =
  /^ (?:said|says|claims|claimed|suggested|wrote|answered|told|argued|meinte|sagte|schrieb|a dit|dijo)(?!\p{L})/u

const begins =
  /(?<!\p{L})(?:(?:start|starting|begin) with|first|zuerst|erst|d'abord|commence(?:z)? par|primero|empieza con) $/u

const reviewsNext =
  /^(?:,)?(?: (?:should|can|could|to|then|please|will|you(?:'ll| will| can| should| then)?|soll|bitte|doit|peut|debe|puede))? (?:adds|builds on|fills|complements|ergänzt|vervollständigt|complète|ajoute|completa|añade|checks?|reviews?|verif(?:y|ies)|critiques?|criticizes?|criticises?|challenges?|attacks?|proofreads?|double-checks?|edits|cuts|shortens?|polishes|improves|tears|finish(?:es)?|completes?|continues?|extends?|refines?|tightens?|responds?|replies|counters?|prüft|liest|kritisiert|kürzt|verbessert|überarbeitet|gegenlesen|prüfen|vérifie|relit|critique|corrige|améliore|revisa|verifica|critica|mejora)(?!\p{L})/u

/** A task, then somebody to go over it. Needs a request ("have someone", "another of you"): in a story, someone just does things. */
function withoutNames(text: string, agents: readonly string[], answered: boolean): Sequence | undefined {
  const following = findPhrase(text, thenSomebody) ?? findPhrase(text, reviewedWork)
  const words = following ?? findPhrase(text, checkedAnswer) ?? afterTask(text, answered)
  if (words === undefined) return undefined
  return { named: [...new Set(namesIn(text, agents).map(({ agent }) => agent))], words }
}

/** "Write the regex, but let someone else test it": the task stands in the same sentence, or nobody has answered yet. */
function afterTask(text: string, answered: boolean): string | undefined {
  const words = findPhrase(text, somebodyChecks)
  if (words === undefined) return undefined
  const before = text.slice(0, text.indexOf(words))
  return hasContentWords(answered ? /[^.?!\n]*$/.exec(before)![0] : before) ? words : undefined
}

const goesOver =
  '(?:check|review|verif|critique|critici[sz]e|challenge|attack|poke|take|edit|cut|shorten|improve|go over|look over|look at|tear|test|correct|polish|answer|argue|respond|counter|double-check|cross-check|proofread|sanity|find|reply|push|rebut|refine|build)'
const anotherOne =
  '(?:another (?:one|of you|agent|model)|one of (?:you|the others)|the other (?:one|agent|model|two)|the others?|a (?:second|different) (?:one|agent|model|person|voice|pair of eyes)|(?:someone|somebody) else|the rest of you)'

const counterView =
  "(?:second (?:opinion|look|pass|pair of eyes)|counter-?(?:opinion|argument|proposal|view)|rebuttal|critique|cross-check|double-check|sanity check|devil's advocate|objections?)"
const germanCounterView =
  '(?:gegenmeinung|zweite meinung|gegenposition|gegenvorschlag|gegencheck|gegenprobe|kritik daran)'

const thenSomebody: Phrases = {
  en: [
    phrase`(?:then|afterwards|after that|and|next|finally|once (?:that's|it's|that is|it is) done|when (?:done|finished)),? (?:please )?(?:i(?:'d| would) like(?: to have)?|i want(?: to have)?|i need|have|let|get|ask) (?:someone|somebody|another|${anotherOne})(?: else)?(?: to)?~${goesOver}\p{L}*`,
    phrase`(?:then|afterwards|after that|next|finally),? ${anotherOne}~${goesOver}\p{L}*`,
    phrase`(?:then|afterwards|after that|next|finally),? ${anotherOne} (?:should|can|could|may|will|please|to) \p{L}+ (?:it|that|them|this|the \p{L}+)`,
    phrase`(?:then|afterwards|after that|next|finally),? (?:please )?(?:have|let|get|ask) ${anotherOne} (?:to )?\p{L}+`,
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

const objects =
  '(?:it|that|this|them|the (?:result|answer|outcome|draft|plan|code)|your (?:answer|work|draft|plan|code|result))'

/** Without "then": only after a task. */
const somebodyChecks: Phrases = {
  en: [
    phrase`(?:have|let|get|ask|want|need|like) (?:someone|somebody|${anotherOne})(?: else)? (?:to )?${goesOver}\p{L}*(?: holes in| apart| at| over| against| on)? ${objects}`,
    phrase`(?:${clauseStart}|and |then )${anotherOne}(?: of you)? (?:should |can |could |may |will |must |has to |needs to |then )*[\p{L}-]+(?: \p{L}+)?(?: against| for| on| to)? ${objects}`,
    phrase`(?:and|plus|with|then|followed by)(?: (?:i(?:'d| would) like|i want|give me|get|get me|also|then|have))* (?:a |an )?${counterView}`,
  ],
  de: [
    phrase`(?:und|aber|dann|danach|plus|mit)(?: \p{L}+){0,3} ${germanCounterView}`,
    phrase`lass(?:t)? (?:das|es|ihn|sie|den \p{L}+|die \p{L}+)(?: \p{L}+){0,2} von (?:jemand\p{L}*|einem anderen|einer anderen|wem)(?: ander\p{L}+)? \p{L}+en`,
  ],
  fr: [
    phrase`(?:et|puis|avec)(?: \p{L}+){0,3} (?:contre-avis|(?:deuxième|second) avis|contre-argument|(?:une )?critique de)|(?:et|mais)(?: je veux)? qu'une? autre \p{L}+ \p{L}+`,
  ],
  es: [
    phrase`(?:y|luego|con)(?: \p{L}+){0,3} (?:segunda opinión|contraargumento|réplica)|y que (?:otr[oa]|alguien(?: más)?) \p{L}+`,
  ],
}

/** A second view of an answer that is still to come: "a critique of whatever you propose". */
const checkedAnswer: Phrases = {
  en: [
    phrase`${counterView} (?:on|of|about|for|to|at) (?:(?:whatever|anything|what) (?:you|they|it|the \p{L}+|comes?)|your own)`,
    phrase`(?:whatever|what) you (?:say|answer|write|propose|suggest|come up with|decide)~(?:should|must|needs? to|has to|to) (?:be|get) (?:checked|reviewed|verified|challenged|double-checked)`,
  ],
  de: [
    phrase`${germanCounterView} (?:zu|auf|von) (?:allem|dem),? was|${germanCounterView} zu (?:was auch immer|deiner eigenen)`,
  ],
  fr: [phrase`(?:(?:deuxième|second|autre) avis|contre-avis|critique) (?:sur|de) (?:tout )?ce que (?:tu|vous)`],
  es: [phrase`(?:segunda|otra) opinión (?:sobre|de) (?:todo )?lo que (?:digas|digáis|respondas|propongas)`],
}
