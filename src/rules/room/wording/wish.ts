/** Reads from a message's wording who should speak, before any proposal. SPEC.md § DP9. */
import { hasContentWords } from '../../text/content-words.ts'
import { asksToAgree } from './agreement.ts'
import { isAboutAnswer, isCourtesy, readNote, withoutPraise } from './courtesy.ts'
import { everyone } from './everyone.ts'
import { readFollowUp } from './follow-up.ts'
import { asksForViews, countIn } from './how-many.ts'
import { mentions } from './mentions.ts'
import { namesIn } from './names.ts'
import { asksOneOf, asksOnlyOne, isDeclined } from './one-answer.ts'
import { asksAnother, asksSomebodyElse } from './other-view.ts'
import { readParts } from './parts.ts'
import { findPhrase } from './phrase.ts'
import { apart, bothSides, exchange, pluralOpinion, pluralView, voices } from './phrases.ts'
import { type NamedRoles, rolesOfNames } from './roles.ts'
import { readSequence } from './sequence.ts'
import { spokenWords } from './spoken-words.ts'
import { asksTheOthers, asksWhoeverDisagrees } from './the-others.ts'
import { asksOutsider, lastAnswerers, youTwo } from './those-who-spoke.ts'

/** `words` are those of the message that decide. */
export type Wish = { words: string } & (
  | { kind: 'several'; named: string[]; except: string[]; parts?: true; count?: number }
  | { kind: 'second'; named: string[]; turnedDown?: string[]; how?: 'sides' | 'exchange' | 'agreement' | 'views' }
  | { kind: 'other'; except: string[]; silent?: true }
  | { kind: 'one'; among: string[] }
  | { kind: 'addressed'; agent: string }
  | { kind: 'continued'; agent: string }
  | { kind: 'noted'; agent: string | undefined }
)

export interface TalkSoFar {
  /** The senders of the earlier lines, oldest first. */
  spoke?: readonly string[]
  /** Those whose words the last answers judged. */
  judged?: readonly string[]
  /** The last line is a turn of a collaboration. */
  collaborated?: boolean
  /** Files or texts come with the message: "this" is then one of them. */
  attached?: boolean
}

/** Undefined where the wording leaves it open: then proposals decide. */
export function readWish(message: string, agents: readonly string[], talk: TalkSoFar = {}): Wish | undefined {
  const { spoke = [] } = talk
  const text = withGenitives(spokenWords(message), agents)
  const mentioned = mentions(message, agents)
  const named = rolesOfNames(text, agents, spoke)
  const roles = mentioned.length > 0 ? byMention(mentioned, named) : named
  const wish = wishIn(message, text, roles, agents, talk)
  return wish && without(wish, roles.turnedDown, agents)
}

