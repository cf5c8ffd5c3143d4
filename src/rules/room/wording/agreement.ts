/** Reads that agents are to agree on something, so that each has to read the other: "can ada and cyd agree on one name?". SPEC.md § DP9. */
import { listOnly, type NameAt, namesIn } from './names.ts'
import { clauseStart, findPhrase, type Phrases, phrase } from './phrase.ts'

export interface Agreement {
  /** Empty where "you" are to agree. */
  named: string[]
  words: string
}

/** In characters: who shall agree is said early. */
const longestRead = 4000

export function asksToAgree(message: string, agents: readonly string[]): Agreement | undefined {
  const text = message.slice(0, longestRead)
  const names = namesIn(text, agents)
  for (let from = 0, to = 0; from < names.length; from = to + 1) {
    to = endOfList(text, names, from)
    const [first, last] = [names[from]!, names[to]!]
    const isYou = first !== last && youAnd.test(text.slice(first.end, last.at))
    const agreed = orderedToAgree(isYou ? 'you ' : text.slice(0, first.at).replace(/@$/, ''), text.slice(last.end))
    if (agreed === undefined) continue
    const listed = names.slice(from, to + 1)
    const partners = names.slice(to + 1).filter(({ at }) => partnerOf.test(text.slice(last.end, at)))
    const named = [...new Set([...listed, ...partners].map(({ agent }) => agent))]
    if (named.length > 1) return { named, words: `${named.join(', ')} … ${agreed}` }
  }
  const words = findPhrase(text, youAgree)
  if (words === undefined) return undefined
  return { named: ofAll.test(words) ? [...new Set(agents)] : [], words }
}

/** The index of cyd in "ada, bob and cyd". */
function endOfList(text: string, names: readonly NameAt[], from: number): number {
  let to = from
  for (; to + 1 < names.length; to++) {
    const between = text.slice(names[to]!.end, names[to + 1]!.at)
    if (!listOnly.test(between) && !youAnd.test(between)) break
  }
  return to
}

/** "ada, can you and cyd agree on one name?" */
const youAnd =
  /^\s?[,:]? ?(?:please )?(?:(?:can|could|would|will|should|must|may) )?(?:you|du|toi|tú) (?:and|und|et|y) @?$/u

/** The words by which those named between `before` and `after` are to agree. "Ada and bob agree on it" is a report, "do they agree?" asks each. */
function orderedToAgree(before: string, after: string): string | undefined {
  const sentence = /^[^.?!\n]{0,160}/.exec(after)![0]
  const words = toAgree.exec(sentence)?.groups?.words
  if (words === undefined || asksAbout.test(before)) return undefined
  return mayAgree.test(before) || isTold.test(sentence) ? words : undefined
}

const asksAbout = /(?<!\p{L})(?:what|where|when|why|how|which \p{L}+) (?:can|could|would|will|should) $/u

/** A verb before the names: "can ada and cyd …", "let ada and cyd …". */
const mayAgree =
  /(?<!\p{L})(?:can|could|should|would|will|must|may|you|let|have|get|ask|want|need|like|please|können|könnten|sollen|sollten|würden|müssen|lass|lasst|bitte|peuvent|pourraient|doivent|devraient|laisse[rz]?|fais|faites|(?:^|[.!?:\n]\s*|veux |voudrais |aimerais |faut |quiero |deja |haz )que|pueden|podrían|deben|deberían)(?: sich| mal| bitte)* $/u

/** What stands after the names: a comma or a verb of its own. */
const isTold =
  /^(?:\s?[:,]| (?:please |both |then |now )*(?:can|could|should|must|may|will|have to|need to|to)| (?:sollen|sollten|müssen|können|mögen|bitte)| (?:peuvent|pourraient|doivent|devraient)| (?:pueden|podrían|deben|deberían|tienen que))(?!\p{L})/u

const english =
  '(?:agree (?:with [^.?!,]{1,30} )?(?:up)?on|(?:work|figure) out [^.?!]{1,60} together|settle on|align on|converge on|decide (?:together|jointly)|come to (?:an? )?(?:\\p{L}+ )?(?:agreement|decision|terms|conclusion)|reach (?:an? )?(?:\\p{L}+ )?(?:agreement|consensus|compromise)|find (?:an? )?(?:agreement|consensus|compromise|common \\p{L}+))'
const german =
  '(?:einigen|verständigen|absprechen|einigt euch|einige dich|verständigt euch|verständige dich|sprecht euch ab|sprich dich)'
const french =
  "(?:(?:se|vous|te) mettre d'accord|se mettent d'accord|(?:mettez-vous|mets-toi) d'accord|s'accordent|s'accorder|accordez-vous|s'entendre|s'entendent|entendez-vous)"
const spanish =
  '(?:(?:ponerse|poneros|ponerte|poneos|ponte|pónganse|se pongan) de acuerdo|acordar|acuerden|acordad|acuerda)'

/** English has its verb next to the names, the others anywhere in the sentence. */
const toAgree = new RegExp(
  `^(?:(?:[:,]? (?:please|can|could|would|will|should|must|may|have|need|you|both|two|then|now|just|first|try|to|and))*[:,]? (?<words>${english})|.*?(?<!\\p{L})(?<words>${german}|${french}|${spanish}))(?!\\p{L})`,
  'u',
)

/** "… agree on a name with cyd". */
const partnerOf = /(?<!\p{L})(?:with|mit|avec|con) @?$/u

const ofAll = /(?<!\p{L})(?:all|three|alle|drei|tous|trois|todos|tres)(?!\p{L})/u

const youAgree: Phrases = {
  en: [
    phrase`(?:can|could|would|will|should|must) you(?: all| both| two| three| guys| folks| please)* ${english}`,
    phrase`${clauseStart}(?:(?:please|now|just|then|ok|okay) )*(?:try to )?${english}`,
  ],
  de: [
    phrase`(?:könnt|könntet|würdet|wollt|sollt|müsst) ihr(?: alle| beiden?| drei| zwei)? euch~(?:einigen|verständigen|absprechen)|einigt euch|verständigt euch|sprecht euch~ab`,
  ],
  fr: [
    phrase`(?:pouvez|pourriez|devez)-vous(?: tous)?~vous (?:mettre d'accord|accorder|entendre)|vous (?:pouvez|pourriez)(?: tous)? vous mettre d'accord|mettez-vous(?: tous)? d'accord`,
  ],
  es: [
    phrase`(?:podéis|podríais|pueden|podrían)(?: todos| ustedes| vosotros)*~(?:poneros|ponerse) (?:todos )?de acuerdo|(?:poneos|pónganse) (?:todos )?de acuerdo`,
  ],
}
