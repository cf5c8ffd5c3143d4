/** Finds a request to all agents but the last speaker: "the other two", "the rest of you", or to anyone who disagrees. SPEC.md § DP9. */
import { clauseStart, findPhrase, type Phrases, phrase } from './phrase.ts'

/** The words that ask the others. `text` is in lower case. */
export function asksTheOthers(text: string): string | undefined {
  for (const sentence of text.match(/[^.?!\n]+[.?!]*/g) ?? []) {
    const group = findPhrase(sentence, theOthers)
    if (group && (/\?\s*$/.test(sentence) || findPhrase(sentence, wished))) return group
  }
  return undefined
}

/** The words that ask whoever sees it differently. */
export function asksWhoeverDisagrees(text: string): string | undefined {
  return findPhrase(text, whoeverDisagrees)
}

/** What may follow a group of agents; a noun after it makes it a group of things: "the other two endpoints". */
const afterEnglish =
  '(?=\\s*(?:[.,;:!?)–—-]|$)|,? (?:think|say|see|agree|disagree|confirm|do|does|make|have|had|feel|prefer|suggest|recommend|on|about|to|too|also|please|as well|first|would|could|can|should|will|weigh|chime|comment|read|look|check|verify|review|go|take|vote|answer|tell|give|add|want|with|before|here|happy|ok|okay|convinced|know)(?!\\p{L}))'
const afterFrench =
  "(?=\\s*(?:[.,;:!?)–—-]|$)| (?:en|sont|pensent|disent|peuvent|pourraient|qu'en|le|la|confirment|voient|d'accord|aussi|sur|avant|vous|à|ont|feraient|diraient)(?!\\p{L}))"
const afterSpanish =
  '(?=\\s*(?:[.,;:!?)–—-]|$)| (?:están|piensan|opinan|dicen|pueden|podrían|lo|también|sobre|antes|creen|ven|confirman|coinciden|harían|qué)(?!\\p{L}))'

const theOthers: Phrases = {
  en: [
    phrase`from the (?:rest|others)(?=\s*(?:[.,!?)]|$))|the rest of (?:you|the (?:room|group|team|agents|models))(?! (?:said|wrote|told))`,
    phrase`(?<!(?:one|any|either|some) of )(?:the others|the other (?:two|three|four|ones?|agents|models)|you other(?:s| two)|both (?:of the )?others?|the remaining two)${afterEnglish}`,
    phrase`(?:all|both|either) of the (?:others|other two)`,
  ],
  de: [
    phrase`(?<!(?:einer|eine|eines|wer) (?:von )?)(?:(?:die|den|der) (?:beiden |zwei |drei )?anderen(?: beiden| zwei| drei)?|ihr (?:beiden |zwei )?anderen(?: beiden| zwei)?|der rest von euch)(?!\p{L})`,
  ],
  fr: [
    phrase`(?:les (?:deux |trois )?autres|vous (?:deux )?autres|aux (?:deux )?autres|(?<!(?:l'un|une?) )des (?:deux )?autres)${afterFrench}`,
  ],
  es: [
    phrase`(?<!(?:uno|alguno|una) de )(?:(?:los|las|vosotros|ustedes) (?:demás|otr[oa]s(?: dos| tres)?)|los dos restantes|el resto de (?:vosotros|ustedes))${afterSpanish}`,
  ],
}

/** A wish in a sentence that is no question: "I want to hear the other two", "die anderen bitte auch". */
const wished: Phrases = {
  en: [
    phrase`please|pls|i(?:'d| would) (?:like|love|prefer)|i want|i need|let's hear|let me hear|ask|hear from|let the|(?:the )?same (?:question|request|task|thing) (?:to|for)|over to`,
  ],
  de: [
    phrase`bitte|ich (?:möchte|will|hätte|würde|brauche)|fragt?|lasst?|(?:die )?(?:gleiche|selbe|dieselbe) frage an`,
  ],
  fr: [phrase`s'il (?:vous|te) plaît|svp|je (?:veux|voudrais)|j'aimerais|demande[rz]?|(?:la )?même question`],
  es: [phrase`por favor|quiero|quisiera|me gustaría|necesito|pregunt\p{L}+|(?:la )?misma pregunta`],
}

/** How a call begins: "is there any reason …". */
const opensCall = `${clauseStart}(?:(?:is there|do you (?:see|have|know of)|can you (?:see|think of)|(?:does )?any(?:one|body) (?:see|know of)|see|got|so|and|but|ok|okay),? )*`

/** What a call for reasons against is about: a step that is planned. "Anything against SQL injection" asks for a feature. */
const step = '(?=\\s*\\?| (?:it|this|that|these|those|the|a|an|my|our|us|me|you|we|\\p{L}+ing)(?!\\p{L})(?:~~)\\?)'

