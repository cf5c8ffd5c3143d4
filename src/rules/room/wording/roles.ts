/** What a message wants from each agent it names: to speak, or to have its words reviewed by another. SPEC.md § DP9. */
import { clauseOpens, corrects, isAddressed, isQuiet, isThanked, isTold } from './addressed.ts'
import { isAlsoTold } from './hand-off.ts'
import { type NameAt, namesIn, withYou } from './names.ts'
import { contradicts, isAskedAbout, isQuestioned, ownWords } from './questioned.ts'
import { everyoneBut, isDismissed, turnsDown } from './turned-down.ts'

export interface NamedRoles {
  /** Asked to speak, in message order. */
  addressed: string[]
  /** They are called by `@name`. */
  mentioned?: true
  /** Nobody is called: those addressed are only thanked or told something. */
  remarked: boolean
  /** Their words are in question. */
  questioned: string[]
  /** Anyone but them may answer; they are among `questioned` too. */
  turnedDown: string[]
  /** What was asked of them is withdrawn, and others are called. */
  dismissed: string[]
  /** Everyone but them is asked. */
  leftOut: string[]
  /** Those addressed are listed with "or": one of them is enough. */
  alternatives: boolean
  /** The words that say so. */
  words: string
}

/** A name may stand in several places: a call outranks a question about its words, and thanks or remarks count only where nobody is called. */
export function rolesOfNames(text: string, agents: readonly string[], spoke: readonly string[] = []): NamedRoles {
  const names = listed(text, namesIn(text, agents))
  const parts = shareOutWork(text, names)
  let found: (Place & { agents: string[] })[] = []
  for (const [index, group] of names.entries()) {
    const place: Place | undefined = parts.includes(group)
      ? { kind: 'addressed', words: saidOf(text, group) }
      : (roleOf(text, group, spoke) ?? partnerOf(text, names[index - 1], group, found.at(-1)))
    if (!place) continue
    if (place.isCorrected) found = found.filter(({ kind }) => kind !== 'addressed')
    found.push({ ...place, agents: group.map(({ agent }) => agent) })
  }
  const called = (kind: Role) => [...new Set(found.filter((one) => one.kind === kind).flatMap((one) => one.agents))]
  const leftOut = called('leftOut')
  const turnedDown = called('turnedDown')
  const mayAnswer = (name: string) => !leftOut.includes(name) && !turnedDown.includes(name)
  const strong = called('addressed').filter(mayAnswer)
  const addressed = strong.length > 0 ? strong : [...called('told'), ...called('dismissed')].filter(mayAnswer)
  const dismissed = called('dismissed').filter((name) => !addressed.includes(name))
  const questioned = [...new Set([...called('questioned'), ...turnedDown])].filter((name) => !addressed.includes(name))
  const decisive = found.filter(({ kind }) => kind === (strong.length > 0 ? 'addressed' : kind))
  const alternatives = /(?<!\p{L})(?:or|oder|ou|o)(?!\p{L})/u.test(decisive[0]?.words ?? '')
  const words = (strong.length > 1 ? decisive : decisive.slice(0, 1)).map((one) => one.words).join(' … ')
  const remarked = strong.length === 0 && addressed.length > 0
  return { addressed, remarked, questioned, turnedDown, dismissed, leftOut, alternatives, words }
}

type Role = 'addressed' | 'questioned' | 'told' | 'dismissed' | 'turnedDown' | 'leftOut'

interface Place {
  kind: Role
  words: string
  /** The sender says that an earlier message went to it: names before it are no call ("sorry gpt, I meant claude"). */
  isCorrected?: true
}

/** Names that are listed together, "gpt and claude", share a role; in "gemini, gpt says …" the second begins a report. */
function listed(text: string, names: readonly NameAt[]): NameAt[][] {
  const groups: NameAt[][] = []
  for (const name of names) {
    const previous = groups.at(-1)?.at(-1)
    const joined =
      previous &&
      !isDismissed(text.slice(0, previous.at), text.slice(previous.end)) &&
      between.test(text.slice(previous.end, name.at)) &&
      !(text[previous.end] === ',' && (ownWords.test(text.slice(name.end)) || doesIt.test(text.slice(name.end))))
    if (joined) groups.at(-1)!.push(name)
    else groups.push([name])
  }
  return groups
}

/** "start with gemini, gpt adds …": a verb of its own, so no list. */
const doesIt = /^ (?!is |was |has |does |this |us |yes |thanks |plus |as )\p{L}{2,}s /u

