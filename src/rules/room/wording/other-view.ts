/** Asks an agent other than the last speaker: to check what was said, or to take over. SPEC.md § DP9. */
import { clauseStart, findPhrase, type Phrases, phrase } from './phrase.ts'

const subject = "(?:it|this|that|these|those|him|her|them|the \\w+|what \\w+ (?:said|wrote|proposed)|\\w+'s \\w+)"
const checks =
  '(?:check|verify|confirm|review|double-check|double check|cross-check|sanity-check|sanity check|look (?:at|over)|go over|challenge|second|validate|proofread|critique|poke holes in)'
const somebody =
  '(?:some(?:one|body)|any(?:one|body)|another (?:(?:one|agent|model)(?: of you)?|of you)|one of (?:you|the others)|a different (?:one|agent|model))'

/** The words that ask an agent other than the last speaker. `text` is in lower case. */
export function asksAnother(text: string): string | undefined {
  return findPhrase(text, otherView) ?? asksSomebodyElse(text)
}

/** The words that ask for another agent as such: "can someone else explain that?". */
export function asksSomebodyElse(text: string): string | undefined {
  for (const sentence of text.match(/[^.?!\n]+[.?!]*/g) ?? []) {
    const another = findPhrase(sentence, somebodyElse)
    if (another && (findPhrase(sentence, requests) || sentence.trim().split(/\s+/).length <= 5)) return another
  }
  return undefined
}

/** Another agent, not another thing: "someone else", "ein anderer von euch". */
const somebodyElse: Phrases = {
  en: [
    phrase`(?:some|any)(?:one|body) else(?! (?:on|in|at|from) (?:my|our|the) )|(?:another|a different|the other) (?:agent|model|one of you|voice)|another of you|one of the others|one of you (?:two )?others`,
  ],
  de: [
    phrase`jemand(?:em|en)? ander\p{L}+|(?:(?:ein|eine|einen|einem|der|die)(?: mal)? andere[rnm]?)(?= (?:von euch|bitte|mal|kurz|das|es|mir|dazu)(?!\p{L})|\s*(?:[,.!?]|$))|(?:einer|eine) (?:der|von den) anderen|wer ander\p{L}+`,
  ],
  fr: [
    phrase`quelqu'un d'autre|(?:un|une|l') ?autre(?= (?:agent|modèle|d'entre vous|de vous|peut|pourrait)|\s*(?:[,.!?]|$))|(?:l'un|une?) des autres`,
  ],
  es: [
    phrase`alguien más|alguna otra persona|(?:otr[oa]|el otro|la otra)(?= (?:agente|modelo|de (?:vosotr[oa]s|ustedes)|puede|podría)|\s*(?:[,.!?]|$))|(?:uno|alguno) de los (?:otros|demás)`,
  ],
}

/** Asks the agents for something. A story about people does not. */
const requests: Phrases = {
  en: [
    phrase`(?<=^|[,;:] *|and |but |ok(?:ay)? |so )(?:can|could|would|will|may|does|do|has|is|what|how|let|have|ask|get|please)|please|pls|i(?:'d| would) (?:like|love|prefer|rather)|i want|i need|let's`,
  ],
  de: [
    phrase`(?<=^|[,;:] *|und |aber )(?:kann|könnte|würde|will|mag|möchte|hat|darf|soll|lass|frag)|bitte|ich (?:möchte|will|hätte|würde|brauche)|lieber`,
  ],
  fr: [
    phrase`(?<=^|[,;:] *)(?:est-ce que|peut|pourrait)|(?:peut|pourrait)(?:-il)?|s'il (?:te|vous) plaît|svp|je (?:veux|voudrais|préfère)|j'aimerais`,
  ],
  es: [phrase`puede|podría|por favor|quiero|quisiera|prefiero|me gustaría|que lo`],
}

