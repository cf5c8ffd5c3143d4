/** What a message wants from each agent it names: to speak, or to have its words looked at by another. SPEC.md § DP9. */
import { type NameAt, namesIn } from './names.ts'

export interface NamedRoles {
  /** Asked to speak, in message order. */
  addressed: string[]
  /** Their words are in question. */
  questioned: string[]
  /** The words that say so. */
  words: string
}

export function rolesOfNames(text: string, agents: readonly string[]): NamedRoles {
  const roles: NamedRoles = { addressed: [], questioned: [], words: '' }
  for (const group of listed(text, namesIn(text, agents))) {
    const role = roleOf(text, group[0]!.at, group.at(-1)!.end)
    if (role === undefined) continue
    if (roles.words === '') roles.words = role.words
    for (const { agent } of group) {
      const taken = roles.addressed.includes(agent) || roles.questioned.includes(agent)
      if (!taken) roles[role.kind].push(agent)
    }
  }
  return roles
}

/** Names that are listed together, "gpt and claude", share a role. */
function listed(text: string, names: readonly NameAt[]): NameAt[][] {
  const groups: NameAt[][] = []
  for (const name of names) {
    const previous = groups.at(-1)?.at(-1)
    const joined = previous && between.test(text.slice(previous.end, name.at))
    if (joined) groups.at(-1)!.push(name)
    else groups.push([name])
  }
  return groups
}

/** "gpt and claude", "gpt's and claude's take", "de claude et de gpt". */
const between =
  /^(?:'s)?(?:,| ?& ?|,? (?:and|und|et|y|e|or|sowie|as well as)(?: also| auch| aussi| también)? (?:(?:from|by|for|von|für|de|par|pour|a|à) |d')?|\/)\s*@?$/u