const whoeverDisagrees: Phrases = {
  en: [
    phrase`(?:does|do|did|would|will|is|has) any(?:one|body| of you)(?: else| of you)?(?: here)? (?:strongly |seriously )?(?:disagree|object|against|opposed|have (?:an objection|objections|any objections|doubts))(?=~(?:\?|$))`,
    phrase`any(?:one|body)(?: else| of you)? (?:disagrees?|objects?|against|opposed)(?=~(?:\?|$))|(?<!without |had |for )any objections?(?=~(?:\?|$))|(?:any|anyone with|somebody with) (?:concerns|reservations|worries|qualms)(?= (?:about|with) (?:it|that|this)|\s*\?)(?=~\?)|objections,? (?:anyone|anybody)(?=\s*\?)|(?<=[.!\n]\s*)objections(?=\s*\?)|who (?:sees|thinks) (?:it|this|that)? ?(?:differently|otherwise)|who (?:disagrees|objects|is against (?:it|this|that))(?=~(?:\?|$))`,
    phrase`${opensCall}(?:anything|something)(?: (?:at all|here|that))?(?: (?:speaking|speaks|to be said|to say))? against${step}`,
    phrase`(?:does|would|is) (?:anything|something)(?: here)? (?:speak|speaking) against${step}`,
    phrase`${opensCall}(?:any|a|one|some) (?:good |particular |real |other )?reasons?(?: left| at all)? (?:not to(?= ~~\?|\?)|against${step}|(?:why )?(?:we|i) (?:should not|shouldn't|should wait|can't|cannot|must not)(?=~~\?)|to (?:wait|hold (?:it |this |that |off|back)|block (?:it|this|that))(?=~~\?))`,
  ],
  de: [
    phrase`(?:widerspricht(?: da| hier| dem)? (?:jemand|einer|wer)|(?:ist|wäre)(?: da| hier| denn)? (?:jemand|einer|wer)(?: von euch)? (?:dagegen|anderer meinung|nicht einverstanden)|hat (?:jemand|einer|wer)(?: von euch)? (?:einwände|etwas dagegen|was dagegen)|spricht(?: da| hier| denn| aus eurer sicht)* (?:et|irgendet|irgend)?was (?:dagegen|gegen \p{L}+)|(?:gibt es|gibt's|habt ihr|seht ihr)(?: da| hier| denn| noch| irgend)* (?:etwas|was|(?:ein(?:en)? |irgendwelche |triftige )*gr(?:ünde?|und))(?: dagegen|,? (?:das |es |ihn |sie )?nicht zu| gegen (?:ein|den|die|das|diese)\p{L}*))(?=~~(?:\?|$))|(?:hat (?:jemand|einer|wer)(?: von euch)?|irgendwelche|noch) (?:irgendwelche )?bedenken(?=~(?:\?|$))|(?<!ohne (?:irgendwelche )?)(?:(?:gibt es|irgendwelche|noch|sonst) )*einwände(?=~(?:\?|$))|wer (?:widerspricht|ist dagegen)(?=\s*\?)`,
  ],
  fr: [
    phrase`(?:est-ce que )?(?:quelqu'un|l'un de vous) (?:n'est pas d'accord|est contre|s'y oppose|a (?:une|des) objections?)(?=\s*\?)|des objections(?=~(?:\?|$))|qui est contre(?=\s*\?)`,
    phrase`${clauseStart}(?:(?:y a-t-il|il y a|est-ce qu'il y a|voyez-vous|vous voyez|et) )*(?:quelque chose contre(?= (?:ça|cela|le|la|les|l'|une?|ce|cette|mon|notre)|\s*\?)|(?:une |des |la moindre )?(?:bonne )?raisons? (?:de ne pas|contre|d'attendre)|un (?:argument|inconvénient) (?:contre|à))(?=~~\?)|quelque chose s'y oppose(?=~\?)`,
  ],
  es: [
    phrase`¿?(?:alguien|alguno) (?:más )?(?:no está de acuerdo|está en contra|se opone|tiene (?:alguna objeción|objeciones)|en contra)(?=\s*\?)|(?:alguna objeción|objeciones)(?=~(?:\?|$))|quién está en contra(?=\s*\?)`,
    phrase`${clauseStart}¿?(?:(?:hay|veis|ven|ves|y) )*(?:algo en contra|(?:algún|alguna|un|una) (?:buen |buena )?(?:motivo|razón|inconveniente|argumento) (?:para no|en contra|contra|en)|(?:algún|un) inconveniente(?=\s*\?))(?=~~\?)|hay (?:algo|algún inconveniente|alguna pega)(?: que decir)? (?:en contra|contra)(?=~~\?)`,
  ],
}
