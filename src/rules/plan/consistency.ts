/** Decides what follows from contradictions between the documents of a plan. SPEC.md § RV5. */
import { oneLine } from '../text/one-line.ts'
import { keywords } from '../text/words.ts'
import type { KeyDecision } from './phase-summary.ts'
import { isPersons } from './plan-ids.ts'

/** Two statements about one matter that cannot both hold. */
export interface Contradiction {
  /** What they are about, as a question where possible. */
  matter: string
  first: Statement
  second: Statement
}

export interface Statement {
  /** A file or the id of a decision. */
  where: string
  says: string
}

/** How a contradiction ended: in the documents, by the person's word, or not at all. */
export type ContradictionEnd = 'repaired' | 'decided' | 'open'

/** Leaves out pairs that say the same and pairs listed before. */
export function realContradictions(found: readonly Contradiction[]): Contradiction[] {
  const kept: Contradiction[] = []
  for (const one of found) {
    const isPair = plain(one.first.says) !== '' && plain(one.first.says) !== plain(one.second.says)
    if (isPair && !kept.some((other) => sameContradiction(other, one))) kept.push(one)
  }
  return kept
}

/** RV5: documents are compared a second time only after a repair that replaced a decision: others may rest on it. */
export function needsSecondCheck(repaired: readonly KeyDecision[]): boolean {
  return repaired.some(({ supersedes = [] }) => supersedes.length > 0)
}

/**
 * RV5: what stands after the repair. The second comparison counts, whatever the architect called settled; what the architect
 * left open stands too, even if the second comparison does not name it again.
 */
export function stillStanding(
  unsettled: readonly Contradiction[],
  second: readonly Contradiction[] | null,
): Contradiction[] {
  return realContradictions([...(second ?? []), ...unsettled])
}

/** An answer of the person, and what it was about. */
export interface EarlierAnswer {
  question: string
  about?: string
  answer: string
}

/** What follows for a contradiction that stands. `open` names the earlier answer that does not settle it. */
export type NextForContradiction =
  | { kind: 'ask' }
  | { kind: 'decided'; answer: string; overruled: Statement[] }
  | { kind: 'open'; because: string }

/**
 * RV5: never asks what the person has spoken on. A side that is an answer of theirs (`P3-1`) holds, and so does the side that
 * an earlier answer on the same matter chose. An earlier answer that chooses neither leaves the contradiction open. Two
 * answers of the person that exclude each other are asked about.
 */
export function nextForContradiction(
  { matter, first, second }: Contradiction,
  decided: readonly KeyDecision[],
  said: readonly EarlierAnswer[],
): NextForContradiction {
  const own = [first, second].map(({ where }) => decided.find((one) => isPersons(one) && namesId(where, one.id)))
  const [mine, other] = own.filter((one) => one !== undefined)
  if (mine && other) return { kind: 'ask' }
  if (mine)
    return { kind: 'decided', answer: mine.answer ?? answerIn(mine.decision), overruled: [own[0] ? second : first] }
  const asked = said.findLast(({ question, about = question }) =>
    [question, about].some((one) => sameMatter(one, matter)),
  )
  if (!asked) return { kind: 'ask' }
  const overruled = overruledBy({ matter, first, second }, { answer: asked.answer })
  if (overruled.length > 0) return { kind: 'decided', answer: asked.answer, overruled }
  return { kind: 'open', because: `the person was asked before: ${asked.question} → ${asked.answer}` }
}

/** How many characters of a side are offered as a choice. */
const longestChoice = 120

/** A side as a choice for the person. */
export function choiceOf({ says }: Statement): string {
  return oneLine(says, longestChoice)
}

/** Whether an answer takes a choice: in its words, or with a remark behind them (`yes: but say so`). */
export function isChoice(answer: string, choice: string): boolean {
  const [said, offered] = [plain(answer), plain(choice)]
  return said === offered || (said.startsWith(offered) && /^\s*[:;,.–—-]/.test(said.slice(offered.length)))
}

/** An answer on a contradiction and, if it is one of the options it was put with, what these tell. */
export interface Choice {
  answer: string
  /** `design.md` follows the chosen option already, or not. */
  asDesigned?: boolean | undefined
  /** The documents and decisions that hold the chosen option. */
  heldBy?: readonly string[]
  /** Those that hold the other options. */
  others?: readonly string[]
}

/**
 * RV5: the sides that an answer overrules; none where it cannot be told. Who holds the options decides first (an option that
 * neither side holds overrules both), then whether the design follows the chosen one, then its words.
 */
