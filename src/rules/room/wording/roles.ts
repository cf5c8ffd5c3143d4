/** What a message wants from each agent it names: to speak, or to have its words reviewed by another. SPEC.md § DP9. */
import { clauseOpens, isAddressed, isThanked, isTold } from './addressed.ts'
import { type NameAt, namesIn } from './names.ts'
import { isAskedAbout, isQuestioned, ownWords } from './questioned.ts'

export interface NamedRoles {
  /** Asked to speak, in message order. */
  addressed: string[]
  /** Their words are in question. */
  questioned: string[]
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
  const found = names.flatMap((group) => {
    const role = parts.includes(group)
      ? ({ kind: 'addressed', words: saidOf(text, group) } as const)
      : roleOf(text, group, spoke)
    return role === undefined ? [] : [{ ...role, agents: group.map(({ agent }) => agent) }]
  })
  const called = (kind: Role) => [...new Set(found.filter((one) => one.kind === kind).flatMap((one) => one.agents))]
  const leftOut = called('leftOut')
  const strong = called('addressed').filter((name) => !leftOut.includes(name))
  const addressed = strong.length > 0 ? strong : called('told')
  const questioned = called('questioned').filter((name) => !addressed.includes(name))
  const decisive = found.find(({ kind }) => kind === (strong.length > 0 ? 'addressed' : kind))
  const alternatives = /(?<!\p{L})(?:or|oder|ou|o)(?!\p{L})/u.test(decisive?.words ?? '')
  return { addressed, questioned, leftOut, alternatives, words: decisive?.words ?? '' }
}

type Role = 'addressed' | 'questioned' | 'told' | 'leftOut'

/** Names that are listed together, "gpt and claude", share a role; in "gemini, gpt says …" the second begins a report. */
function listed(text: string, names: readonly NameAt[]): NameAt[][] {
  const groups: NameAt[][] = []
  for (const name of names) {
    const previous = groups.at(-1)?.at(-1)
    const joined =
      previous &&
      between.test(text.slice(previous.end, name.at)) &&
      !(text[previous.end] === ',' && (ownWords.test(text.slice(name.end)) || doesIt.test(text.slice(name.end))))
    if (joined) groups.at(-1)!.push(name)
    else groups.push([name])
  }
  return groups
}

/** "start with gemini, gpt adds …": a verb of its own, so no list. */
const doesIt = /^ (?!is |was |has |does |this |us |yes |thanks |plus |as )\p{L}{2,}s /u

/** "gpt and claude", "gpt's and claude's take", "de claude et de gpt". */
const between =
  /^(?:'s)?(?:,| ?[&+] ?|,? (?:and|und|et|y|e|or|oder|ou|o|plus|sowie|as well as)(?: also| auch| aussi| también)? (?:(?:from|by|for|von|für|de|par|pour|a|à) |d')?|\/)\s*@?$/u

/** "claude for security, gpt for speed": each group of names begins a clause and gets its part. */
function shareOutWork(text: string, groups: readonly NameAt[][]): NameAt[][] {
  const parts = groups.filter(
    (group) => clauseOpens.test(text.slice(0, group[0]!.at)) && takesPart.test(text.slice(group.at(-1)!.end)),
  )
  return parts.length > 1 ? parts : []
}

const takesPart =
  /^(?: (?:for|on|does|do|takes?|handles?|covers?|für|über|macht|nimmt|übernimmt|pour|sur|prend|fait|para|sobre|hace|toma) |\s?:\s*\S)/u

function roleOf(
  text: string,
  group: readonly NameAt[],
  spoke: readonly string[],
): { kind: Role; words: string } | undefined {
  const before = text.slice(0, group[0]!.at).replace(/@$/, '')
  const after = text.slice(group.at(-1)!.end)
  const words = saidOf(text, group)
  if (leaveOut.test(before)) return { kind: 'leftOut', words }
  if (noneBut.test(before)) return { kind: 'addressed', words }
  if (isThanked(before, after)) return { kind: 'told', words }
  if (isAddressed(before, after)) return { kind: 'addressed', words }
  if (isTold(before, after)) return { kind: 'told', words }
  const hasSpoken = group.every(({ agent }) => spoke.includes(agent))
  if (isQuestioned(before, after) || (hasSpoken && isAskedAbout(before, after)))
    return { kind: 'questioned', words: `${words}${/^'s \p{L}+/u.exec(after)?.[0] ?? ''}` }
  return undefined
}

function saidOf(text: string, group: readonly NameAt[]): string {
  const after = text.slice(group.at(-1)!.end)
  return `${text.slice(group[0]!.at, group.at(-1)!.end)}${/^[:,?]/.exec(after)?.[0] ?? ''}`.trim()
}

/** "nobody but gpt". */
const noneBut =
  /(?<!\p{L})(?:(?:nobody|no one|none of you)(?: else)? (?:but|except|other than)|niemand (?:außer|als)|personne (?:sauf|d'autre que)|nadie (?:más )?(?:que|excepto|salvo)) $/u

/** "everyone except gpt", "alle außer claude". */
const leaveOut =
  /(?<!\p{L})(?:(?:everyone|everybody|all(?: of you)?)(?: else)? (?:but|except(?: for)?|other than|besides|apart from)|alle außer|tous sauf|tout le monde sauf|tod[oa]s (?:menos|excepto|salvo)) $/u
