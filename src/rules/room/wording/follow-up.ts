/**
 * Messages that only make sense to the agent that spoke last: a correction, a yes or no, a request to one "you", a few words that
 * refer to its answer. SPEC.md § DP9.
 */
import { withoutCourtesy } from './courtesy.ts'
import { findPhrase, type Phrases, phrase } from './phrase.ts'

export interface FollowUpLimits {
  /** The words of the whole message. */
  length: number
  /** The message brings code or a quotation: only words about the answer make it a follow-up ("that fails with: …"). */
  pasted: boolean
  /** After a collaboration, a reference may be longer. */
  collaborated: boolean
}

/** The words that go on from the last answer. `text` is in lower case. */
export function readFollowUp(text: string, { length, pasted, collaborated }: FollowUpLimits): string | undefined {
  const message = text.trim()
  if (findPhrase(message, newTopic)) return undefined
  const replied = findPhrase(message.slice(0, 400), reply)
  if (replied) return replied
  if (findPhrase(withoutCourtesy(message), toTheRoom)) return undefined
  if (pasted) return findPhrase(message, aboutTheAnswer)
  const asks = /\?/.test(message)
  if (length <= (asks ? 2 : 3) && !namesAThing.test(message)) return message
  for (const { phrases, longest, statements } of marks) {
    const found = length <= longest && !(statements && asks) ? findPhrase(message, phrases) : undefined
    if (found) return found
  }
  return collaborated && length <= 20 ? findPhrase(message, reference) : undefined
}

const hesitation =
  '(?:(?:no|nope|nah|wait|sorry|oops|hm+|ah|oh|actually|well|nein|ne|nee|moment|entschuldigung|non|pardon|attends|perdón|perdona|espera)[,.!… –—-]+)'

const reply: Phrases = {
  en: [
    phrase`^${hesitation}*(?:that(?:'s| is|s| was|'s really| wasn't) ?not what i (?:\w+ )?(?:asked|meant|wanted|said|need|was asking)|that wasn't (?:what i|the question|my question)|not what i (?:asked|meant|wanted|said)|you (?:misunderstood|misread|got me wrong)|i (?:actually |really )?meant)`,
    phrase`^${hesitation}*(?:(?:that's |that is |you're |you are )?(?:wrong|incorrect|mistaken|not (?:true|correct|right)))(?=\s*[.,!:–—-])`,
    phrase`^${hesitation}+(?:i (?:actually |really |just )*(?:mean|meant|want|wanted|asked|said|need|needed|was (?:asking|talking|thinking))|not (?:that|this|the|those|these|in|for|what)|the (?:other|second|first|third|last|one)|you (?:misunderstood|misread|forgot|missed)|that(?:'s| is) (?:the )?wrong)`,
    phrase`^${hesitation}*i (?:strongly |completely |partly )?(?:disagree|agree)(?=\s*[.,!:;–—-]|$| with (?:that|this|it|you))`,
    phrase`^(?:no|nope|nah|yes|yep|yeah|yup)[,.!–—-]+(?=\s*\S)`,
  ],
  de: [
    phrase`^${hesitation}*(?:(?:das (?:ist|war) )?(?:falsch|nicht richtig)|(?:das )?stimmt (?:so )?nicht)(?=\s*[.,!:–—-])`,
    phrase`^${hesitation}*(?:(?:das|so) (?:war|ist|meinte ich) nicht(?: (?:die frage|gemeint|so gemeint|was ich|meine frage))?(?=[ ,.]|$)|ich (?:meinte|habe gemeint)|du hast mich (?:falsch|missverstanden))`,
    phrase`^${hesitation}+(?:ich (?:meine|meinte|wollte|will|habe|brauche|rede|sprach)|nicht (?:der|die|das|den|dem|diese\p{L}*|in|so|für)|(?:der|die|das|den) (?:andere|zweite|erste|dritte|letzte)\p{L}*)`,
    phrase`^${hesitation}*(?:das sehe ich (?:ganz )?anders|(?:da |dem )?(?:widerspreche ich|stimme ich (?:nicht )?zu)|da bin ich anderer meinung)(?=\s*[.,!:;–—-]|$)`,
    phrase`^(?:nein|nee|nö|ja|jep)[,.!–—-]+(?=\s*\S)`,
  ],
  fr: [
    phrase`^${hesitation}*(?:ce n'(?:est|était) pas (?:ce que|ça|la question|ma question)|c'est pas (?:ce que|ça)|tu m'as mal compris|vous m'avez mal compris|je voulais dire|je parlais)`,
    phrase`^${hesitation}*je (?:ne )?suis (?:pas |bien )?d'accord(?=\s*[.,!:;–—-]|$)`,
    phrase`^(?:non|oui|si|ouais)\s?[,.!–—-]+(?=\s*\S)`,
  ],
  es: [
    phrase`^${hesitation}*(?:no es (?:eso|lo que)|eso no (?:es|era) (?:lo que|la pregunta)|no era (?:eso|la pregunta)|me refería|quise decir|quería decir|no me (?:entendiste|has entendido))`,
    phrase`^${hesitation}*(?:no )?estoy de acuerdo(?=\s*[.,!:;–—-]|$)`,
    phrase`^(?:no|sí|si)[,.!–—-]+(?=\s*\S)`,
  ],
}

