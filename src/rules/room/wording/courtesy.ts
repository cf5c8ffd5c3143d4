/** Messages that ask for nothing: thanks, praise, a greeting, or a note that says so itself. SPEC.md § DP9. */
import { hasContentWords } from '../../text/content-words.ts'
import { namesIn } from './names.ts'
import { findPhrase, type Phrases, phrase } from './phrase.ts'
import { spokenWords } from './spoken-words.ts'

/** Thanks, praise or a greeting and nothing else, whoever is named: "good work all of you", "merci à tous". `text` is in lower case. */
export function isCourtesy(text: string, agents: readonly string[]): boolean {
  const said = text.replace(howAreYou, 'hello')
  if (/\?/.test(said) || !findPhrase(said, courteous)) return false
  const plain = namesIn(said, agents).reduceRight(
    (rest, { at, end }) => `${rest.slice(0, at)} ${rest.slice(end)}`,
    said,
  )
  return !hasContentWords(plain)
}

/** RD14: whether an answer to it needs no look at the project: thanks, a greeting, or thanks with a word of praise. A note may go on to a request. */
export function needsNoSource(message: string, agents: readonly string[]): boolean {
  const text = spokenWords(message)
  return isCourtesy(text, agents) || isCourtesy(text.replace(itHelped, ''), agents)
}

/** "…, that helps", "…, klappt jetzt": the other half of a thank-you. */
const itHelped =
  /(?<=[\p{L}!.,] ?|^)(?:(?:that|it|this) (?:helps?|helped|works?|worked|did it|fixed it)|works|klappt|das (?:hilft|klappt|passt|reicht)|hilft|läuft|funktioniert|ça (?:marche|aide)|funciona|eso ayuda|me sirve)(?: (?:a lot|now|again|great|jetzt|sehr|wieder|ya|maintenant))?(?=\s*[.!]*\s*$)/u

