/** Tells from the words around a name whether a message speaks to that agent. SPEC.md § DP9. */
import { ownWords } from './questioned.ts'

export function isAddressed(before: string, after: string): boolean {
  if (ownWords.test(after)) return false
  if (opening.test(before) && (/^\s*(?:[:,?]|[-–—] |$|[.!]*$)/.test(after) || callsOn.test(after))) return true
  if (shortAddress.test(before) && /^,\s*(?!(?:and|or|und|oder|et|ou|y|o) )\S/.test(after)) return true
  if (/,\s*$/.test(before) && /^\s*(?:[?!]|[.…]*\s*$)/.test(after)) return true
  if (sentenceOpens.test(before) && /^\s?[:,]\s*\S/.test(after)) return true
  if (clauseOpens.test(before) && (/^\s?:\s*\S/.test(after) || callsOn.test(after) || alone.test(after))) return true
  if (sentenceOpens.test(before) && /^(?: (?:please|bitte|only|nur))?\s*(?:[.!?…]|$)/.test(after)) return true
  if (andYou.test(before)) return true
  if (handsOver.test(before) && !refersTo.test(before) && /^(?: (?:only|alone|please|bitte))?\s?:/.test(after))
    return true
  if (
    isThere.test(before) &&
    /^(?: (?:still|noch|toujours|encore|todavía|aún))?(?: (?:here|there|around|online|available|awake|with us|da|hier|dabei|wach|là|ici|ahí|aquí|disponible))?\s*\?/u.test(
      after,
    )
  )
    return true
  if (isLast.test(after) && sameTo.test(before)) return true
  if ((turnsTo.test(before) && !notToAsk.test(before)) || passesOn.test(before)) return true
  if (knows.test(after) || nextUp.test(after)) return true
  if (subjunctive.test(before) || orderedThat.test(before)) return true
  if (clauseOpens.test(before) && isToDo.test(after)) return true
  if (whatIs.test(before) && /^'s \p{L}+\s*(?:[?.,!]|$| (?:on|about|here|for))/u.test(after)) return true
  if (mayVerb.test(before)) return /^ (?:please )?(?!be |been |have |also be )\p{L}/u.test(after)
  if (asksView.test(before) && viewVerb.test(after)) return true
  if (saysOf.test(before)) return true
  return opinionOf.test(after)
}

/** Where a sentence begins, greetings and small connectives left aside. */
const connectives =
  "(?:(?:hey|hi|ok|okay|so|i mean|meaning|that is|both|namely|nämlich|beide|sprich|das heißt|d\\.h\\.|c'est-à-dire|je veux dire|o sea|es decir|just|only|nur|and|but|or|now|then|also|next|well|great|good|perfect|thanks|please|und|aber|oder|also|dann|jetzt|nun|gut|danke|bitte|et|mais|ou|alors|puis|donc|maintenant|bon|merci|y|e|pero|o|entonces|ahora|bueno|gracias)[ ,]+)*"
const sentenceOpens = new RegExp(`(?:^|[.?!…;\\n]\\s*)["'(]?\\s*${connectives}$`, 'u')
export const clauseOpens = new RegExp(`(?:^|[.?!…;:,\\n(–—]\\s*|(?<= )- )["'(¿¡]*\\s*${connectives}$`, 'u')

/** "gpt only: …", "just you". */
const alone = /^ (?:only|alone|nur du|allein|seulement|seul|solo|sólo|solamente)(?=\s*(?:[,:.?!]|$|please|bitte))/u

/** "et toi claude ?", "und du, gemini", "what about you, gpt": the pronoun calls the name that follows. */
const andYou =
  /(?<!\p{L})(?:and you|about you|you too|(?:und|aber|was ist mit) (?:du|dir)|(?:et|mais) toi|(?:y|pero) (?:tú|tu|usted)(?: qué (?:opinas|dices|piensas|crees))?|qué (?:opinas|dices|piensas|crees)(?: tú)?),? $/u

/** The words by which the sender says to whom an earlier message went, before or after the name: "I meant gpt", "gpt war gemeint". */
export function corrects(before: string, after: string): { before: string; after: string } | undefined {
  const words = meant.exec(before)?.groups?.words
  const opens = words !== undefined && closesCorrection.test(withoutPurpose(words, after)) ? words : undefined
  if (opens !== undefined) return { before: opens, after: '' }
  for (const [opening, follows] of meantAround) {
    const words = follows.exec(after)?.[0]
    if (words !== undefined && opening.test(before)) return { before: '', after: words }
  }
  return undefined
}

/** "I meant gpt", "sorry, the question was for claude"; "I meant gpt's idea" and "I meant the cache" call nobody. */
const meant =
  /(?:^|[.!?,;:–—\n]\s*)(?:(?:no|nope|sorry|wait|oops|actually|well|ah|oh|hm+|but|i said|nein|nee|entschuldigung|entschuldige|moment|aber|non|pardon|mais|perdón|perdona|pero)[ ,.!…]+)*(?<words>(?:(?:(?:i )?(?:actually |really |only |just )?meant|i (?:actually |really |only |just )?(?:mean|had meant))(?: to (?:ask|say))?|(?:i (?:was|am)|i'm) (?:actually |really )?(?:asking|addressing|talking to|speaking to|writing to)|i asked|(?:that|this|it|(?:the|my|that|this) (?:question|message|one)) was (?:(?:meant|intended|directed|aimed) )?(?:for|to|at)|(?:eigentlich )?(?:ich )?mein(?:t)?e(?: ich)?(?: eigentlich)?|gemeint (?:war|ist)|(?:das|die frage|meine frage) (?:war|ging) (?:eigentlich )?(?:an|für)|ich (?:rede|sprach|spreche) mit|je (?:voulais dire|m'adressais à|m'adresse à|parlais (?:à|de)|demandais à|pensais à)|(?:c'était|ma question était) pour|me refería a|quise decir(?: a)?|quería decir|le (?:hablaba|preguntaba) a|hablaba con|(?:era|mi pregunta era) para) )$/u

/** "I meant gpt for that: …"; "I asked gpt for that" reports. */
function withoutPurpose(words: string, after: string): string {
  return /asked/.test(words) ? after : after.replace(purpose, '')
}

const purpose =
  /^ (?:(?:for|with|on) (?:(?:that|this|the)(?: (?:last|first|second|previous))? (?:question|part|one)|that|this|it)|dafür|damit|dabei|pour (?:ça|cela)|para (?:eso|esto))(?!\p{L})/u

/** Not "I asked gpt and it …": the sentence is done, or says who was not meant. */
const closesCorrection =
  /^(?: (?:gerichtet|gedacht|bestimmt))?(?:,? (?:not|nicht|pas|no) [^.?!\n]{1,30}?)?(?:,? (?:sorry|please|actually|of course|there|here|entschuldigung|bitte|natürlich|pardon|perdón))*\s*(?:[.,;:!?)–—]|$)/u