/** The message turns to something else itself. */
const newTopic: Phrases = {
  en: [
    phrase`(?:new|different|another|other|unrelated|separate) (?:topic|question|subject|thing|issue)|next (?:question|topic|one|up)|next(?= ?[:,])|something else|on another note|change of topic|by the way|btw`,
  ],
  de: [
    phrase`(?:neues?|anderes?|andere|nächste[sr]?) (?:thema|frage)|was anderes|etwas anderes|themenwechsel|übrigens`,
  ],
  fr: [phrase`(?:autre|nouvelle?|nouveau|prochaine?) (?:sujet|question|chose)|autre chose|rien à voir|au fait`],
  es: [phrase`(?:otr[oa]|nuev[oa]|siguiente) (?:tema|pregunta|cosa)|cambiando de tema|por cierto`],
}

/** Speaks to more than one, or to whoever likes to answer, or wants a collection: proposals decide. */
const toTheRoom: Phrases = {
  en: [
    phrase`any(?:one|body)|some(?:one|body)|every(?:one|body)|(?:one|some|two|both|all|any|either|which|who) of (?:you|yours)|you (?:two|three|all|both|guys|folks)|y'all|between you|the others?|brainstorm\p{L}*|ideas|thoughts|opinions|suggestions|alternatives`,
  ],
  de: [
    phrase`jemand\p{L}*|irgendwer|alle|sämtliche|jede[rs]?|ihr|euch|eure?\p{L}?|ideen|meinungen|vorschläge|alternativen|die anderen`,
  ],
  fr: [
    phrase`quelqu'un|tout le monde|chacune?|l'un de vous|vous (?:tous|deux|trois)|les autres|idées|avis|suggestions`,
  ],
  es: [
    phrase`alguien|tod[oa]s|cada un[oa]|vosotr[oa]s|ustedes|los (?:demás|otros)|ideas|opiniones|sugerencias|alguno de`,
  ],
}

/** "you" who said something, or who can do something about it. German, French and Spanish tell one "you" from many. */
const oneYou: Phrases = {
  en: [
    phrase`(?<!(?:what|how|which|where|why|when|who) )(?:can|could|would|will) you (?:please |also |maybe |just |now |then |perhaps )*\p{L}+|(?:are|were) you (?:sure|certain|serious|saying|still|assuming)|do you (?:mean|still|really|have (?:an|a source|a link))|(?:did|have) you (?:\p{L}+ )?(?:check|test|tr[iy]|run|consider|look|read|see|forget|mean)\p{L}*|(?:what|which|how|where|why) (?:exactly )?(?:do|did|would|are|have|should) you (?:mean|get|say|know|suggest|recommend|base|assum|use|call|propose|refer)\p{L}*`,
    phrase`you(?:'ve| have| just| also|'d| had)? (?:said|wrote|written|mentioned|meant|suggested|proposed|recommended|forgot|forgotten|missed|used|gave|told|claimed|assumed|left out|changed|broke|called|listed|skipped|misspelled|promised|repeated)|your (?:answer|code|example|version|suggestion|test|regex|query|snippet|last|first|second|function|script|point|proposal|solution|plan|draft|list|command)`,
  ],
  de: [
    phrase`(?<!mit )du|dich|dein(?:e[mnrs]?)?|(?:kannst|könntest|würdest|bist|hast|meinst|machst|sagst|sagtest)(?:'s)?`,
  ],
  fr: [
    phrase`tu|toi|t'(?:es|as|étais)|peux-tu|(?<!a )ton|tes|(?:montre|explique|donne|dis|écris|fais)(?:-(?:moi|le|la|les|nous))`,
  ],
  es: [
    phrase`tú|tu|tus|te|contigo|(?:puedes|podrías|estás|eres|dijiste|tienes|sugieres|quieres|crees|olvidaste|puedas)|(?:explíca|muéstra|mostra|enséña|dá|da|di|escríbe|pása|haz|hág|cuénta|resúme|tradúce|aclára)(?:me|melo|lo|la|los|las)`,
  ],
}

