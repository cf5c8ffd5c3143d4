/** Locates the decision in an output: scores every clause by its wording, layout and position. */

import { languageOf } from '../../text/language.ts'
import { words } from '../../text/words.ts'
import { type Clause, clausesOf } from './clause.ts'
import {
  describes,
  isConcession,
  isContrast,
  isHistory,
  isLayingOut,
  isLeadIn,
  isReport,
  namesBackground,
  namesDecision,
  namesRejection,
  opensConclusion,
  wordingCue,
} from './decision-cue.ts'
import { finiteWords } from './english.ts'
import { quantitiesIn, readQuantity } from './quantity.ts'
import { type Sentence, sentencesOf } from './sentence.ts'

export interface WeighedClause extends Clause {
  /** How much it sounds like a decision; may be negative. */
  cue: number
  /** Its weight in the decision: 0 to 1, relative to the clearest clause of the output. */
  weight: number
}

/** A sentence that only lists options and chooses none. */
export type Listing = Clause[]

export interface ReadOutput {
  clauses: WeighedClause[]
  listings: Listing[]
}

export function readOutput(output: string): ReadOutput {
  const read = sentencesOf(output)
  const german = languageOf(read.flatMap(({ text }) => words(text))) === 'de'
  const sentences = read.map((sentence) => clausesOf(sentence, german)).filter((clauses) => clauses.length > 0)
  const listings = new Set(sentences.filter((clauses, index) => isListing(clauses, index === 0)))
  const body = sentences.filter(([clause]) => clause!.sentence.place !== 'row')
  const last = body.at(-1)
  let since = 0
  let heading = ''

  const cued = sentences.map((clauses, index) => {
    const { sentence } = clauses[0]!
    since = sentence.place === 'heading' || sentence.heading !== heading ? 0 : since + 1
    heading = sentence.place === 'heading' ? heading : sentence.heading
    const place: Placement = {
      first: index === 0,
      last: clauses === last,
      nextToLast: index === sentences.length - 2,
      afterQuestion: index > 0 && isQuestion(sentences[index - 1]![0]!.sentence),
      secondHalf: index > 0 && index >= sentences.length / 2,
      underHeading: since,
      listing: listings.has(clauses),
    }
    return cuesOf(clauses, place)
  })
  const clauses = cued.flat()
  const clearest = clauses.reduce((best, { cue }) => Math.max(best, cue), 0)
  return {
    clauses: clauses.map((clause) => ({ ...clause, weight: weightOf(clause.cue, clearest) })),
    listings: [...listings],
  }
}

interface Placement {
  first: boolean
  last: boolean
  nextToLast: boolean
  /** After a question; a yes or no in the midst of a text answers only that. */
  afterQuestion: boolean
  secondHalf: boolean
  /** The number of sentences between it and its heading. */
  underHeading: number
  listing: boolean
}

type CuedClause = Clause & { cue: number }

function cuesOf(clauses: Clause[], place: Placement): CuedClause[] {
  const { sentence } = clauses[0]!
  const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0)
  const short =
    sentence.place === 'text' &&
    (place.last || place.nextToLast) &&
    words <= (clauses[0]!.german && !clauses.some(holdsQuantity) ? 4 : 9) &&
    !isQuestion(sentence) &&
    !describes(clauses[0]!)
  const common = layoutCue(sentence, place) + (place.last ? 0.5 : place.nextToLast ? 0.3 : 0) + (place.first ? 0.3 : 0)
  const cued: CuedClause[] = []
  let best = 0
  let leading = true
  let lent = 0
  clauses.forEach((clause, index) => {
    if (isLeadIn(clause)) {
      if (opensConclusion(clause)) lent = 1
      cued.push({ ...clause, cue: 0 })
      return
    }
    const own = ownCue(clause, { leading: leading || index === 0, best }) + (clause.subordinate ? 0 : lent)
    if (!clause.subordinate) lent = 0
    best = Math.max(best, own)
    leading &&= clause.subordinate || /^(?:so |well )?(?:yes|no)$/.test(clause.text)
    const cue = (clause.subordinate ? Math.min(own, 0) : own) + common + doubts(clause)
    const brief =
      short && !clause.subordinate && cue >= 0 && cue < 2 && doubts(clause) === 0 ? (place.last ? 1 : 0.6) : 0
    const whole = clauses.length === 1 && isQuantity(clause) ? quantityAlone : 0
    cued.push({
      ...clause,
      cue: sentence.place === 'heading' || sentence.place === 'row' ? never : Math.max(cue + brief, whole),
    })
  })
  if (sentence.place === 'heading') return cued
  if (place.afterQuestion && !place.last && /^(?:yes|no)$/.test(cued[0]!.text)) {
    return cued.map((clause, index) => ({ ...clause, cue: Math.min(clause.cue, index === 0 ? 0 : 0.7) }))
  }
  return withFragment(withContrast(withColon(cued, place)), place)
}