/** "ich habe gpt gemeint", "gpt war gemeint", "I wanted gpt to answer". */
const meantAround: [opens: RegExp, follows: RegExp][] = [
  [
    /(?<!\p{L})(?:ich (?:hab|habe|hatte)|hab ich|habe ich)(?: (?:eigentlich|doch|ja))* $/u,
    /^ (?:gemeint|gefragt|angesprochen)(?=\s*(?:[.,;:!?)–—]|$))/u,
  ],
  [clauseOpens, /^ (?:war|ist) (?:eigentlich |doch )?gemeint(?!\p{L})/u],
  [/(?<!\p{L})i (?:actually |really )?wanted $/u, /^ to (?:answer|reply|respond|say|take)(?!\p{L})/u],
]

/** "is gemini still here?", "ist gpt noch da?", "¿está claude?" */
const isThere = /(?:^|[.!?,\n]\s*)¿?(?:is|ist|est-ce que|está|sigue) $/u

/** "next question goes to gpt:", "I'd rather hear this from gemini: …". */
const handsOver = /(?<!\p{L})(?:to|for|from|by|an|für|von|pour|à|de|par|para|a) $/u

/** "according to gpt: …", "+1 to claude: …", "the plan from gemini: …": what the sender refers to. */
const refersTo =
  /(?<!\p{L})(?:(?:according|contrary|similar|thanks|thank you|compared|opposed|close|credit|kudos|props|\+ ?1|plus one|agree\w*|vote|stimme|bin|gegensatz|contrairement|grâce|suis|gracias|estoy|voto)(?: \p{L}+)?|(?:i'm|i am|we're|we are)(?: all)?|(?:answer|reply|proposal|suggestion|idea|plan|point|argument|quote|draft|version|vorschlag|antwort|idee|entwurf|réponse|proposition|idée|avis|respuesta|propuesta|opinión)(?= (?:from|by|von|de|par)(?!\p{L}))) (?:to|for|from|by|an|für|von|zu|pour|à|de|par|para|a) $/u