/** "Review the design" may begin something new; "elaborate" and "in German please" may not. */
const determiners =
  '(?:the|a|an|our|my|der|die|das|den|ein|eine|einen|unser\\p{L}*|mein\\p{L}*|le|la|les|un|une|el|los|las|una|mi|nuestr[oa])'
const namesAThing = new RegExp(`(?<!\\p{L})${determiners}(?!\\p{L})`, 'u')

/** Begins in the middle of a talk: "and in Oracle?", "same with tabs", "but the index?". */
const connected: Phrases = {
  en: [
    phrase`^(?:(?:hm+|ok|okay|well|right|ah|oh|thanks|cool|nice),? )*(?:and|but|so|also|then|same|or|plus|even|what if|what about|how about|how come|how so|except|unless|because|not)(?=[ ,?])`,
  ],
  de: [
    phrase`^(?:(?:hm+|ok|okay|gut|ja|danke|super),? )*(?:und|aber|also|dann|oder|auch|doch|sondern|was ist mit|was wenn|was, wenn|wie wäre es|genauso|gleiches|außer)(?=[ ,?])`,
  ],
  fr: [phrase`^(?:et|mais|donc|alors|ou|aussi|sauf|même chose|pareil|et si)(?=[ ,?])`],
  es: [phrase`^¿?(?:y|e|pero|entonces|o|también|menos|salvo|lo mismo|igual)(?=[ ,?])`],
}

/** Leaves out the subject, which is the answer: "doesn't work here", "geht nicht". */
const noSubject: Phrases = {
  en: [
    phrase`^(?:(?:ok|hm+|sorry|thanks|now),? )*(?:doesn't|does not|didn't|isn't|won't|can't|works|worked|fails|failed|crashes|crashed|throws|breaks|looks|sounds|seems|gives|gave|got|getting|tried|done|now|without|also|only)(?= )`,
  ],
  de: [
    phrase`^(?:(?:ok|hm+|danke|jetzt),? )*(?:geht|klappt|funktioniert|läuft|bringt|hilft|gibt|wirft|sieht|klingt|bitte auch|auch|jetzt|nun|ohne)(?= )`,
  ],
  fr: [phrase`^(?:(?:ok|hm+|merci),? )*(?:marche|fonctionne|ne marche|ne fonctionne|donne|sans|maintenant)(?= )`],
  es: [phrase`^(?:(?:ok|hm+|gracias),? )*(?:no (?:funciona|va|sirve|compila)|funciona|falla|da|sin|ahora)(?= )`],
}

const why: Phrases = {
  en: [phrase`^(?:why|since when|what for|really)(?=[ ,?]|$)`],
  de: [phrase`^(?:warum|wieso|weshalb|wozu|seit wann|wirklich|ernsthaft)(?=[ ,?]|$)`],
  fr: [phrase`^(?:pourquoi|comment ça|depuis quand|vraiment)(?=[ ,?]|$)`],
  es: [phrase`^¿?(?:por qué|para qué|desde cuándo|en serio|de verdad)(?=[ ,?]|$)`],
}

