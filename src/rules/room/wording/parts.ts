/** Reads a message that gives each of several agents its part: "ada, the pros; bob, the cons". SPEC.md § DP9. */
import { clauseOpens } from './addressed.ts'
import { farthest, lets } from './hand-off.ts'
import { type NameAt, namesIn } from './names.ts'
import { thenWord } from './sequence.ts'

export interface Parts {
  named: string[]
  words: string
}

/** Undefined where one is to work after the other. */
export function readParts(text: string, agents: readonly string[]): Parts | undefined {
  const names = namesIn(text, agents)
  if (new Set(names.map(({ agent }) => agent)).size < 2 || compared.test(text)) return undefined
  return bySides(text, names) ?? byObjects(text, names)
}

/** "ada takes the pros and bob the cons", "pros from bob, cons from cyd": both sides are given away, to different agents. */
function bySides(text: string, names: readonly NameAt[]): Parts | undefined {
  const sided = names.flatMap((name, index) => {
    const side = sideOf(text, name, names[index - 1]?.end ?? 0)
    return side === undefined ? [] : [{ ...name, ...side }]
  })
  const [first] = sided
  const last = sided.at(-1)
  if (!first || !last || thenWord.test(text.slice(first.end, last.at))) return undefined
  const isSplit = sided.some((one) => one.isAgainst !== first.isAgainst && one.agent !== first.agent)
  return isSplit ? partsOf(sided) : undefined
}

interface Side {
  isAgainst: boolean
  /** The name with its side. */
  words: string
}

/** `from` is where the name before it ends. */
function sideOf(text: string, { at, end }: NameAt, from: number): Side | undefined {
  const before = text.slice(0, at).replace(/@$/, '')
  const after = text.slice(end)
  const asked = sideFrom.exec(before.slice(from))?.groups
  if (asked && endsPart.test(after) && (asked.of === undefined || !/^[^.!\n]*\?/.test(after)))
    return { isAgainst: asked.against !== undefined, words: asked.words + text.slice(at, end) }
  const taken = opensPart(before) ? takesSide.exec(after) : null
  return taken ? { isAgainst: taken.groups!.against !== undefined, words: text.slice(at, end) + taken[0] } : undefined
}

function opensPart(before: string): boolean {
  return clauseOpens.test(before) || lets.test(before) || besides.test(before)
}

const besides =
  /(?<!\p{L})(?:and|und|et|y|while|but|from|von|par|por|i want|i need|like|can|could|should|would|kann|könnte|soll|sollte|peut|pourrait|puede|podría) $/u

const sides =
  '(?:(?<for>pros?|up ?sides?|advantages?|benefits?|merits|strengths?|(?:the )?(?:case|arguments?|reasons|points) (?:for|in favou?r)|in favou?r|for|vorteile?|argumente (?:dafür|für|pro)|dafür|für|stärken|avantages|arguments pour|pour|points forts|ventajas|argumentos a favor|a favor|puntos fuertes)|(?<against>cons?|down ?sides?|disadvantages?|drawbacks?|risks?|costs?|weaknesses|(?:the )?(?:case|arguments?|reasons|points) against|against|contras?|kontra|nachteile?|argumente (?:dagegen|gegen|contra|kontra)|dagegen|gegen|schwächen|risiken|kosten|inconvénients|désavantages|arguments contre|contre|points faibles|risques|desventajas|inconvenientes|argumentos en contra|en contra|puntos débiles|riesgos))(?!\\p{L})'

const which =
  "(?:(?:the|all|some|any|its|a|main|biggest|best|top|real|strongest|\\d+|one|two|three|die|den|drei|zwei|wichtigsten|größten|les|le|la|principaux|principales|trois|deux|los|las|el|lo|tres|dos) |l')*"

const gives =
  '(?:(?:please|bitte|you|du|should|can|could|will|would|must|to|first|just|only|quickly|briefly|soll|sollte|kann|könnte|mal|kurz|doit|peut|debe|puede) )*(?:(?:takes?|gives?|lists?|names?|does|do|gets?|handles?|covers?|argues?|speaks?|pleads?|makes?|writes?|collects?|gathers?|defends?|presents?|states?|brings?|explains?|summari[sz]es?|starts? with|tells?|on|nenn(?:t|e|en)?|sammel(?:t|n)|sammle|listet|übernimmt|übernimm|nimmt|nimm|macht|mach|gibt|gib|schreib(?:t|e)?|bringt|vertritt|argumentiert|spricht|erklär(?:t|e)?|liefert|bekommt|donnes?|listes?|prends?|cites?|défends?|présentes?|fait|fais|plaides?|argumentes?|expliques?|da|dame|dime|lista|enumera|toma|defiende|presenta|hace|haz|escribe|explica|cubre|argumenta)(?: me| us| mir| uns|-moi|-nous)? )?'

const takesSide = new RegExp(`^\\s?[,:]? ?${gives}${which}${sides}`, 'u')

/** "von" and "de" may also say whose they are, so there they count in no question: "was sind die Vorteile von gpt?" */
const sideFrom = new RegExp(
  `(?:^|[.!?:;,\\n(–—]\\s*|(?<!\\p{L})(?:and|und|et|y|please|bitte|want|need|like|give me|get me|have|get|hear|möchte|will|hätte gern|veux|voudrais|donnez-moi|quiero|dadme) )(?<words>${which}${sides}(?: [^.?!;,:\\n]{1,80}?)? (?:(?:from|by|par|por|(?<of>von|de)) |de la part d'))$`,
  'u',
)

