/** Tells whether an agent's words are in question where a message names it. SPEC.md § DP9. */

/** What the agent said already. */
export const ownWords =
  /^(?:'s (?:answer|reply|point|plan|numbers?|estimate|argument|suggestion|idea|claim|version|draft|code|analysis|proposal|diagnosis|explanation|fix|reasoning|calculation|conclusion|assumption|review|figure|math|query|approach|design|patch)| (?:said|says|claims|claimed|suggested|suggests|recommends|recommended|thinks|told|wrote|proposed|proposes|answered|argued|argues|insists|sagt|sagte|meint|meinte|schreibt|behauptet|dit|a dit|pense|propose|dice|dijo|propone|cree)(?![\p{L}]))/u

/** The name stands near a word of doubt: "is gpt right?", "what did gpt miss?", "do you agree with claude?". */
export function isQuestioned(before: string, after: string): boolean {
  if (butNot.test(before) && closes.test(after)) return true
  const near = `${lastSentence(before)} ${firstSentence(after)}`
  if (isJudged.test(after)) return /^[^.?!\n]*\?/.test(after) && doubt.test(near)
  if (ownWords.test(after) || spokeBefore.test(before))
    return doubt.test(`${before.slice(-reach)} ${after.slice(0, reach)}`)
  if (/^'s \p{L}/u.test(after)) return doubt.test(near)
  return asksAbout.test(before) && doubt.test(near)
}

/** "I disagree with ada: …": the sender contradicts her, and she may defend it. A question about her is for the others. */
export function contradicts(before: string, after: string): { before: string; after: string } | undefined {
  if (/^[^.!?\n]*\?/.test(after)) return undefined
  for (const [opens, follows] of contradictions) {
    const [opening, rest] = [opens.exec(before)?.groups?.words, follows.exec(after)?.[0]]
    if (opening !== undefined && rest !== undefined) return { before: opening, after: rest }
  }
  return undefined
}

const contradictions: [opens: RegExp, follows: RegExp][] = [
  [
    /(?:^|[.!?\n]\s*)(?:(?:sorry|hm+|no|well|but|and|nein|aber|non|mais|pero)[ ,]+)*(?<words>(?:i (?:\p{L}+ ){0,2}(?:disagree|don't agree|do not agree|can't agree|don't side|can't side) with|(?:i'm|i am) not with|i (?:see|read) (?:it|this|that) differently (?:from|than)|(?:da )?(?:bin ich|ich bin) (?:da |hier )?(?:nicht (?:einverstanden mit|einer meinung mit)|anderer (?:meinung|ansicht) als)|(?:ich sehe|sehe ich) (?:das|es) (?:da )?(?:ganz )?anders als|(?:da )?widerspreche ich|ich widerspreche|je ne suis pas(?: du tout)? d'accord avec|je suis en désaccord avec|je ne suis pas de l'avis de|no estoy(?: nada)? de acuerdo con|no coincido con|discrepo (?:con|de)) )$/u,
    /^/,
  ],
  [
    /(?:^|[.!?:\n]\s*)(?:(?:sorry|hm+|no|well|but|and|nein|aber|da|hier|non|mais|pero)[ ,]+)*(?<words>(?:(?:i (?:\p{L}+ )?(?:think|believe|say)(?: that)?|ich (?:glaube|denke|meine),?(?: dass)?|je (?:pense|crois) que|(?:creo|pienso) que) )?)$/u,
    /^ (?:is (?:just |simply |plainly |clearly |still )?(?:wrong|mistaken|not right|incorrect)|liegt (?:da |hier )?falsch|hat (?:da |hier )?unrecht|irrt(?: sich)?|se trompe|a tort|se equivoca|no tiene razón)(?= (?:about|on|here|there|that|to|da|hier|mit|beim?|in|sur|là|con|en)(?!\p{L})|\s*(?:[.,;:!–—]|$))(?![\s\S]*\?)/u,
  ],
  [
    /(?:^|[.!?:\n]\s*)(?<words>i (?:don't|do not) (?:think|believe)(?: that)? )$/u,
    /^ is (?:right|correct)(?!\p{L})(?![\s\S]*\?)/u,
  ],
  [
    /(?<!\p{L})(?<words>(?:(?:da|hier) )?(?:muss|möchte|will) ich (?:da |hier )?)$/u,
    /^ (?:da |hier |leider )?widersprechen(?!\p{L})/u,
  ],
  [/(?<!\p{L})(?<words>(?:ich stimme|stimme ich) (?:da |hier )?)$/u, /^ (?:da |hier |darin )?nicht zu(?!\p{L})/u],
]

/** For an agent that has spoken: "is claude hallucinating?", "what would you change about claude's schema?". */
export function isAskedAbout(before: string, after: string): boolean {
  if (!/^[^.?!\n]*\?/.test(after)) return false
  if (/^'s \p{L}/u.test(after)) return asksJudgement.test(lastSentence(before))
  return subjectOf.test(before) || /^ (?:a|est|s'est|se)-t?-?il(?!\p{L})/u.test(after)
}

const subjectOf =
  /(?:^|[.!?,;:\n]\s*|(?:so|but|and|aber|und|mais|pero|¿) ?)(?:is|was|did|does|has|had|isn't|hasn't|ist|hat|hatte|liegt|est-ce que|es|está|ha) $/u

const asksJudgement =
  /(?<!\p{L})(?:(?:what|how|where) (?:would|do|should|could) you|would you|do you|anything|any|what's|was würde(?:st|t)|würde(?:st|t)|que (?:changerais|changeriez)|qué cambiar\p{L}+)(?!\p{L})/u

const reach = 200

/** "gpt is wrong, right?": only as a question; "gpt is right, do that" asks nothing of the others. */
const isJudged =
  /^ (?:is|was|seems|sounds|looks|might be|may be|must be|could be|got (?:it|that|this)|ist|liegt|irrt|est|se trompe|s'est trompé|a raison|a tort|está|tiene razón|se equivoca|se equivocó)(?!\p{L})/u

const closes =
  /^(?: (?:please|bitte|this time|again|diesmal|schon wieder|svp|por favor|cette fois|esta vez)|\s*(?:[.,;:!)]|$))/u

/** "not gpt please", "diesmal bitte nicht claude". */
const butNot = /(?:^|[.!?,;:\n]\s*|\p{L} )(?:not|nicht|pas|no)(?: again| wieder| encore| otra vez)? $/u

const spokeBefore =
  /(?<!\p{L})(?:what|was|ce que(?: dit| propose| pense)?|ce qu'a dit|lo que(?: dijo| dice| propone)?|laut|according to|selon|según|hat|a|ha) $/u

const asksAbout =
  /(?<!\p{L})(?:agree with|disagree with|agrees with|side with|argue against|argue with|convinced by|is|was|are|did|does|has|had|whether|if|sure|sure that|could|might|check|verify|review|challenge|attack|critique|refute|rebut|counter|question|test|trust|believe|double-check|fact-check|poke holes in|wrong with|thinks? of|think about|stimmt ihr|stimmst du|hat|liegt|mit|ob|von|prüft?|prüfe|glaubt ihr|d'accord avec|est-ce que|qu'a|vérifie[rz]?|que|si|de|de acuerdo con|tiene|tiene razón|con|le falta a|se equivoca|se equivocó|tiene razón|irrt sich|täuscht sich|übersieht|vergisst|irrt|täuscht|revisa(?:d|r|n)?|a) $/u

const doubt =
  /(?<!\p{L})(?:right|wrong|correct|incorrect|true|false|agree|disagree|check|double-check|fact-check|verify|review|miss\p{L}*|overlook\p{L}*|forg[eo]t\p{L}*|underestimat\p{L}*|misunderst\p{L}*|understood|attack|challenge|devil's advocate|critique|refute|rebut|counter|poke|holes?|holds? (?:up|water)|convinc\p{L}+|trust|believe|buy|sure|really|sane|sound|plausible|realistic|reasonable|makes? sense|mistakes?|flaws?|flawed|objections?|against|too (?:optimistic|pessimistic|simple|lazy)|think (?:of|about)|take on|opinion|recht|unrecht|stimmt|korrekt|plausibel|glaubwürdig|richtig|falsch|überseh\p{L}*|übersieht|vergisst|vergessen|einverstanden|überzeugt|prüf\p{L}*|meinung|zweif\p{L}*|haltet|hältst|glaubt|glaubst|kritisier\p{L}*|raison|tort|vrai|faux|oublié|manqué|raté|d'accord|vérifi\p{L}*|avis|sûrs?|razón|cierto|correcto|verdad|falta|olvid\p{L}*|de acuerdo|revis\p{L}*|opin\p{L}*|seguros?|equivoc\p{L}*|tromp\p{L}*|irrt|täuscht|daneben|mistaken|off|pair of eyes|second (?:opinion|look)|fresh look)(?!\p{L})/u

function lastSentence(text: string): string {
  return /[^.?!\n]*$/.exec(text)![0].slice(-reach)
}

function firstSentence(text: string): string {
  return /^[^.?!\n]*/.exec(text)![0].slice(0, reach)
}
