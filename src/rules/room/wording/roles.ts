/** What a message wants from each agent it names: to speak, or to have its words reviewed by another. SPEC.md § DP9. */
import { type NameAt, namesIn } from './names.ts'

export interface NamedRoles {
  /** Asked to speak, in message order. */
  addressed: string[]
  /** Their words are in question. */
  questioned: string[]
  /** Everyone but them is asked. */
  leftOut: string[]
  /** The words that say so. */
  words: string
}

/** A name may stand in several places: a call outranks a question about its words, and thanks count only where nobody is called. */
export function rolesOfNames(text: string, agents: readonly string[]): NamedRoles {
  const names = listed(text, namesIn(text, agents))
  const parts = shareOutWork(text, names)
  const found = names.flatMap((group) => {
    const role = parts.includes(group)
      ? ({ kind: 'addressed', words: saidOf(text, group) } as const)
      : roleOf(text, group)
    return role === undefined ? [] : [{ ...role, agents: group.map(({ agent }) => agent) }]
  })
  const called = (kind: Role) => [...new Set(found.filter((one) => one.kind === kind).flatMap((one) => one.agents))]
  const leftOut = called('leftOut')
  const strong = called('addressed').filter((name) => !leftOut.includes(name))
  const addressed = strong.length > 0 ? strong : called('thanked')
  const questioned = called('questioned').filter((name) => !addressed.includes(name))
  const decisive = found.find(({ kind }) => kind === (strong.length > 0 ? 'addressed' : kind))
  return { addressed, questioned, leftOut, words: decisive?.words ?? '' }
}

type Role = 'addressed' | 'questioned' | 'thanked' | 'leftOut'

/** Names that are listed together, "gpt and claude", share a role; in "gemini, gpt says …" the second begins a report. */
function listed(text: string, names: readonly NameAt[]): NameAt[][] {
  const groups: NameAt[][] = []
  for (const name of names) {
    const previous = groups.at(-1)?.at(-1)
    const joined =
      previous &&
      between.test(text.slice(previous.end, name.at)) &&
      !(text[previous.end] === ',' && ownWords.test(text.slice(name.end)))
    if (joined) groups.at(-1)!.push(name)
    else groups.push([name])
  }
  return groups
}

/** "gpt and claude", "gpt's and claude's take", "de claude et de gpt". */
const between =
  /^(?:'s)?(?:,| ?& ?|,? (?:and|und|et|y|e|or|sowie|as well as)(?: also| auch| aussi| también)? (?:(?:from|by|for|von|für|de|par|pour|a|à) |d')?|\/)\s*@?$/u

/** "claude for security, gpt for speed": each group of names begins a clause and gets its part. */
function shareOutWork(text: string, groups: readonly NameAt[][]): NameAt[][] {
  const parts = groups.filter(
    (group) => clauseOpens.test(text.slice(0, group[0]!.at)) && takesPart.test(text.slice(group.at(-1)!.end)),
  )
  return parts.length > 1 ? parts : []
}

const takesPart =
  /^(?: (?:for|on|does|do|takes?|handles?|covers?|für|über|macht|nimmt|übernimmt|pour|sur|prend|fait|para|sobre|hace|toma) |\s?:\s*\S)/u

function roleOf(text: string, group: readonly NameAt[]): { kind: Role; words: string } | undefined {
  const before = text.slice(0, group[0]!.at).replace(/@$/, '')
  const after = text.slice(group.at(-1)!.end)
  const words = saidOf(text, group)
  if (leaveOut.test(before)) return { kind: 'leftOut', words }
  if (isThanked(before, after)) return { kind: 'thanked', words }
  if (isAddressed(before, after)) return { kind: 'addressed', words }
  if (isQuestioned(before, after))
    return { kind: 'questioned', words: `${words}${/^'s \p{L}+/u.exec(after)?.[0] ?? ''}` }
  return undefined
}

function saidOf(text: string, group: readonly NameAt[]): string {
  const after = text.slice(group.at(-1)!.end)
  return `${text.slice(group[0]!.at, group.at(-1)!.end)}${/^[:,?]/.exec(after)?.[0] ?? ''}`.trim()
}