/** "and claude?", "hey gpt,", "what about gemini?" */
const opening =
  /^\s*(?:(?:hey|hi|hello|yo|dear|ok|okay|so|and|now|then|thanks|thank you|no|yes|sorry|only|just|what about|how about|over to|hallo|moin|danke|entschuldigung|und|und was sagt|nur|salut|bonjour|merci|dis|et|seulement|hola|oye|gracias|sólo|solo|solamente|y)[ ,]+)*$/

/** "dis-moi, claude, où est le bug ?": a few words, then the name between commas. */
const shortAddress = /(?:^|[.?!\n]\s*)[\p{L}' -]{1,20},\s*$/u

/** A name that begins a clause and goes on as a request to it: "gpt can you …", "claude du", "gemini your turn". */
const callsOn =
  /^,? (?:please|pls|(?:can|could|would|will|do|did|are|were|have|should) you|(?:what|how|why|where|which|when|who)(?:'s)?|any|anything|you(?! (?:\p{L}+ed|were|was|are|'re|said|got|had|did|have|forgot|wrote|broke|gave|made|told|left)(?!\p{L}))|your (?:turn|view|take|thoughts|opinion|call|move)|bitte|(?:kannst|könntest|würdest|willst|magst|hast|bist|siehst) du|(?:was|wie|warum) \p{L}+st du|was (?:sagst|meinst|denkst|ist)|du|schau|mach|schreib|sag|peux-tu|pourrais-tu|qu'en penses-tu|tu|pourquoi|comment|où|à toi|puedes|podrías|tú|te toca|qué|cómo|dónde|por qué|por favor|s'il te plaît)(?![\p{L}])/u

/** Something is said to the name that begins a clause: the word after it cannot be its verb ("gpt I tried it", "gpt your regex …"). */
export function isTold(before: string, after: string): boolean {
  return clauseOpens.test(before) && notItsVerb.test(after)
}

/** The words that say that the agent has not spoken, a hint that it may: "gpt has been quiet". */
export function isQuiet(before: string, after: string): string | undefined {
  return clauseOpens.test(before) ? hasBeenQuiet.exec(after)?.[0] : undefined
}

