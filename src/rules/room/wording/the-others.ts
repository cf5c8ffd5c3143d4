/** Finds a request to all agents but the last speaker: "the other two", "the rest of you", or to anyone who disagrees. SPEC.md § DP9. */
import { findPhrase, type Phrases, phrase } from './phrase.ts'

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

const whoeverDisagrees: Phrases = {
  en: [
    phrase`(?:does|do|did|would|will|is|has) any(?:one|body| of you)(?: else| of you)?(?: here)? (?:strongly |seriously )?(?:disagree|object|against|opposed|have (?:an objection|objections|any objections|doubts))(?=~(?:\?|$))`,
    phrase`any(?:one|body)(?: else| of you)? (?:disagrees?|objects?|against|opposed)(?=~(?:\?|$))|(?<!without |had |for )any objections(?=~(?:\?|$))|objections,? (?:anyone|anybody)(?=\s*\?)|(?<=[.!\n]\s*)objections(?=\s*\?)|who (?:sees|thinks) (?:it|this|that)? ?(?:differently|otherwise)|who (?:disagrees|objects|is against (?:it|this|that))(?=~(?:\?|$))`,
  ],
  de: [
    phrase`(?:widerspricht(?: da| hier| dem)? (?:jemand|einer|wer)|(?:ist|wäre)(?: da| hier| denn)? (?:jemand|einer|wer)(?: von euch)? (?:dagegen|anderer meinung|nicht einverstanden)|hat (?:jemand|einer|wer)(?: von euch)? (?:einwände|etwas dagegen|was dagegen)|spricht(?: da| hier| denn)? (?:et|irgendet)?was dagegen)(?=~(?:\?|$))|(?<!ohne (?:irgendwelche )?)(?:(?:gibt es|irgendwelche|noch|sonst) )*einwände(?=~(?:\?|$))|wer (?:widerspricht|ist dagegen)(?=\s*\?)`,
  ],
  fr: [
    phrase`(?:est-ce que )?(?:quelqu'un|l'un de vous) (?:n'est pas d'accord|est contre|s'y oppose|a (?:une|des) objections?)(?=\s*\?)|des objections(?=~(?:\?|$))|qui est contre(?=\s*\?)`,
  ],
  es: [
    phrase`¿?(?:alguien|alguno) (?:más )?(?:no está de acuerdo|está en contra|se opone|tiene (?:alguna objeción|objeciones)|en contra)(?=\s*\?)|(?:alguna objeción|objeciones)(?=~(?:\?|$))|quién está en contra(?=\s*\?)`,
  ],
}