/** "gpt and claude", "gpt's and claude's take", "de claude et de gpt", "gpt and you, claude". */
const between =
  /^(?:'s)?(?:,| (?:and|und|et|y) (?:you|du|toi|tú|usted),| ?[&+] ?|,? (?:and|und|et|y|e|or|oder|ou|o|plus|sowie|as well as)(?: also| auch| aussi| también)? (?:(?:from|by|for|von|für|de|par|pour|a|à) |d')?|\/)\s*@?$/u

/** "claude for security, gpt for speed": each group of names begins a clause and gets its part. */
function shareOutWork(text: string, groups: readonly NameAt[][]): NameAt[][] {
  const parts = groups.filter((group) => {
    const [before, after] = [text.slice(0, group[0]!.at), text.slice(group.at(-1)!.end)]
    return clauseOpens.test(before) && takesPart.test(after) && !isDismissed(before, after)
  })
  return parts.length > 1 ? parts : []
}

const takesPart =
  /^(?: (?:for|on|does|do|takes?|handles?|covers?|für|über|macht|nimmt|übernimmt|pour|sur|prend|fait|para|sobre|hace|toma) |\s?:\s*\S)/u

function roleOf(text: string, group: readonly NameAt[], spoke: readonly string[]): Place | undefined {
  const before = text
    .slice(0, group[0]!.at)
    .replace(/@$/, '')
    .replace(group.length > 1 ? youAnd : '', '')
  const after = text.slice(group.at(-1)!.end)
  const words = saidOf(text, group)
  if (noneBut.test(before)) return { kind: 'addressed', words }
  const refusal = turnsDown(before, after)
  if (refusal) return { kind: 'turnedDown', words: refusal.replace(/,? $/, '') }
  if (everyoneBut.test(before)) return { kind: 'leftOut', words }
  if (isThanked(before, after)) return { kind: 'told', words }
  if (isDismissed(before, after)) return { kind: 'dismissed', words }
  const corrected = corrects(before, after)
  if (corrected) return { kind: 'addressed', words: around(text, group, corrected), isCorrected: true }
  if (isAddressed(before, after)) return { kind: 'addressed', words }
  if (isTold(before, after)) return { kind: 'told', words }
  const quiet = isQuiet(before, after)
  if (quiet) return { kind: 'told', words: around(text, group, { before: '', after: quiet }) }
  const contradicted = contradicts(before, after)
  if (contradicted) return { kind: 'told', words: around(text, group, contradicted) }
  const hasSpoken = group.every(({ agent }) => spoke.includes(agent))
  if (isQuestioned(before, after) || (hasSpoken && isAskedAbout(before, after)))
    return { kind: 'questioned', words: `${words}${/^'s \p{L}+/u.exec(after)?.[0] ?? ''}` }
  return undefined
}

/** "gpt, you and claude should each …", "have gpt write it and claude the tests": claude is asked with gpt. "You and claude said …" is a report. */
function partnerOf(
  text: string,
  previous: readonly NameAt[] | undefined,
  group: readonly NameAt[],
  place: Place | undefined,
): Place | undefined {
  if (!previous || place?.kind !== 'addressed') return undefined
  const between = text.slice(previous.at(-1)!.end, group[0]!.at)
  if (!withYou.test(between) && !isAlsoTold(text.slice(0, previous[0]!.at), between)) return undefined
  const after = text.slice(group.at(-1)!.end)
  return ownWords.test(after) || already.test(after) || doesIt.test(after)
    ? undefined
    : { kind: 'addressed', words: saidOf(text, group) }
}

/** "You and gpt, claude: …" */
const youAnd = /(?<!\p{L})(?:you|du|toi|tú) (?:and|und|et|y) $/u

/** What two agents are or did, not what they are asked for. */
const already =
  /^ (?:both |each |all |already |just )*(?:say|agree|agreed|disagree|disagreed|differ|differed|are(?! to)|were|have(?! to)|had|got|gave|seid|habt|wart|avez|êtes|aviez|habéis|estáis|sois|han|están)(?!\p{L})/u

/** The names with the words that decide, on both sides of them. */
function around(text: string, group: readonly NameAt[], words: { before: string; after: string }): string {
  return `${words.before}${text.slice(group[0]!.at, group.at(-1)!.end)}${words.after}`.trim()
}

function saidOf(text: string, group: readonly NameAt[]): string {
  const after = text.slice(group.at(-1)!.end)
  return `${text.slice(group[0]!.at, group.at(-1)!.end)}${/^[:,?]/.exec(after)?.[0] ?? ''}`.trim()
}

/** "nobody but gpt". */
const noneBut =
  /(?<!\p{L})(?:(?:nobody|no (?:other )?(?:one|agent|model)|none of you)(?: else)? (?:but|except|other than)|(?:niemand|keine[rn]?) (?:außer|als)|personne (?:sauf|d'autre que)|nadie (?:más )?(?:que|excepto|salvo)) $/u