const hasBeenQuiet =
  /^ (?:(?:has|is|was) (?:(?:been|still|very|so|rather|awfully|pretty|remarkably) )*(?:quiet|silent)|(?:hasn't|has not|didn't|did not) (?:yet )?(?:spoken|speak|answered|answer|said anything|say anything|said a word|weighed in|chimed in)|hat (?:(?:hier|dazu|bisher|sich|bis jetzt) )*(?:noch nichts|nichts|noch nicht|noch kein wort) (?:dazu )?(?:gesagt|geantwortet|gesprochen|geäußert)|(?:ist|war) (?:\p{L}+ ){0,2}(?:still|ruhig)|n'a (?:encore )?rien (?:encore )?dit|est (?:\p{L}+ )?silencieu(?:x|se)|no ha dicho nada|está (?:muy )?callad[oa])(?: (?:yet|so far|about (?:this|that|it)|on (?:this|that)|here|today|until now|encore|todavía|aún))*(?=\s*(?:[.,;!?)–—]|$))/u

const notItsVerb =
  /^,? (?:you(?:'re|'ve|'d)?|your|i(?:'m|'ve|'d|'ll)?|we(?:'re|'ve)?|my|our|that(?:'s)?|this|it(?:'s)?|these|those|there(?:'s)?|still|no|yes|sorry|btw|du|dein(?:e[mnrs]?)?|ich|wir|das|da|nein|ja|tu|t'\p{L}+|ton|ta|tes|je|j'\p{L}+|c'est|ça|tú|(?!este )\p{L}{2,}ste|te \p{L}+(?:ste|as|es)|eso|esto|yo)(?![\p{L}])/u

const turnsTo =
  /(?<!\p{L})(?:ask|let|have|get|hear|i(?:'d| would) (?:\p{L}+ )?(?:like|prefer|rather have|rather hear)|i (?:\p{L}+ )?(?:want|need)|start with|begin with|fang mit|commence(?:z)? par|empieza con|hear from|like to hear|question for|(?:this|that|it)(?: one| question| task)?(?: is|'s) for|over to|(?:frag|frage|fragt)(?: bitte| mal| doch)*|frage an|(?:das|die|der) \p{L}+ (?:ist|geht) an|lass(?: mal| bitte)?|ich hätte gern|ich möchte, dass|demande(?:z|r)? (?:donc )?à|question pour|c'est pour|pregúntale a|pregunta a|pregunta para|esto es para|deja que) $/u

/** "did you ask gpt?", "don't ask gpt". */
const notToAsk =
  /(?<!\p{L})(?:(?:did|have|had) you|don't|do not|didn't|never|without|instead of|before (?:you|i)) (?:let|have|get|hear|ask)(?:ing|ting)? $/u

/** The clause ends with the name. */
const isLast = /^(?:,? (?:please|pls|bitte|too|auch|aussi|también|then|now|svp|por favor))*\s*(?:[.,:;?!)–—]|- |$)/u

/** "same question to gpt", "and the same for claude?": what was asked last is asked of the one named. */
const sameTo =
  /(?:^|[.!?,;:\n–—]\s*)¿?(?:(?:ok|okay|and|now|then|please|next|und|jetzt|nun|bitte|et|maintenant|y|ahora)[ ,]+)*(?:(?:ask|put|pose[rz]?|stelle?|stellt|haz|hazle) )?(?:(?:(?:the |that |my |this )?(?:very |exact )?same(?: (?:question|thing|request|task|one|again|here))?|ditto|likewise)(?: please| again| now)*,? (?:to|for|from|goes to|at|with)|(?:(?:die |das )?(?:gleiche|selbe)|dieselbe|dasselbe|ebenso)(?: (?:frage|aufgabe|bitte))*(?: noch mal| nochmal| jetzt| bitte)*,? (?:an|für|von|bei)|(?:la )?même (?:question|chose|demande)(?: encore)?,? (?:à|pour|de)|(?:pareil|idem|de même),? (?:pour|à|de)|(?:la misma (?:pregunta|tarea)|(?:lo )?mismo|ídem|igual)(?: otra vez)?,? (?:a|para|de|con)) $/u

/** "switch to gemini", "hand this over to gpt", "passe la main à gpt". */
const passesOn =
  /(?<!\p{L})(?:(?:switch|pass|hand|give|leave|forward|go|move|send|turn|defer)(?: \p{L}+){0,3} to|(?:gib|übergib|wechsle|weiter|reich)(?: \p{L}+){0,3} (?:an|zu)|(?:passe|laisse|donne|passons)(?: \p{L}+){0,3} à|(?:pasa|pásale|deja|dale|cede)(?: \p{L}+){0,3} a) $/u

/** "maybe gemini knows", "gemini would know: …". */
const knows =
  /^ (?:(?:will|would|might|may|should|probably|surely) )*(?:knows?|can help|has an idea)(?= ?[:?.,!]|$)|^ (?:weiß|kennt)(?: das| es)?(?: vielleicht| bestimmt)?(?= ?[:?.,!]|$)/u

/** "gpt next", "gemini now". */
const nextUp =
  /^ (?:next|now|too|again|instead|jetzt|auch|nochmal|maintenant|aussi|ahora|también)(?: please| bitte)?\s*[.!?:]*\s*$/u

/** "que conteste gpt", "que lo miren también gpt y gemini". */
const subjunctive =
  /(?:^|[.!?,\n]\s*)que (?:(?:lo|la|me|nos|también) )*(?:conteste|responda|diga|mire|revise|opine|explique|siga|haga|compruebe|escriba)n?(?: (?:también|ahora|esta vez))? $/u

/** "Que claude lo escriba", "Que gpt réponde": a sentence that begins so is an order. */
const orderedThat = /(?:^|[.!?:\n]\s*)(?:(?:et|y|bueno|bon)[ ,]+)?que $/u

/** "Claude soll den Parser testen.", "gpt should check this": an order to a third, not a property or a question. */
const isToDo =
  /^ (?:soll(?! (?:\p{L}+ )*(?:sein|haben)(?!\p{L}))[^.?!\n]* \p{L}{3,}n\s*(?:[.!,;:]|$)|should (?:please |also |now |just )*(?:answer|reply|review|check|write|explain|draft|test|comment|summari[sz]e|look)(?!\p{L})[^?\n]*$)/u

/** "what's gpt's guess?" */
const whatIs = /(?:^|[.!?,;:\n]\s*)(?:(?:and|so|but) )?what(?:'s| is| would be) $/u

/** "what do claude and gpt think, "was meinen claude und gemini", "l'avis de claude": the verb or noun stands before the name. */
const saysOf =
  /(?<!\p{L})(?:was (?:meint|sagt|denkt|hält|meinen|sagen|denken|halten)|wie (?:sieht|sehen)(?: das)?|(?<!ce )que (?:pensent?|dit|disent)|qu'en (?:pensent?|dit|disent)|qué (?:opinan?|piensan?|dicen?|creen?)|(?<!(?:your|deine|eure|ton|votre|tu|vuestra) )(?:opinions?|views?|takes?|thoughts|input|einschätzung(?:en)?|meinung(?:en)?|avis|opinión|opiniones) (?:of|from|by|von|de)|l'avis d'|the views? of both|both) $/u

const mayVerb =
  /(?<!\p{L})(?:can|could|would|will|should|kann|können|könnten?|würden?|soll(?:en)?|sollten?|peut|peuvent|pourrait|pourraient|puede|pueden|podría|podrían) $/u

const asksView =
  /(?<!\p{L})(?:do|does|would|what do|what does|what would|how do|how does|how would|was|wie|que|qu'en|qué) $/u

const viewVerb =
  /^ (?:agree|disagree|think|see (?:it|this|that)|have (?:an opinion|a view|anything)|say|recommend|suggest|make of|prefer|do here|davon|dazu|das|de (?:ça|cela|esto|eso))|^\s*\?/

/** "what's claude's take?" asks claude; "claude's answer" is about claude. */
const opinionOf = /^'s (?:take|opinion|view|thoughts?|perspective|input|turn|vote|pick|verdict)(?![\p{L}])/u

/** "thanks claude!", "good point gpt", "ok claude that's good.": the clause is done with the name. */
export function isThanked(before: string, after: string): boolean {
  return (
    praise.test(before) &&
    /^(?:\s*(?:[,;.!…)]|$)| (?:for|für|pour|por|that|das|it|c'|ça|y|et|und|and)(?![\p{L}]))/u.test(after)
  )
}

const praise =
  /(?:^|[^\p{L}])(?:thanks(?: a lot| again| so much)?|thank you(?: so much)?|thx|cheers|well done|(?:good|great|nice|fair|excellent) (?:point|one|job|work|catch|idea|call|stuff)|bravo|danke(?: dir| schön)?|vielen dank|gute? (?:idee|punkt|arbeit)|gut gemacht|merci(?: beaucoup| bien)?|bien vu|bien joué|(?:muchas |mil )?gracias|bien hecho|buena idea)[ ,]+(?:an |à |a )?$/u