function wishIn(
  message: string,
  text: string,
  roles: NamedRoles,
  agents: readonly string[],
  { spoke = [], judged = [], collaborated = false, attached = false }: TalkSoFar,
): Wish | undefined {
  const { addressed, remarked, questioned, turnedDown, dismissed, leftOut, alternatives, words } = roles
  const last = spoke.findLast((sender) => agents.includes(sender))
  const pair = addressed.length === 0 ? youTwo(text, agents, spoke) : undefined
  if (isCourtesy(text, agents)) {
    return addressed.length === 1 ? { kind: 'addressed', agent: addressed[0]!, words } : undefined // RD3
  }
  const note = roles.mentioned || turnedDown.length > 0 ? undefined : readNote(text)
  if (note) return { kind: 'noted', agent: addressed[0] ?? last, words: note }

  const welcome = agents.filter((name) => !turnedDown.includes(name) && !dismissed.includes(name))
  const parts = readParts(text, welcome)
  if (parts) return { kind: 'several', except: [], parts: true, ...parts }
  const sequence = readSequence(text, welcome, last !== undefined)
  if (sequence) return { kind: 'second', ...sequence }
  const agreed = asksToAgree(text, welcome)
  if (agreed)
    return {
      kind: 'second',
      how: 'agreement',
      ...agreed,
      named: agreed.named.length > 0 ? agreed.named : (pair?.named ?? []),
    }
  const only = asksOnlyOne(text)
  if (only) return { kind: 'one', among: addressed, words: only }
  if (alternatives && addressed.length > 1) return { kind: 'one', among: addressed, words }
  const several = (words: string, except: string[]): Wish => ({ kind: 'several', named: addressed, except, words })
  const independently = findPhrase(text, apart)
  const views = addressed.length === 1 ? undefined : asksForViews(text)
  if (independently) {
    const number = findPhrase(text, everyone) === undefined ? views : undefined
    return { ...several(independently, questioned), ...number, words: independently }
  }
  const exchanged = findPhrase(text, exchange)
  if (exchanged) return { kind: 'second', named: pair?.named ?? addressed, how: 'exchange', words: exchanged }
  const sides = addressed.length === 1 ? undefined : findPhrase(text, bothSides)
  if (sides && !isDeclined(text, sides))
    return { kind: 'second', named: pair?.named ?? addressed, how: 'sides', words: sides }
  if (leftOut.length > 0) return { kind: 'several', named: [], except: leftOut, words }
  const group = findPhrase(text, everyone)
  const all = group ?? views?.words ?? findPhrase(text, voices)
  if (all && isDeclined(text, all)) return { kind: 'one', among: addressed, words: all }
  if (all && pair && all.includes(pair.words)) return { kind: 'several', named: pair.named, except: [], words: all }
  if (all) return { ...several(all, questioned), ...(group === undefined ? views : countIn(all, text)) }
  const relief = remarked ? asksSomebodyElse(text) : undefined
  if (relief) return { kind: 'other', except: addressed, words: relief }
  if (addressed.length > 1) return several(words, questioned)
  const called: Wish | undefined =
    addressed[0] === undefined ? undefined : { kind: 'addressed', agent: addressed[0], words }
  if (called && !remarked) return called

  const objecting = asksWhoeverDisagrees(text)
  if (objecting) return several(objecting, whoseProposal(text, objecting, agents) ?? authorsOf(spoke, agents))
  const outsider = asksOutsider(text, agents, spoke)
  if (outsider) return { kind: 'other', ...outsider }
  const rest = asksTheOthers(text)
  if (rest && last !== undefined) {
    const authors = authorsOf(spoke, agents)
    return { kind: 'several', named: [], except: authors.length > 0 ? authors : [last], words: rest }
  }
  if (called) return called
  const opinions = findPhrase(text, pluralOpinion)
  if (opinions) return several(opinions, questioned)
  if (questioned.length > 0) return { kind: 'other', except: questioned, words }
  const viewed = findPhrase(text, pluralView)
  if (viewed) return { kind: 'second', named: [], how: 'views', words: viewed }
  const another = last === undefined ? undefined : asksAnother(text)
  if (last !== undefined && another) return { kind: 'other', except: notTheirs(last, judged, agents), words: another }
  const either = asksOneOf(text)
  if (either) return { kind: 'one', among: [], words: either }
  if (last === undefined) return undefined
  const length = message.trim().split(/\s+/).length
  const pasted = attached || /```|~~~|^\s*>/m.test(message)
  const followed = readFollowUp(text, { length, pasted, collaborated })
  return followed === undefined ? undefined : { kind: 'continued', agent: last, words: followed }
}

/** Whoever looks at the last answer is neither its author nor, where a third is there, the one whose words it judged. */
function notTheirs(last: string, judged: readonly string[], agents: readonly string[]): string[] {
  const except = [...new Set([last, ...judged])]
  return agents.some((name) => !except.includes(name)) ? except : [last]
}

/** Nobody who was turned down answers, whatever else the message asks. */
function without(wish: Wish, turnedDown: readonly string[], agents: readonly string[]): Wish {
  const isWelcome = (name: string) => !turnedDown.includes(name)
  const welcome = agents.filter(isWelcome)
  if (turnedDown.length === 0 || welcome.length === 0) return wish
  switch (wish.kind) {
    case 'several':
    case 'other': {
      const except = [...new Set([...wish.except, ...turnedDown])]
      return { ...wish, except: welcome.every((name) => except.includes(name)) ? [...turnedDown] : except }
    }
    case 'second':
      return { ...wish, named: wish.named.filter(isWelcome), turnedDown: [...turnedDown] }
    case 'one': {
      const among = wish.among.filter(isWelcome)
      return { ...wish, among: among.length > 0 ? among : welcome }
    }
    case 'addressed':
    case 'continued':
    case 'noted':
      return wish // these name nobody who was turned down
  }
}

/**
 * Whom a call for objections leaves out: alone or after a word about the last answer ("Nice answer.", "we go with your list") it is about that
 * answer (undefined), after the person's own proposal it is for all, after "I'd go with gpt's draft" for all but gpt.
 */
function whoseProposal(text: string, call: string, agents: readonly string[]): string[] | undefined {
  const proposal = text.slice(0, text.indexOf(call))
  const named = [...new Set(namesIn(proposal, agents).map(({ agent }) => agent))]
  if (named.length > 0) return named
  return isAboutAnswer(proposal) || !hasContentWords(withoutPraise(proposal)) ? undefined : []
}

/** Those of whose answers a call for objections speaks; none if that would leave out everybody. */
function authorsOf(spoke: readonly string[], agents: readonly string[]): string[] {
  const isWhole = spoke.some((sender) => !agents.includes(sender))
  const authors = isWhole ? lastAnswerers(spoke, agents) : spoke.slice(-1)
  return agents.every((name) => authors.includes(name)) ? [] : authors
}

function byMention(mentioned: string[], { dismissed }: NamedRoles): NamedRoles {
  const words = mentioned.map((name) => `@${name}`).join(' ')
  return {
    addressed: mentioned,
    mentioned: true,
    remarked: false,
    questioned: [],
    turnedDown: [],
    dismissed: dismissed.filter((name) => !mentioned.includes(name)),
    leftOut: [],
    alternatives: false,
    words,
  }
}

/** German genitives have no apostrophe: "claudes Rechnung" becomes "claude's rechnung". */
function withGenitives(text: string, agents: readonly string[]): string {
  return agents.reduce((read, agent) => {
    const genitive = `${agent.toLowerCase()}s `
    return agent.length < 3
      ? read
      : read.replaceAll(
          new RegExp(`(?<!\\p{L})${RegExp.escape(genitive)}(?=\\p{L})`, 'gu'),
          `${agent.toLowerCase()}'s `,
        )
  }, text)
}