export function overruledBy(
  { first, second }: Contradiction,
  { answer, asDesigned, heldBy = [], others = [] }: Choice,
): Statement[] {
  const sides = [first, second]
  const otherThan = (one: Statement) => sides.filter((side) => side !== one)
  const held = sides.filter(({ where }) => heldBy.some((one) => samePlace(where, one)))
  const notChosen = sides.filter((side) => !held.includes(side) && others.some((one) => samePlace(side.where, one)))
  if (held.length === 1) return otherThan(held[0]!)
  if (held.length === 0 && notChosen.length > 0) return notChosen
  const documents = sides.filter(({ where }) => fileIn(where) !== undefined)
  // The design follows its own decisions; what another document follows is not known.
  if (asDesigned !== undefined && documents.length === 1 && fileIn(documents[0]!.where) === 'design.md')
    return asDesigned ? otherThan(documents[0]!) : documents
  const chosen = sides.filter((side) => isChoice(answer, choiceOf(side)) || sameStatement(side.says, answer))
  return chosen.length === 1 ? otherThan(chosen[0]!) : []
}

/** Whether two descriptions of a place name the same document or decision: `design.md (Approach)`, `decision D4-2`. */
function samePlace(one: string, other: string): boolean {
  const file = fileIn(one)
  if (file !== undefined && file === fileIn(other)) return true
  const ids = one.match(/[A-Z]\d+[a-z]?(?:\.\d+)?-\d+/gi) ?? []
  return ids.some((id) => namesId(other, id))
}

function fileIn(where: string): string | undefined {
  return /[\w-]+\.md\b/i.exec(where)?.[0].toLowerCase()
}

/** RV5: the decision that a side of a contradiction is. */
export function decisionAt({ where }: Statement, decided: readonly KeyDecision[]): KeyDecision | undefined {
  return decided.find(({ id }) => namesId(where, id))
}

/** What an issue says, for the contradictions that concern it. */
export interface IssueWords {
  /** Title, body, criteria, interface, tests and files. */
  text: string
  /** Ids of its decisions. */
  decisions: readonly string[]
}

/** The share of a matter's keywords that an issue must have. */
const concern = 0.5

/** RV5: the issues that carry an open contradiction, by index: those that name a side or speak of the matter; otherwise all. */
export function issuesConcerned({ matter, first, second }: Contradiction, issues: readonly IssueWords[]): number[] {
  const words = keywords(matter)
  const isConcerned = ({ text, decisions }: IssueWords) => {
    if (decisions.some((id) => [first, second].some(({ where }) => namesId(where, id)))) return true
    const own = keywords(text)
    const shared = [...words].filter((word) => own.has(word)).length
    return shared >= Math.min(2, Math.max(1, words.size)) && shared / words.size >= concern
  }
  const found = issues.flatMap((issue, index) => (isConcerned(issue) ? [index] : []))
  return found.length > 0 ? found : issues.map((_, index) => index)
}

/** The share of the shorter text's keywords that the other must have. */
const overlap = 0.75

/** Whether two questions are about one matter, by their keywords. */
export function sameMatter(one: string, other: string): boolean {
  const [left, right] = [keywords(one), keywords(other)]
  const fewer = Math.min(left.size, right.size)
  if (fewer === 0) return plain(one) === plain(other)
  const shared = [...left].filter((word) => right.has(word)).length
  return shared >= Math.min(2, fewer) && shared / fewer >= overlap
}

/** One matter between the same places, with the same statements: two statements about one matter may exclude different things. */
export function sameContradiction(one: Contradiction, other: Contradiction): boolean {
  const says = ({ first, second }: Contradiction) => [first.says, second.says] as const
  const [[a, b], [c, d]] = [says(one), says(other)]
  const sameWords = (sameStatement(a, c) && sameStatement(b, d)) || (sameStatement(a, d) && sameStatement(b, c))
  return sameMatter(one.matter, other.matter) && samePlaces(one, other) && sameWords
}

/** The same keywords, and the same numbers. */
function sameStatement(one: string, other: string): boolean {
  const numbers = (text: string) => (text.match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(' ')
  return numbers(one) === numbers(other) && sameMatter(one, other)
}

/** The words after the arrow, in plans of an earlier version: `Which rows? → all`. */
function answerIn(decision: string): string {
  return decision.slice(decision.indexOf('→') + 1).trim()
}

function namesId(where: string, id: string): boolean {
  return where
    .toLowerCase()
    .split(/[^a-z0-9.-]+/)
    .includes(id.toLowerCase())
}

function samePlaces(one: Contradiction, other: Contradiction): boolean {
  const places = ({ first, second }: Contradiction) => [first.where, second.where].map(plain).sort().join(' ')
  return places(one) === places(other)
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