/** Changes or continues something that is there already: "add a flag", "rename it", "plus court". */
const edits: Phrases = {
  en: [
    phrase`^(?:please |now |then |just |ok,? |okay,? |great,? |nice,? |good,? |perfect,? )*(?:add|remove|rename|replace|change|drop|include|keep|use|try|shorten|expand|extend|simplify|translate|rewrite|rephrase|reword|repeat|continue|elaborate|format|convert|turn|move|finish|complete|undo|revert|merge|split|skip|leave|put|make|show|explain|give me|tell me more|go (?:on|ahead|with|deeper)|start|do|fix|apply|run|commit|take|mention|emphasi[sz]e)(?= |$)`,
    phrase`shorter|longer|simpler|clearer|again|instead|more (?:detail|details|formal|concise|precise|casual|examples|context)|less (?:formal|detail|verbose|technical)|in (?:more|other) words|(?:in|as|into|to|without|with) (?:a |an |the )?(?:german|english|french|spanish|table|list|bullets?|bullet points|json|yaml|markdown|one line|one sentence|plain english)(?=\s*(?:please|pls)?\s*[.!?]?$)`,
  ],
  de: [
    phrase`kürzer|länger|einfacher|genauer|ausführlicher|deutlicher|nochmals?|noch (?:ein)?mal|stattdessen|lieber|auf (?:deutsch|englisch|französisch|spanisch)|als (?:tabelle|liste|json|stichpunkte)|^(?:bitte |jetzt |nun |dann |ok,? |gut,? )*(?:zeig|schreib|mach|füg|ersetz|änder|benenn|nimm|lass|erklär|gib|ergänz|kürz|übersetz|lösch|entfern|korrigier|wiederhol|nenn|verwend|probier|setz|teil)e?(?= |$)`,
  ],
  fr: [
    phrase`plus (?:court|long|simple|clair|précis|détaillé|lent|formel)\p{L}*|encore une fois|à nouveau|plutôt|au lieu|en (?:allemand|anglais|français|espagnol|une phrase|tableau)|^(?:maintenant |ok,? |s'il te plaît,? )*(?:ajoute|enlève|retire|renomme|remplace|change|garde|utilise|raccourcis|simplifie|traduis|réécris|reformule|répète|continue|montre|explique|refais|corrige|développe|supprime)(?=[ -]|$)`,
  ],
  es: [
    phrase`más (?:corto|corta|largo|larga|simple|sencillo|claro|preciso|despacio|detalle|detalles|formal)|otra vez|de nuevo|en (?:vez|lugar) de|en (?:alemán|inglés|francés|español|una frase|tabla)|^(?:ahora |vale,? |por favor,? )*(?:añade|agrega|quita|elimina|renombra|reemplaza|cambia|mantén|usa|acorta|simplifica|traduce|reescribe|reformula|repite|continúa|sigue|muestra|explica|corrige|amplía|borra)(?= |$)`,
  ],
}

/** Begins with assent or thanks and then says something about the answer: "ok, will try that", "perfect, merged". */
const assent: Phrases = {
  en: [
    phrase`^(?:ok|okay|k|alright|all right|perfect|great|good|cool|nice|fine|right|sure|got it|makes sense|thanks|thank you|thx|never ?mind|awesome|excellent|agreed|understood|noted|done|works|fair enough|i see|haha|lol|ah|oh|wow)(?=[ ,.!…–—-])`,
  ],
  de: [
    phrase`^(?:ok|okay|alles klar|klar|super|gut|perfekt|prima|danke|passt|stimmt|verstanden|schön|toll|genau|achso|ach so|hat geklappt|erledigt|egal)(?=[ ,.!…–—-])`,
  ],
  fr: [
    phrase`^(?:ok|d'accord|parfait|bien|super|merci|c'est bon|compris|entendu|très bien|génial|ah|tant pis|noté)(?=[ ,.!…–—-])`,
  ],
  es: [
    phrase`^(?:ok|vale|perfecto|bien|muy bien|gracias|de acuerdo|entendido|genial|claro|listo|hecho|da igual|anotado)(?=[ ,.!…–—-])`,
  ],
}

/** Begins with what the answer did: "that fails with …", "still the same error". */
const aboutTheAnswer: Phrases = {
  en: [phrase`^(?:(?:ok|hm+|sorry|no|thanks|but|now),? )*(?:that|it|still|your|you)(?= |')`],
  de: [phrase`^(?:(?:ok|hm+|nein|danke|aber|jetzt),? )*(?:das|es|immer noch|dein\p{L}*|du) `],
  fr: [phrase`^(?:(?:ok|hm+|non|merci|mais),? )*(?:ça|cela|toujours|ton|ta|tu) `],
  es: [phrase`^(?:(?:ok|hm+|no|gracias|pero),? )*(?:eso|esto|sigue|tu|todavía) `],
}