/** Somebody other than the last speaker is to look at what was said. */
const otherView: Phrases = {
  en: [
    phrase`${clauseStart}(?:please |pls )?(?:someone|somebody|one of you|another (?:one|agent|model)|one of the others)(?: else)?,? (?:please |pls )+(?:quickly )?${checks}(?: ${subject}|(?=\s*(?:[.?!,]|$)))`,
    phrase`(?:can|could|would|will|may|might|should) ${somebody}(?: else)? (?:please |quickly |maybe |also )*${checks}(?: ${subject}|(?=\s*(?:[.?!,]|$)))`,
    phrase`(?:does|do|did|would|has|is) (?:some(?:one|body)|any(?:one|body))(?: else)? (?:here )?(?:agree|see (?:it|this|that)|read (?:it|this|that|the \w+)|think (?:differently|otherwise)|see a (?:problem|flaw|hole)|have (?:a different|another|anything to add))`,
    phrase`any(?:one|body)(?: else)? (?:agrees?|sees? (?:it|this|that) differently|reads? \w+ \w+ differently)(?=~(?:\?|$))`,
    phrase`(?:some(?:one|body)|any(?:one|body)) else(?:'s)?(?= (?:take|view|opinion|check|verify|confirm|look|agree|disagree|idea|want|weigh|chime|think|say|suggest|answer|recommend|see)|\s*\?)`,
    phrase`(?:a |an |some )?(?:second|another|different|other|fresh|dissenting|contrary|opposing|critical|sceptical|skeptical) (?:opinion|pair of eyes|set of eyes|eyes|view|take|perspective|voice)(?=(?: (?:on (?:that|this|it|his|her|the \w+)|please|here|before|from|(?:to )?(?:check|look|go|verify|review|read)))|\s*[.?!,]|\s*$)`,
    phrase`(?:is|was|are) (?:that|this|it|these|those)(?: \p{L}+)? (?:really |actually |even |still )?(?:right|correct|true|accurate|plausible|realistic)(?=\s*\?)|does (?:that|this|it)(?: \p{L}+)? (?:really |actually )?(?:hold up|hold water|check out|add up|sound right)`,
    phrase`${clauseStart}(?:please |pls )?(?:check|verify|double-check|fact-check|confirm) (?:that|this|it|these|those)(?: \p{L}+)?(?: please| pls)?(?=\s*(?:[.!?,]|$))(?! again)`,
    phrase`${clauseStart}(?:please )?(?:fact|sanity|reality)[- ]check(?=\s*(?:please|pls|that|this|it)?\s*(?:[.?!,]|$))`,
    phrase`(?:does|has|do|did) any(?:one|body)(?: of you| here)?(?: have| got)? (?:a |an |any )?(?:better|other|different|simpler|cleaner|another) (?:idea|suggestion|approach|solution|explanation|way)s?`,
    phrase`not (?:convinced|sure (?:that's|that is|i (?:buy|believe|trust)))~(?:any(?:one|body)|some(?:one|body)|other)`,
  ],
  de: [
    phrase`(?:kann|könnte|mag|würde|soll|sollte)(?: das| es| bitte| mal| kurz)* (?:(?:noch )?jemand|einer|wer|ein(?:e|er)? andere[rs]?(?: von euch)?|einer von euch)(?: anders| anderes| anderer| sonst)?(?: das| es| bitte| mal| kurz| noch| \p{L}+s zahlen?)* (?:prüfen|gegenlesen|bestätigen|checken|nachrechnen|drüberschauen|überprüfen|gegenprüfen|ansehen|anschauen|widersprechen)`,
    phrase`stimmt (?:das|es)(?: so| wirklich| denn| überhaupt)*(?=\s*\?)|(?:ist|war) das (?:wirklich |so |denn )*(?:richtig|korrekt|wahr|plausibel)(?=\s*\?)|(?<=^|[.!?\n]\s*)(?:bitte )?(?:prüft?|überprüft?) (?:das|es)(?: bitte| mal| kurz)*(?=\s*(?:[.!,]|$))`,
    phrase`hat (?:da |hier )?(?:jemand|wer|einer)(?: von euch)? (?:noch )?(?:eine?n? )?(?:besser|ander|einfacher)\p{L}* (?:idee|vorschlag|ansatz|lösung|erklärung|meinung)\p{L}*`,
    phrase`noch (?:jemand|wer|einer)(?: von euch)?(?: mit)? (?:eine?r?n? )?(?:(?:andere|bessere)[nr]? )?(?:idee|meinung|vorschlag|einwand|ansicht)(?=\s*\?)`,
    phrase`sieht (?:das|es)(?: hier)? (?:jemand|wer|einer) anders|(?:zweite|andere|weitere|noch eine) meinung|(?:jemand|wer) anders(?= |\?|$)~(?:meinung|dazu|prüfen)`,
  ],
  fr: [
    phrase`quelqu'un a (?:une? )?(?:meilleure?|autre) (?:idée|solution|approche|explication)`,
    phrase`(?:c'est|est-ce) (?:bien |vraiment )?(?:vrai|juste|correct|exact)(?=\s*\?)`,
    phrase`(?:quelqu'un|un autre)(?: d'autre)? (?:peut|pourrait|veut)(?:-il)?(?: \p{L}+)? (?:vérifier|confirmer|relire|contrôler|regarder)|(?:est-ce que )?quelqu'un (?:voit (?:ça|cela) autrement|d'autre)|(?:un |une )?(?:(?:autre|second|deuxième) (?:avis|regard)|(?:autre|seconde|deuxième) opinion)(?! (?:du|des|de la|de l'))`,
  ],
  es: [
    phrase`alguien (?:tiene|ve) (?:una? )?(?:mejor|otra|otro) (?:idea|solución|enfoque|explicación)`,
    phrase`(?<=^|[.!?¿\n]\s*)(?:es|está)(?: eso| esto)? (?:realmente )?(?:cierto|verdad|correcto|bien)(?: eso| esto)?(?=\s*\?)`,
    phrase`(?:puede|podría|quiere) (?:alguien|otro)(?: más)?(?: \p{L}+)? (?:comprobar|verificar|revisar|confirmar|mirar)(?:lo|la)?|alguien (?:más )?(?:puede|podría) (?:comprobar|verificar|revisar|confirmar)(?:lo|la)?|¿?alguien lo ve (?:distinto|diferente|de otra forma)|(?:otra|segunda) opinión(?! (?:del|de la|de los|de las))`,
  ],
}