/** "everyone except gpt", "alle außer claude". */
const leaveOut =
  /(?<!\p{L})(?:(?:everyone|everybody|all(?: of you)?)(?: else)? (?:but|except(?: for)?|other than|besides|apart from)|alle außer|tous sauf|tout le monde sauf|tod[oa]s (?:menos|excepto|salvo)) $/u

/** "thanks claude!", "good point gpt", "ok claude that's good.": the clause is done with the name. */
function isThanked(before: string, after: string): boolean {
  return (
    praise.test(before) &&
    /^(?:\s*(?:[,;.!…)]|$)| (?:for|für|pour|por|that|das|it|c'|ça|y|et|und|and)(?![\p{L}]))/u.test(after)
  )
}

const praise =
  /(?:^|[^\p{L}])(?:thanks(?: a lot| again| so much)?|thank you(?: so much)?|thx|cheers|well done|(?:good|great|nice|fair|excellent) (?:point|one|job|work|catch|idea|call|stuff)|bravo|danke(?: dir| schön)?|vielen dank|gute? (?:idee|punkt|arbeit)|gut gemacht|merci(?: beaucoup| bien)?|bien vu|bien joué|(?:muchas |mil )?gracias|bien hecho|buena idea)[ ,]+(?:an |à |a )?$/u

function isAddressed(before: string, after: string): boolean {
  if (ownWords.test(after)) return false
  if (opening.test(before) && (/^\s*(?:[:,?]|[-–—] |$|[.!]*$)/.test(after) || callsOn.test(after))) return true
  if (shortAddress.test(before) && /^,\s*(?!(?:and|or|und|oder|et|ou|y|o) )\S/.test(after)) return true
  if (/,\s*$/.test(before) && /^\s*(?:[?!]|[.…]*\s*$)/.test(after)) return true
  if (sentenceOpens.test(before) && /^\s?[:,]\s*\S/.test(after)) return true
  if (clauseOpens.test(before) && (/^\s?:\s*\S/.test(after) || callsOn.test(after) || alone.test(after))) return true
  if (andYou.test(before) && /^\s?(?:[,:?!.]|$)/.test(after)) return true
  if (handsOver.test(before) && /^(?: (?:only|alone|please|bitte))?\s?:/.test(after)) return true
  if (turnsTo.test(before)) return true
  if (mayVerb.test(before)) return /^ (?:please )?(?!be |been |have |also be )\p{L}/u.test(after)
  if (asksView.test(before) && viewVerb.test(after)) return true
  if (saysOf.test(before)) return true
  return opinionOf.test(after)
}

/** Where a sentence begins, greetings and small connectives left aside. */
const connectives =
  '(?:(?:hey|hi|ok|okay|so|and|but|or|now|then|also|next|well|great|good|perfect|thanks|please|und|aber|oder|also|dann|jetzt|nun|gut|danke|bitte|et|mais|ou|alors|puis|donc|maintenant|bon|merci|y|e|pero|o|entonces|ahora|bueno|gracias)[ ,]+)*'
const sentenceOpens = new RegExp(`(?:^|[.?!…\\n]\\s*)["'(]?\\s*${connectives}$`, 'u')
const clauseOpens = new RegExp(`(?:^|[.?!…;:,\\n(–—]\\s*|(?<= )- )["'(¿¡]*\\s*${connectives}$`, 'u')

/** "gpt only: …", "just you". */
const alone = /^ (?:only|alone|nur du|allein|seulement|seul|solo|sólo|solamente)(?=\s*(?:[,:.?!]|$|please|bitte))/u

/** "et toi claude ?", "und du, gemini", "what about you, gpt": the pronoun calls the name that follows. */
const andYou =
  /(?<!\p{L})(?:and you|about you|you too|(?:und|aber|was ist mit) (?:du|dir)|(?:et|mais) toi|(?:y|pero) (?:tú|tu|usted)(?: qué (?:opinas|dices|piensas|crees))?|qué (?:opinas|dices|piensas|crees)(?: tú)?),? $/u

/** "next question goes to gpt:", "I'd rather hear this from gemini: …". */
const handsOver = /(?<!\p{L})(?:to|for|from|by|an|für|von|pour|à|de|par|para|a) $/u

/** "and claude?", "hey gpt,", "what about gemini?" */
const opening =
  /^\s*(?:(?:hey|hi|hello|yo|dear|ok|okay|so|and|now|then|thanks|thank you|no|yes|only|just|what about|how about|over to|hallo|moin|danke|und|und was sagt|nur|salut|bonjour|merci|dis|et|seulement|hola|oye|gracias|sólo|solo|solamente|y)[ ,]+)*$/

/** "dis-moi, claude, où est le bug ?": a few words, then the name between commas. */
const shortAddress = /(?:^|[.?!\n]\s*)[\p{L}' -]{1,20},\s*$/u

/** A name that begins a clause and goes on as a request to it: "gpt can you …", "claude du", "gemini your turn". */
const callsOn =
  /^,? (?:please|pls|(?:can|could|would|will|do|did|are|have|should) you|(?:what|how|why|where|which) (?:do|would|did|are|should|could|can) you|you(?! (?:\p{L}+ed|were|was|are|'re|said|got|had|did|have|forgot|wrote)(?!\p{L}))|your (?:turn|view|take|thoughts|opinion|call|move)|bitte|(?:kannst|könntest|würdest|willst|magst|hast|bist|siehst) du|(?:was|wie|warum) \p{L}+st du|du|schau|mach|schreib|sag|peux-tu|pourrais-tu|tu|qu'en penses-tu|à toi|puedes|podrías|tú|te toca|qué opinas|qué piensas|por favor|s'il te plaît)(?![\p{L}])/u

const turnsTo =
  /(?<!\p{L})(?:ask|let|have|get|hear|i(?:'d| would) (?:like|prefer|rather have)|i want|i need|hear from|like to hear|question for|(?:this|that|it)(?: one| question| task)?(?: is|'s) for|over to|(?:frag|frage|fragt)(?: bitte| mal| doch)*|frage an|(?:das|die|der) \p{L}+ (?:ist|geht) an|lass(?: mal| bitte)?|ich hätte gern|ich möchte, dass|demande(?:z|r)? (?:donc )?à|question pour|c'est pour|pregúntale a|pregunta a|pregunta para|esto es para|deja que) $/u

/** "what do claude and gpt think", "was meinen claude und gemini", "l'avis de claude": the verb or noun stands before the name. */
const saysOf =
  /(?<!\p{L})(?:was (?:meint|sagt|denkt|hält|meinen|sagen|denken|halten)|wie (?:sieht|sehen)(?: das)?|(?<!ce )que (?:pensent?|dit|disent)|qu'en (?:pensent?|dit|disent)|qué (?:opinan?|piensan?|dicen?|creen?)|(?<!(?:your|deine|eure|ton|votre|tu|vuestra) )(?:opinions?|views?|takes?|thoughts|input|einschätzung(?:en)?|meinung(?:en)?|avis|opinión|opiniones) (?:of|from|by|von|de)|l'avis d'|the views? of both|both) $/u

const mayVerb = /(?<!\p{L})(?:can|could|would|will|should|kann|könnte|soll|sollte|peut|pourrait|puede|podría) $/u

const asksView =
  /(?<!\p{L})(?:do|does|would|what do|what does|what would|how do|how does|how would|was|wie|que|qu'en|qué) $/u

const viewVerb =
  /^ (?:agree|disagree|think|see (?:it|this|that)|have (?:an opinion|a view|anything)|say|recommend|suggest|make of|prefer|do here|davon|dazu|das|de (?:ça|cela|esto|eso))|^\s*\?/

/** "what's claude's take?" asks claude; "claude's answer" is about claude. */
const opinionOf = /^'s (?:take|opinion|view|thoughts?|perspective|input|turn|vote|pick|verdict)(?![\p{L}])/u

/** What the agent said already. */
const ownWords =
  /^(?:'s (?:answer|reply|point|plan|numbers?|estimate|argument|suggestion|idea|claim|version|draft|code|analysis|proposal|diagnosis|explanation|fix|reasoning|calculation|conclusion|assumption|review|figure|math|query|approach|design|patch)| (?:said|says|claims|claimed|suggested|suggests|recommends|recommended|thinks|told|wrote|proposed|proposes|answered|argued|argues|insists|sagt|sagte|meint|meinte|schreibt|behauptet|dit|a dit|pense|propose|dice|dijo|propone|cree)(?![\p{L}]))/u

/** The name stands near a word of doubt: "is gpt right?", "what did gpt miss?", "do you agree with claude?". */
function isQuestioned(before: string, after: string): boolean {
  if (anyoneBut.test(before)) return true
  const near = `${lastSentence(before)} ${firstSentence(after)}`
  if (isJudged.test(after)) return /^[^.?!\n]*\?/.test(after) && doubt.test(near)
  if (ownWords.test(after) || spokeBefore.test(before))
    return doubt.test(`${before.slice(-reach)} ${after.slice(0, reach)}`)
  if (/^'s \p{L}/u.test(after)) return doubt.test(near)
  return asksAbout.test(before) && doubt.test(near)
}

const reach = 200

/** "gpt is wrong, right?": only as a question; "gpt is right, do that" asks nothing of the others. */
const isJudged =
  /^ (?:is|was|seems|sounds|looks|might be|may be|must be|could be|got (?:it|that|this)|ist|liegt|irrt|est|se trompe|s'est trompé|a raison|a tort|está|tiene razón|se equivoca|se equivocó)(?!\p{L})/u

/** "anyone but gpt", "somebody other than claude". */
const anyoneBut =
  /(?<!\p{L})(?:anyone|anybody|someone|somebody|one|agent|model)(?: else)? (?:but|except|other than|besides|apart from) $|(?<!\p{L})(?:jemand(?:en)? (?:außer|anderes als)|quelqu'un d'autre que|alguien que no sea) $/u

const spokeBefore =
  /(?<!\p{L})(?:what|was|ce que(?: dit| propose| pense)?|ce qu'a dit|lo que(?: dijo| dice| propone)?|laut|according to|selon|según|hat|a|ha) $/u

const asksAbout =
  /(?<!\p{L})(?:agree with|disagree with|agrees with|side with|argue against|argue with|convinced by|is|was|are|did|does|has|had|whether|if|sure|sure that|could|might|check|verify|review|challenge|attack|critique|refute|rebut|counter|question|test|trust|believe|double-check|fact-check|poke holes in|wrong with|thinks? of|think about|stimmt ihr|stimmst du|hat|liegt|mit|ob|von|prüft?|prüfe|glaubt ihr|d'accord avec|est-ce que|qu'a|vérifie[rz]?|que|si|de|de acuerdo con|tiene|tiene razón|con|le falta a|se equivoca|se equivocó|tiene razón|irrt sich|täuscht sich|übersieht|vergisst|irrt|täuscht|revisa(?:d|r|n)?|a) $/u

const doubt =
  /(?<!\p{L})(?:right|wrong|correct|incorrect|true|false|agree|disagree|check|double-check|fact-check|verify|review|miss|missed|missing|overlook|overlooked|forget|forgot|attack|challenge|devil's advocate|critique|refute|rebut|counter|poke|holes?|holds? (?:up|water)|convinc\p{L}+|trust|believe|buy|sure|really|sane|sound|plausible|realistic|reasonable|makes? sense|mistakes?|flaws?|flawed|objections?|against|too (?:optimistic|pessimistic|simple|lazy)|think (?:of|about)|take on|opinion|recht|unrecht|stimmt|richtig|falsch|überseh\p{L}*|übersieht|vergisst|vergessen|einverstanden|überzeugt|prüf\p{L}*|meinung|zweif\p{L}*|haltet|hältst|glaubt|glaubst|kritisier\p{L}*|raison|tort|vrai|faux|oublié|manqué|raté|d'accord|vérifi\p{L}*|avis|sûrs?|razón|cierto|correcto|verdad|falta|olvid\p{L}*|de acuerdo|revis\p{L}*|opin\p{L}*|seguros?|equivoc\p{L}*|tromp\p{L}*|irrt|täuscht|daneben|mistaken|off|pair of eyes|second (?:opinion|look)|fresh look)(?!\p{L})/u

function lastSentence(text: string): string {
  return /[^.?!\n]*$/.exec(text)![0].slice(-reach)
}

function firstSentence(text: string): string {
  return /^[^.?!\n]*/.exec(text)![0].slice(0, reach)
}