const never = -3
/** "Thirty seconds." A sentence that is nothing but a number is the answer. */
const quantityAlone = 2.4

function isQuantity({ words, sentence }: Clause): boolean {
  if (sentence.place !== 'text' || isQuestion(sentence)) return false
  return (
    readQuantity(
      words.map(({ text }) => text),
      0,
    )?.length === words.length
  )
}

/** An instruction can only start a clause outside a description. */
function ownCue(clause: Clause, before: { leading: boolean; best: number }): number {
  const startsAnew =
    clause.afterColon ||
    opensAnew(clause) ||
    clause.sentence.place === 'item' ||
    /^(?:so|then|but|instead) /.test(clause.text)
  const cue = wordingCue(clause, before.leading || startsAnew || before.best >= 2)
  if (before.leading && opensConclusion(clause)) return cue + 1
  if (/^(?:and )?(?:hence|therefore|thus)\b/.test(clause.text)) return cue + 1.8
  return /^so\b/.test(clause.text) ? cue + 0.8 : cue
}

/** "…; put them into a bucket". */
function opensAnew({ anew, text }: Clause): boolean {
  return (
    anew && /^(?:do not|\w+ (?:the|an?|our|your|their|its|it|them|this|that|these|those|every|all|both)) /.test(text)
  )
}

function layoutCue(sentence: Sentence, place: Placement): number {
  const bold = sentence.bold ? 0.5 : 0
  const listing = place.listing ? -3 : 0
  const question = isQuestion(sentence) ? -4 : 0
  return titleCue(sentence, place) + bold + listing + question
}

function isQuestion(sentence: Sentence): boolean {
  return sentence.text.trimEnd().endsWith('?')
}

/** Under "Decision" the first sentence is the decision; the rest is mostly reasons. */
function titleCue({ label, heading, place: kind }: Sentence, place: Placement): number {
  if (namesDecision(label)) return 3
  if (namesRejection(label)) return 1.6
  if (namesBackground(heading)) return -1.5
  if (!namesDecision(heading)) return 0
  if (place.underHeading === 0) return 3
  return kind === 'item' ? 1.2 : 0.5
}

function doubts(clause: Clause): number {
  const isGranted = isConcession(clause) || granted.test(clause.sentence.text)
  return (
    (isHistory(clause) ? -4 : 0) + (isGranted ? -2 : 0) + (isLayingOut(clause) ? -3 : 0) + (isReport(clause) ? -2 : 0)
  )
}

/** "In production, sure." What is granted is not what is decided. */
const granted =
  /, (?:sure|i admit|granted|true|of course|admittedly)[.!]?$|, (?:sure|granted|yes);|\bin (?:principle|theory)\b/i

/** "Taken together: rent it." Only what follows the colon is the decision. */
function withColon(clauses: CuedClause[], place: Placement): CuedClause[] {
  const after = clauses.findIndex((clause) => clause.afterColon)
  if (after <= 0 || isLayingOut(clauses[0]!)) return clauses
  const tail = clauses.slice(after).filter((clause) => clause.afterColon)
  if (tail.reduce((sum, clause) => sum + clause.words.length, 0) > 16) return clauses
  const before = Math.max(...clauses.filter((clause) => !clause.afterColon).map(({ cue }) => cue))
  // "The small plan will do: two seats, one project, email." The list gives reasons.
  if (before >= 2 && tail.length > 2 && tail.every((clause) => clause.words.length <= 3)) return clauses
  const own = clauses[after]!.cue
  if (place.first && namesBefore(clauses, after)) {
    // "Redis: we run it already." The name comes first, its reasons follow.
    return clauses.map((clause, index) => (index === 0 ? { ...clause, cue: Math.max(clause.cue, 2.4) } : clause))
  }
  // "Drop it: it has been out of maintenance for a year." A statement after a decision is its reason.
  if (before >= 2 && own < 1.5 && tail.some((clause) => clause.words.some(({ text }) => finiteWords.has(text))))
    return clauses
  const concludes = tail.some(({ words }) => !words.some(({ text }) => finiteWords.has(text)))
  const announced = clauses.slice(0, after).every((clause) => isLeadIn(clause) || opensConclusion(clause))
  if (own < 1.5 && !announced && !(concludes && (place.last || before >= 1.5))) return clauses
  const cue = Math.max(own, before, 1.5) + 0.8
  return clauses.map((clause, index) => {
    if (index === after) return { ...clause, cue }
    return clause.afterColon ? clause : { ...clause, cue: Math.min(clause.cue, cue - 1.6) }
  })
}