const endsPart =
  /^(?: (?:please|pls|bitte|svp|por favor)| (?:on|about|regarding) [^.?!\n]+)?\s*(?:[.!?:;,)–—]|$| (?:and|und|et|y) )/u

/** "ada lists what she would test, bob what he would leave alone": the second has an object and takes over the verb. */
function byObjects(text: string, names: readonly NameAt[]): Parts | undefined {
  const given: NameAt[] = []
  for (const [index, next] of names.entries()) {
    const name = names[index - 1]
    if (!name || name.agent === next.agent || !isGoneOn(text, name, next)) continue
    if (given.at(-1) === name) given.push(next)
    else if (isTasked(text, name)) given.push(name, next)
  }
  if (given.length === 0) return undefined
  return partsOf(given.map((name) => ({ ...name, words: withNextWord(text, name) })))
}

function isTasked(text: string, { at, end }: NameAt): boolean {
  return clauseOpens.test(text.slice(0, at).replace(/@$/, '')) && task.test(text.slice(end))
}

/** In the same sentence, with an object of its own. */
function isGoneOn(text: string, name: NameAt, next: NameAt): boolean {
  const between = text.slice(name.end, next.at).replace(/@$/, '')
  return (
    between.length <= farthest &&
    andAnother.test(between) &&
    !/[.?!](?=\s|$)|\n/.test(between) &&
    !thenWord.test(between) &&
    object.test(text.slice(next.end))
  )
}

function withNextWord(text: string, { at, end }: NameAt): string {
  return text.slice(at, end) + /^[^\p{L}]*\p{L}*/u.exec(text.slice(end))![0]
}

/** What an agent can be told to do; "says", "wants" and "suggests" report. */
const task =
  /^,?(?: (?:please|bitte|should|can|could|will|would|must|soll|sollte|kann|doit|peut|debe|puede|mal|kurz|just|first))* (?!takes? the (?:view|position|line))(?:lists?|names?|writes?|drafts?|covers?|handles?|takes?|does|do|tests?|checks?|reviews?|explains?|describes?|sketch(?:es)?|outlines?|collects?|picks?|gives?(?: me| us)?|tells? (?:me|us)|shows?(?: me| us)?|estimates?|plans?|designs?|implements?|fix(?:es)?|documents?|investigates?|looks? (?:at|into|for|after)|(?:draws?|sets?|writes?) up|works? out|maps? out|thinks? through|summari[sz]es?|answers?|ranks?|rates?|starts? with|finds?|measures?|benchmarks?|reads?|builds?|prepares?|refactors?|translates?|listet|nennt|schreibt|entwirft|übernimmt|nimmt|macht|testet|prüft|erklärt|beschreibt|skizziert|sammelt|zeigt|schätzt|plant|baut|dokumentiert|untersucht|liest|beantwortet|behandelt|sagt (?:mir|uns)|liste|nomme|écrit|rédige|prend|fait|teste|vérifie|relit|explique|décrit|esquisse|rassemble|donne|estime|conçoit|documente|examine|lit|traite|cite|s'occupe de|lista|enumera|nombra|escribe|redacta|toma|hace|prueba|revisa|verifica|explica|describe|esboza|reúne|da|estima|diseña|documenta|examina|lee|trata|cubre|se encarga de|se ocupa de)(?: auf)?,? \S/u

const andAnother = /(?:[,;]|,? (?:and|und|et|y|while|während|tandis que|mientras(?: que)?)) $/u

/** A thing or an indirect question; "what do you …" asks, and "the better one" compares. */
const object =
  /^,? (?:(?:what|which|how|why|where|when)(?! (?:do|does|did|could|can|are|is|about|if)(?!\p{L}))|whether|everything|(?:the|an?|its|my|our)(?! (?:same|opposite|contrary|reverse)(?!\p{L})| (?:\p{L}+er|(?:more|less) \p{L}+|worse) (?:ones?|answer|point|argument|idea|version|case)(?!\p{L}))|(?:was|wie|warum|wo|wann|welche[rsnm]?)(?! (?:\p{L}+st|ist|sind|soll)(?!\p{L}))|ob|alles|(?:die|der|den|das)(?! (?:ist|war|stimmt|geht|andere|gleiche)(?!\p{L}))|eine?[nmr]?|ce qu[ei]|ce qu'\p{L}+|les?|la|l'\p{L}+|une?|des|lo que|los|las|el|una?|comment|cómo) /u

/** What two agents said is set side by side, to judge it. */
const compared =
  /(?<!\p{L})(?:who(?:'s| is| was) (?:right|wrong)|which (?:one|of|do|is|should)|wer hat recht|welche[rs]? (?:ist|von)|qui a raison|lequel|quién tiene|cuál)(?!\p{L})/u

function partsOf(given: readonly (NameAt & { words: string })[]): Parts {
  return { named: [...new Set(given.map(({ agent }) => agent))], words: given.map(({ words }) => words).join(' … ') }
}