function roleOf(
  text: string,
  at: number,
  end: number,
): { kind: 'addressed' | 'questioned'; words: string } | undefined {
  const before = text.slice(0, at).replace(/@$/, '')
  const after = text.slice(end)
  const said = (extra: RegExp) => `${text.slice(at, end)}${extra.exec(after)?.[0] ?? ''}`.trim()
  if (isAddressed(before, after)) return { kind: 'addressed', words: said(/^[:,?]/) }
  if (isQuestioned(before, after)) return { kind: 'questioned', words: said(/^'s \p{L}+/u) }
  return undefined
}

function isAddressed(before: string, after: string): boolean {
  if (ownWords.test(after)) return false
  if (opening.test(before)) return /^\s*(?:[:,?]|[-–—] |$|[.!]*$)/.test(after) || callsOn.test(after)
  if (shortAddress.test(before) && /^,\s*(?!(?:and|or|und|oder|et|ou|y|o) )\S/.test(after)) return true
  if (/,\s*$/.test(before) && /^\s*[.?!]*\s*$/.test(after)) return true
  if (/(?:^|[.?!\n]\s*)$/.test(before) && (/^\s*[:,]\s*\S/.test(after) || callsOn.test(after))) return true
  if (turnsTo.test(before)) return true
  if (mayVerb.test(before)) return /^ (?:please )?(?!be |been |have |also be )\p{L}/u.test(after)
  if (asksView.test(before) && viewVerb.test(after)) return true
  if (saysOf.test(before)) return true
  return opinionOf.test(after)
}

/** "and claude?", "hey gpt,", "what about gemini?" */
const opening =
  /^\s*(?:(?:hey|hi|hello|yo|dear|ok|okay|so|and|now|then|thanks|thank you|no|yes|only|just|what about|how about|over to|hallo|moin|danke|und|und was sagt|nur|salut|bonjour|merci|dis|et|seulement|hola|oye|gracias|sólo|solo|solamente|y)[ ,]+)*$/

/** "dis-moi, claude, où est le bug ?": a few words, then the name between commas. */
const shortAddress = /(?:^|[.?!\n]\s*)[\p{L}' -]{1,20},\s*$/u

/** A name that begins a sentence and goes on as a request. */
const callsOn =
  /^,? (?:please|pls|can you|could you|would you|will you|do you|what do you|what would you|how would you|your turn|your (?:view|take|thoughts)|bitte|kannst du|könntest du|was meinst du|was denkst du|wie würdest du|peux-tu|tu peux|pourrais-tu|qu'en penses-tu|puedes|podrías|qué opinas|qué piensas|por favor|s'il te plaît)(?![\p{L}])/u

const turnsTo =
  /(?<!\p{L})(?:ask|let|have|get|hear|i(?:'d| would) (?:like|prefer|rather have)|i want|i need|hear from|like to hear|question for|(?:this|that|it)(?: one| question| task)?(?: is|'s) for|over to|(?:frag|frage|fragt)(?: bitte| mal| doch)*|frage an|(?:das|die|der) \p{L}+ (?:ist|geht) an|lass(?: mal| bitte)?|ich hätte gern|ich möchte, dass|demande(?:z|r)? (?:donc )?à|question pour|c'est pour|pregúntale a|pregunta a|pregunta para|esto es para|deja que) $/u

/** "what do claude and gpt think", "was meinen claude und gemini", "l'avis de claude": the verb or noun stands before the name. */
const saysOf =
  /(?<!\p{L})(?:was (?:meint|sagt|denkt|hält|meinen|sagen|denken|halten)|wie (?:sieht|sehen)(?: das)?|que (?:pensent?|dit|disent)|qu'en (?:pensent?|dit|disent)|qué (?:opinan?|piensan?|dicen?|creen?)|(?<!(?:your|deine|eure|ton|votre|tu|vuestra) )(?:opinions?|views?|takes?|thoughts|input|einschätzung(?:en)?|meinung(?:en)?|avis|opinión|opiniones) (?:of|from|by|von|de)|l'avis d'|the views? of both|both) $/u

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
  if (leftOut.test(before)) return true
  const near = `${lastSentence(before)} ${firstSentence(after)}`
  if (isJudged.test(after)) return /^[^.?!\n]*\?/.test(after) && doubt.test(near)
  if (ownWords.test(after) || spokeBefore.test(before))
    return doubt.test(`${before.slice(-reach)} ${after.slice(0, reach)}`)
  return asksAbout.test(before) && doubt.test(near)
}

const reach = 200

/** "gpt is wrong, right?": only as a question; "gpt is right, do that" asks nothing of the others. */
const isJudged =
  /^ (?:is|was|seems|sounds|looks|might be|may be|must be|could be|got (?:it|that|this)|ist|liegt|irrt|est|se trompe|s'est trompé|a raison|a tort|está|tiene razón|se equivoca|se equivocó)(?!\p{L})/u

/** "anyone but gpt", "somebody other than claude". */
const leftOut =
  /(?<!\p{L})(?:anyone|anybody|someone|somebody|everyone|everybody|one|agent|model)(?: else)? (?:but|except|other than|besides|apart from) $|(?<!\p{L})(?:jemand(?:en)? (?:außer|anderes als)|alle außer|quelqu'un d'autre que|tous sauf|alguien que no sea|todos menos) $/u

const spokeBefore = /(?<!\p{L})(?:what|was|ce que|lo que(?: dijo| dice)?|laut|according to|selon|según|hat|a|ha) $/u

const asksAbout =
  /(?<!\p{L})(?:agree with|disagree with|agrees with|side with|argue against|argue with|convinced by|is|was|are|did|does|has|had|whether|if|sure|sure that|could|might|check|verify|review|challenge|attack|critique|refute|rebut|counter|question|test|trust|believe|double-check|fact-check|poke holes in|wrong with|thinks? of|think about|stimmt ihr|stimmst du|hat|liegt|mit|ob|von|prüft?|prüfe|glaubt ihr|d'accord avec|est-ce que|qu'a|vérifie[rz]?|que|si|de|de acuerdo con|tiene|tiene razón|con|le falta a|se equivoca|se equivocó|tiene razón|irrt sich|täuscht sich|revisa(?:d|r|n)?|a) $/u

const doubt =
  /(?<!\p{L})(?:right|wrong|correct|incorrect|true|false|agree|disagree|check|double-check|fact-check|verify|review|miss|missed|missing|overlook|overlooked|forget|forgot|attack|challenge|devil's advocate|critique|refute|rebut|counter|poke|holes?|holds? (?:up|water)|convinc\p{L}+|trust|believe|buy|sure|really|sane|sound|plausible|realistic|reasonable|makes? sense|mistakes?|flaws?|flawed|objections?|against|too (?:optimistic|pessimistic|simple|lazy)|think (?:of|about)|take on|opinion|recht|unrecht|stimmt|richtig|falsch|übersehen|vergessen|einverstanden|überzeugt|prüf\p{L}*|meinung|zweif\p{L}*|haltet|hältst|glaubt|glaubst|kritisier\p{L}*|raison|tort|vrai|faux|oublié|manqué|raté|d'accord|vérifi\p{L}*|avis|sûrs?|razón|cierto|correcto|verdad|falta|olvid\p{L}*|de acuerdo|revis\p{L}*|opin\p{L}*|seguros?|equivoc\p{L}*|tromp\p{L}*|irrt|täuscht|daneben|mistaken|off|pair of eyes|second (?:opinion|look)|fresh look)(?!\p{L})/u

function lastSentence(text: string): string {
  return /[^.?!\n]*$/.exec(text)![0].slice(-reach)
}

function firstSentence(text: string): string {
  return /^[^.?!\n]*/.exec(text)![0].slice(0, reach)
}