function namesBefore(clauses: readonly CuedClause[], after: number): boolean {
  const [head] = clauses
  if (after !== 1 || head!.words.length > 2 || head!.sentence.place !== 'text') return false
  if (isLeadIn(head!) || opensConclusion(head!) || namesDecision(head!.sentence.label)) return false
  if (!head!.words.some((word) => /\p{Lu}.*\p{Lu}|\d|^\p{Lu}/u.test(word.written))) return false
  const tail = clauses.slice(after)
  return tail.every(({ cue }) => cue < 2) && tail.some(({ words }) => words.some(({ text }) => finiteWords.has(text)))
}

function withContrast(clauses: CuedClause[]): CuedClause[] {
  const best = Math.max(...clauses.filter((clause) => !isContrast(clause)).map(({ cue }) => cue), never)
  if (best < 2) return clauses
  return clauses.map((clause) => (isContrast(clause) ? { ...clause, cue: Math.max(clause.cue, best - 0.5) } : clause))
}

/** A short sentence without a verb, first or late in the text, names what was chosen: "A second replica, kept warm." */
function withFragment(clauses: CuedClause[], place: Placement): CuedClause[] {
  const at = clauses.findIndex((clause) => !isLeadIn(clause))
  const first = clauses[at]
  if (first?.sentence.place !== 'text' || first.cue < 0 || first.cue >= 2) return clauses
  if (!place.secondHalf && !(place.first && !place.listing && namesOnly(first.sentence.text))) return clauses
  const opening = openingWords(first.sentence.text)
  const longest = place.last && clauses.some(holdsQuantity) ? 12 : place.last && !first.german ? 7 : 5
  // The list of finite verbs is English.
  if (first.german && opening.length > 3 && !clauses.some(holdsQuantity)) return clauses
  if (opening.length > longest || opening.some((word) => finiteWords.has(word))) return clauses
  if (opening.length > 4 && opening.slice(1).some((word) => /(?:[^s]s|ed)$/.test(word))) return clauses
  if (clauses.some((clause) => /\bor\b/.test(clause.text))) return clauses
  return clauses.with(at, { ...first, cue: first.cue + 1.4 })
}

/** "Redis.", "A canary.", "Rolling with a health check.": a first sentence that only names something, and says nothing about it. */
function namesOnly(sentence: string): boolean {
  const [opening = ''] = sentence.slice(0, 400).split(/[,;:()—–.!]/, 1)
  if (/^(?:with|on|at|for|by|in|to|from|of|since|after)\b/i.test(opening)) return false
  return (
    opening.trim().split(/\s+/).length <= 2 ||
    /^(?:an?|no|not|one|two)\b|\b(?:with|on|at|for|by|in|to)\b/i.test(opening)
  )
}

/** "A limit of 4 s with one retry." */
function holdsQuantity({ words }: Clause): boolean {
  return quantitiesIn(words.map(({ text }) => text)).length > 0
}

function openingWords(sentence: string): string[] {
  const opening = sentence.slice(0, 400).split(/[,;:()—–]/, 1)[0]!
  return opening.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function isListing(clauses: Clause[], opening: boolean): boolean {
  if (/^(?:options?|candidates?|alternatives?|choices)/i.test(clauses[0]!.sentence.label)) return true
  if (clauses.length < 3 || clauses.some((clause) => /\b(?:i|we|my)\b/.test(clause.text))) return false
  if (!clauses.every((clause) => clause.words.length <= 5 || clause.text.startsWith('or '))) return false
  if (clauses.some((clause) => clause.words.some(({ text }) => /^(?:is|are|would|has|have|does)$/.test(text))))
    return false
  return opening || clauses.some((clause) => /\bor\b/.test(clause.text))
}

function weightOf(cue: number, clearest: number): number {
  const behind = clearest - cue
  if (cue < 0.8 || behind > 2.5) return 0
  if (behind <= 0.8) return 1
  return behind <= 1.5 ? 0.5 : 0.2
}
