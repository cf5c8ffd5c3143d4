/** Messages that only make sense to the agent that spoke last: corrections, a yes or no, short references after a collaboration. SPEC.md § DP9. */
import { findPhrase, type Phrases, phrase } from './phrase.ts'

/** The words that correct or answer the last speaker. `text` is in lower case. */
export function readReply(text: string): string | undefined {
  if (findPhrase(text, newTopic)) return undefined
  return findPhrase(text.trimStart().slice(0, 400), reply)
}

/** A few words that refer to what was just said: "and the ending?", "make it shorter". */
export function isShortReference(text: string): boolean {
  const words = text.trim().split(/\s+/)
  return words.length <= 20 && !findPhrase(text, newTopic) && findPhrase(text, reference) !== undefined
}

const hesitation =
  '(?:(?:no|nope|nah|wait|sorry|oops|hm+|ah|oh|actually|well|nein|ne|nee|moment|entschuldigung|non|pardon|attends|perdón|perdona|espera)[,.!… –—-]+)'

const reply: Phrases = {
  en: [
    phrase`^${hesitation}*(?:that(?:'s| is|s| was|'s really| wasn't) ?not what i (?:\w+ )?(?:asked|meant|wanted|said|need|was asking)|that wasn't (?:what i|the question|my question)|not what i (?:asked|meant|wanted|said)|you (?:misunderstood|misread|got me wrong)|i (?:actually |really )?meant)`,
    phrase`^${hesitation}+(?:i (?:actually |really |just )*(?:mean|meant|want|wanted|asked|said|need|needed|was (?:asking|talking|thinking))|not (?:that|this|the|those|these|in|for|what)|the (?:other|second|first|third|last|one)|you (?:misunderstood|misread|forgot|missed)|that(?:'s| is) (?:the )?wrong)`,
    phrase`^(?:no|nope|nah|yes|yep|yeah|yup)[,.!–—-]+(?=\s*\S)`,
  ],
  de: [
    phrase`^${hesitation}*(?:(?:das|so) (?:war|ist|meinte ich) nicht(?: (?:die frage|gemeint|so gemeint|was ich|meine frage))?(?=[ ,.]|$)|ich (?:meinte|habe gemeint)|du hast mich (?:falsch|missverstanden))`,
    phrase`^${hesitation}+(?:ich (?:meine|meinte|wollte|will|habe|brauche|rede|sprach)|nicht (?:der|die|das|den|dem|diese\p{L}*|in|so|für)|(?:der|die|das|den) (?:andere|zweite|erste|dritte|letzte)\p{L}*)`,
    phrase`^(?:nein|nee|nö|ja|jep)[,.!–—-]+(?=\s*\S)`,
  ],
  fr: [
    phrase`^${hesitation}*(?:ce n'(?:est|était) pas (?:ce que|ça|la question|ma question)|c'est pas (?:ce que|ça)|tu m'as mal compris|vous m'avez mal compris|je voulais dire|je parlais)`,
    phrase`^(?:non|oui|si|ouais)\s?[,.!–—-]+(?=\s*\S)`,
  ],
  es: [
    phrase`^${hesitation}*(?:no es (?:eso|lo que)|eso no (?:es|era) (?:lo que|la pregunta)|no era (?:eso|la pregunta)|me refería|quise decir|quería decir|no me (?:entendiste|has entendido))`,
    phrase`^(?:no|sí|si)[,.!–—-]+(?=\s*\S)`,
  ],
}

/** The message turns to something else itself. */
const newTopic: Phrases = {
  en: [
    phrase`(?:new|different|another|other|unrelated|separate) (?:topic|question|subject|thing|issue)|next question|something else|on another note|change of topic`,
  ],
  de: [phrase`(?:neues?|anderes?|nächste) (?:thema|frage)|was anderes|etwas anderes|themenwechsel`],
  fr: [phrase`(?:autre|nouvelle?|prochaine) (?:sujet|question|chose)|autre chose|rien à voir`],
  es: [phrase`(?:otr[oa]|nuev[oa]|siguiente) (?:tema|pregunta|cosa)|cambiando de tema`],
}

/** Refers to something that was just said. */
const reference: Phrases = {
  en: [
    phrase`^(?:and|but|so|also|now|same|ok|okay|then|why|how so)(?=[ ,?])|(?:it|that|this|these|those|them|the (?:first|second|last|third) (?:one|part|point|half|sentence|line)|the (?:end|ending|beginning|rest|result|above))`,
  ],
  de: [
    phrase`^(?:und|aber|also|jetzt|warum|wieso)(?=[ ,?])|(?:das|es|dies|diese[rsnm]?|davon|dazu|daran|damit|der (?:erste|zweite|letzte)\p{L}*|das ende|der schluss|den schluss|der anfang)`,
  ],
  fr: [
    phrase`^(?:et|mais|donc|alors|maintenant|pourquoi)(?=[ ,?])|(?:ça|cela|ceci|celui-ci|celle-ci|la fin|le début|le reste|en (?:deux|trois|une))|\p{L}+-(?:le|la|les)`,
  ],
  es: [
    phrase`^(?:y|pero|entonces|ahora|por qué)(?=[ ,?])|(?:eso|esto|ese|esa|el final|el principio|el resto|lo (?:anterior|último|primero))|(?:haz|pon|hazme|acorta|cambia|traduce|resume)l[oa]s?`,
  ],
}