/** Things of the message itself may be meant by "them": only in a very short one they are the answer's. */
const them: Phrases = {
  en: [phrase`them|theirs`],
  de: [phrase`sie|ihnen`],
  fr: [phrase`les|eux`],
  es: [phrase`los|las|ellos`],
}

/** Refers to something that was just said. */
const reference: Phrases = {
  en: [
    phrase`it(?! (?:team|department|possible to|safe to|ok to|better to|worth))|(?:that|this|these|those)(?=\s*(?:[.,;!?)–—-]|$))|(?:^|[.,;:!?–—-] *|(?:and|but|if|because|so|when|why|is|does|did|was|can|will|would|how) )(?:that|this|these|those)(?= (?:is|isn't|was|wasn't|does|doesn't|did|didn't|has|will|would|won't|can|can't|could|should|too|also|into|in|as|one|then|first|again|to|for|on|with|works?|fails?|gives?|throws?|looks|seems|sounds)(?!\p{L}))|(?:that|this)'s|(?:can|could|would|will|does|should|might|did|has) (?:this|that|these|those) (?:be|take|work|need|cost|have|run|go|also|still|mean|help|break|scale|apply|happen|\p{L}+ed)|(?:write|make|explain|do|did|use|used|try|tried|ran|applied|show|give|put|turn|change|fix|run|test|with|for|of|in|on|to|about|like|into|from|by|at|without|than|understand|is|was|does|keep|drop|prefer|^) ?(?:that|this|these|those) \p{L}+|the (?:first|second|last|third|other|latter|former|previous|next|same|above|final)(?= (?:one|part|point|half|sentence|line|step|option|paragraph|bit|case|example|suggestion|idea)|\s*(?:[.,;!?)–—-]|$)| for)|the (?:end|ending|beginning|rest|result|above|same)(?=\s*(?:[.,;!?)–—-]|$)| (?:for|of it|with|in))`,
  ],
  de: [
    phrase`das(?=\s*(?:[.,;:!?)–—-]|$)| (?:ist|war|geht|auch|so|als|in|mit|ohne|für|auf|nicht|noch|denn|genau|heißt|bedeutet|funktioniert|klappt|bitte|mal|bei|wirklich|eigentlich)(?!\p{L}))|davon|dazu|daran|damit|dafür|dagegen|darin|daraus|diese[rsnm]? \p{L}+|(?:der|die|das|den|dem) (?:erste|zweite|dritte|letzte|obige|vorige|andere)n?(?! (?:\p{L}+ ){3})|der schluss|den schluss|das ende|der anfang|dasselbe|das gleiche`,
  ],
  fr: [
    phrase`ça|cela|ceci|celui-ci|celle-ci|celui-là|la fin|le début|le reste|ce (?:test|code|point|script|fichier|morceau)|(?:le|la) (?:premier|première|deuxième|second|seconde|dernier|dernière)|\p{L}+-(?:le|la|les)(?!\p{L})|la même chose`,
  ],
  es: [
    phrase`eso|esto|es[ea] \p{L}+|aquello|el final|el principio|el resto|lo (?:anterior|último|primero|mismo)|(?:el|la) (?:primer[oa]?|segund[oa]|tercer[oa]?|últim[oa])|(?:haz|pon|hazme|acorta|cambia|traduce|resume|escríbe|borra|quíta|pása)l[oa]s?`,
  ],
}

/** Thinks about what was just said: "wait, …", "hm, …". With a thing of its own ("hm, the import order feels off") it may begin something new. */
const hesitates: Phrases = {
  en: [
    phrase`^(?:wait|hang on|hold on|hm+|oops|ah|oh|sorry|warte|moment|attends|espera)\s?[,.!…–—-]+\s*(?!(?!das )${determiners} )\S+`,
  ],
  de: [],
  fr: [],
  es: [],
}

const marks: { phrases: Phrases; longest: number; statements?: true }[] = [
  { phrases: oneYou, longest: 20 },
  { phrases: hesitates, longest: 20 },
  { phrases: connected, longest: 12 },
  { phrases: noSubject, longest: 12 },
  { phrases: why, longest: 5 },
  { phrases: edits, longest: 12, statements: true },
  { phrases: assent, longest: 12, statements: true },
  { phrases: reference, longest: 12 },
  { phrases: them, longest: 6, statements: true },
]