/** A greeting in the form of a question. */
const howAreYou =
  /(?<!\p{L})(?:how (?:are|is|'s) (?:you|it going|everyone|everybody|life)(?: all| both| guys| doing| today| everyone)*|what's up|wie geht(?:'s| es)(?: dir| euch| allen| so| heute)*|(?:comment )?ça va|comment (?:allez-vous|vas-tu)|qué tal(?: (?:estáis|estás|todo|todos))?|cómo (?:estás|estáis|están|va))\s*\?/gu

/** What is left after a first clause of thanks or praise: "nice work everyone, calling it a day". */
export function withoutCourtesy(text: string): string {
  const first = /^[^,.;:!?\n]+(?=[,.;:!\n])/.exec(text)?.[0]
  return first !== undefined && isCourtesy(first, []) ? text.slice(first.length) : text
}

/** Without clauses that only praise the last answer: "nice answer", "good point, thanks". */
export function withoutPraise(text: string): string {
  return text
    .split(/(?<=[,.;:!?\n])/)
    .filter((clause) => !praise.test(clause) && !isCourtesy(clause, []))
    .join('')
}

const praise =
  /^\s*(?:(?:that is|that's|what|das ist|c'est|es)(?: an?| eine?| une?)? )?(?:very |really |sehr |très |muy )?(?:good|great|nice|excellent|fair|solid|helpful|clear|interesting|gute[rs]?|schöne[rs]?|tolle[rs]?|klare[rs]?|bonne?|belle|buena?|excelente|gran)(?: \p{L}+){1,2}\s*[,.;:!]?\s*$/u

/** Whether it is about what the agent proposed: "we go with your list", "you are right". */
export function isAboutAnswer(text: string): boolean {
  return ofYours.test(text)
}

const ofYours =
  /(?<!\p{L})(?:yours?|you(?:'re| are) right|(?:as )?you (?:said|say|suggest(?:ed)?|propose[d]?|wrote)|dein(?:e[mnrs]?)?|eue?r(?:e[mnrs]?)?|wie du sagst|du hast recht|ton|ta|tes|votre|vos|tu as raison|tus?|vuestr[oa]s?|tienes razón)(?!\p{L})/u

const courteous: Phrases = {
  en: [
    phrase`thanks|thank you|thx|ty|cheers|(?:good|great|nice|excellent|amazing|lovely) (?:work|job|one|stuff|point|idea|catch|teamwork)|well done|congrats|congratulations|kudos|hi|hello|hey|good (?:morning|evening|afternoon|night)|bye|see you|have a (?:good|nice|great)|perfect|brilliant|awesome`,
  ],
  de: [
    phrase`danke\p{L}*|vielen dank|besten dank|gute arbeit|gut gemacht|super|klasse|prima|perfekt|toll|hallo|moin|guten (?:morgen|abend|tag)|gute nacht|tschüss|bis (?:morgen|bald|später|dann)|schönes wochenende|schönen (?:abend|feierabend|tag)`,
  ],
  fr: [
    phrase`merci|bravo|bon travail|beau travail|bien joué|parfait|génial|bonjour|bonsoir|salut|bonne (?:soirée|journée|nuit)|à (?:demain|bientôt)`,
  ],
  es: [
    phrase`gracias|bravo|buen trabajo|bien hecho|perfecto|genial|estupendo|hola|buenos días|buenas (?:tardes|noches)|hasta (?:mañana|luego)|adiós`,
  ],
}

/** The words that say that the message is only for information, or wants no answer. */
export function readNote(text: string): string | undefined {
  return /\?/.test(text)
    ? findPhrase(text, wantsNoAnswer)
    : (findPhrase(text, wantsNoAnswer) ?? findPhrase(text, forInformation))
}

const wantsNoAnswer: Phrases = {
  en: [
    phrase`no (?:need to|reason to) (?:answer|reply|respond|react|comment|do anything)|(?:don't|do not|please don't) (?:answer|reply|respond)(?= *(?:[.,:;!?)–—-]|$)| (?:to )?(?:this|that|yet|now|please))|no (?:action|answer|reply|response) (?:is )?(?:needed|required|necessary|expected)|nothing (?:to do|for you to do|to answer)(?: here)?(?=\s*(?:[.,;!)–—-]|$))|(?:just|only) thinking (?:aloud|out loud)|(?:thinking|note) to (?:my)?self|just (?:noting|a note)`,
    phrase`(?<=^|[.,!\n]\s*)(?:brb|be right back|afk|back in (?:an?|\d+|a few|five|ten)(?: \p{L}+)?|(?:signing|logging) off|calling it a day|off to (?:lunch|bed|a meeting)|heading (?:out|home))(?=\s*(?:[.,!)]|$))`,
  ],
  de: [
    phrase`keine (?:antwort|reaktion|aktion) (?:nötig|notwendig|erforderlich|erwartet)|(?:bitte )?nicht (?:antworten|reagieren)|(?:braucht|müsst|musst)(?: ihr| du)? (?:darauf |dazu )?(?:nicht (?:zu )?(?:antworten|reagieren)|nichts (?:zu )?(?:tun|machen|antworten))|nur laut gedacht|notiz an mich|bin (?:gleich|kurz|dann) (?:wieder da|weg|zurück)|mache (?:jetzt )?(?:pause|feierabend)`,
  ],
  fr: [
    phrase`(?:pas besoin|inutile) de (?:répondre|réagir)|(?:ne réponds|ne répondez) pas|aucune (?:réponse|action) (?:nécessaire|requise|attendue)|rien à faire(?=\s*(?:[.,;!)–—-]|$))|je (?:pense|réfléchis) (?:juste |seulement )?à (?:voix haute|haute voix)|note pour moi`,
  ],
  es: [
    phrase`no (?:hace falta|es necesario|hay que) (?:responder|contestar|respond\p{L}+|hacer nada)|no (?:respondas|respondáis|respondan|contestes|contestéis)|sin necesidad de responder|ninguna acción necesaria|(?:solo|sólo) pienso en voz alta|nota para mí`,
  ],
}

const forInformation: Phrases = {
  en: [
    phrase`(?<=^|[.!\n]\s*)(?:just )?(?:fyi|for your information|for the record|heads[- ]up|psa|side note|just (?:so|to let) you know)(?=[ ,:–—-])|(?<=^|[.!\n]\s*)(?:status )?update(?=\s*[:–—-])`,
  ],
  de: [
    phrase`(?<=^|[.!\n]\s*)(?:(?:nur |kurz )*(?:zur|als) (?:info|information|kenntnis|erinnerung)|kurze info|kurzer hinweis|nur damit ihr es wisst|nur dass ihr es wisst|fyi)(?=[ ,:–—-])`,
  ],
  fr: [
    phrase`(?<=^|[.!\n]\s*)(?:(?:juste )?pour (?:info|information|votre information|mémoire)|petite info|à titre d'information|fyi)(?=[ ,:–—-])`,
  ],
  es: [
    phrase`(?<=^|[.!\n]\s*)(?:(?:solo |sólo )?(?:para (?:que lo sepáis|que lo sepan|vuestra información|su información|información)|como información)|aviso|nota|fyi)(?=[ ,:–—-])`,
  ],
}
