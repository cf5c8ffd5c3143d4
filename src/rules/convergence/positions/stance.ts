/** What one agent chooses and rejects, read from the clauses that carry its decision. */

import { type ChosenQuantity, chosenQuantities } from './chosen-quantity.ts'
import { isAccord, isDissent, isLeadIn, isTurning, isYielding, namesRejection } from './decision-cue.ts'
import { finiteWords, isContentWord } from './english.ts'
import { isDenial, isPutOff, leaningsIn, type Mention, mentionsIn } from './option-polarity.ts'
import { type Quantity, quantitiesIn } from './quantity.ts'
import type { WeighedClause } from './read-output.ts'
import { verdictIn } from './verdict.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Stance {
  /** Chosen terms, with their strength. */
  pro: Map<string, number>
  con: Map<string, number>
  /** Every term that occurs, chosen or not. */
  mentioned: Set<string>
  /** Says that it wants what the others want: "I side with A". */
  accord: boolean
  /** Says that it takes the other side: "I lean the other way". */
  dissent: boolean
  /** The chosen numbers. */
  quantities: ChosenQuantity[]
  /** The numbers of list items, by the words around them: "- 600 requests a minute". */
  lines: Map<string, Quantity[]>
}

/** `decided`: the terms that any agent chooses; disapproval elsewhere in the text counts for these only. */
export function stanceOf(read: readonly WeighedClause[], vocabulary: Vocabulary, decided: ReadonlySet<string>): Stance {
  const stance: Stance = {
    pro: new Map(),
    con: new Map(),
    mentioned: new Set(),
    accord: false,
    dissent: false,
    quantities: [],
    lines: new Map(),
  }
  addVerdict(stance, read)
  for (const clause of followReferences(read, vocabulary)) {
    const { weight, reversed } = clause
    const mentions = mentionsIn(clause, vocabulary, reversed)
    for (const { term } of mentions) stance.mentioned.add(term)
    addLine(stance, clause)
    if (!clause.subordinate && isDissent(clause)) stance.dissent = true
    if (isYielding(clause)) stance.accord = true
    else if (stance.accord && isTurning(clause)) stance.accord = false
    if (weight === 0) {
      addDisapproval(stance, clause, mentions, vocabulary, decided)
      continue
    }
    addMentions(stance, mentions, weight)
    if (!clause.subordinate && isAccord(clause)) stance.accord = true
    if (weight >= 0.5) {
      for (const { name, sign } of leaningsIn(clause, reversed))
        add(stance, `@${name}`, sign, weight * strengths.leaning)
      addTopic(stance, clause, mentions, vocabulary)
      if (isPutOff(clause) || notNow.test(clause.text)) add(stance, '@keep', 1, strengths.leaning)
    }
    if (weight >= 0.8 && !reversed) stance.quantities.push(...chosenQuantities(textsOf(clause)))
  }
  settle(stance)
  return stance
}

const strengths = {
  name: 1.5,
  furtherObject: 0.5,
  leaning: 0.6,
  topic: 0.4,
  purpose: 0.5,
  disapproval: 0.3,
  verdict: 0.8,
}

function addMentions(stance: Stance, mentions: readonly Mention[], weight: number): void {
  let denied = 0
  for (const { term, sign, name, purpose } of mentions) {
    // "Would not rename the field" denies the renaming, and the field only with it.
    const further = sign < 0 && denied > 0 ? strengths.furtherObject : 1
    if (sign < 0) denied += 1
    add(stance, term, sign, weight * further * (purpose ? strengths.purpose : 1) * (name ? strengths.name : 1))
  }
}

/** The last verdict counts: who approves in the end has been convinced. */
function addVerdict(stance: Stance, read: readonly WeighedClause[]): void {
  const sentences = new Set(read.filter(({ sentence }) => sentence.place !== 'heading').map(({ sentence }) => sentence))
  const verdict = [...sentences].map(({ text }) => verdictIn(text)).findLast((found) => found !== undefined)
  if (verdict !== undefined) add(stance, '@verdict', verdict, strengths.verdict)
}

function addLine(stance: Stance, clause: WeighedClause): void {
  if (clause.sentence.place !== 'item') return
  const words = textsOf(clause)
  const quantities = quantitiesIn(words)
  const around = words.filter((word) => isContentWord(word)).join(' ')
  if (quantities.length > 0 && around !== '') stance.lines.set(around, quantities)
}

function addDisapproval(
  stance: Stance,
  clause: WeighedClause,
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
  decided: ReadonlySet<string>,
): void {
  const disapproving = disapproval.test(clause.text) && !/\b(?:might|may|could|perhaps)\b/.test(clause.text)
  for (const { term, sign } of mentions) {
    const rejected = sign < 0 && vocabulary.isOption(term)
    if (rejected || (disapproving && decided.has(term))) add(stance, term, -1, strengths.disapproval)
  }
}

const disapproval =
  /\b(?:need no|not need|no need|not worth|never needs?|overkill|premature|out of the question|(?:is|are) out|rules? out|off the table|can ?not|too (?:slow|heavy|long|short|early|late|much|expensive)|would be a|mistake|not enough|not belong|hurts?|pointless|useless|fails?|breaks?|leaks?)\b/

/** "I lean towards doing it": if the decision names nothing, "it" is the common topic. */
function addTopic(stance: Stance, clause: WeighedClause, mentions: readonly Mention[], vocabulary: Vocabulary): void {
  if (doesIt.test(clause.text)) add(stance, '@yes', isDenial(clause) ? -1 : 1, strengths.leaning)
  if (plainAnswer.test(clause.text)) {
    const sign = /^(?:a \w+ )?yes/.test(clause.text) ? 1 : -1
    add(stance, '@yes', sign, strengths.leaning)
    for (const term of vocabulary.topics) add(stance, term, sign, strengths.topic)
    return
  }
  const words = textsOf(clause)
  const sign = isDenial(clause) ? -1 : 1
  const addTopics = () => {
    for (const term of vocabulary.topics) add(stance, term, sign, strengths.topic)
  }
  if (sign > 0 && subjectIsPronoun.test(clause.text)) addTopics()
  const object = words.findIndex((_, at) => isObject(words, at))
  const isPlain = mentions.length === 1 || /^(?:in|on|by|this|next|until|before|after)$/.test(words[object + 1] ?? '')
  if (object >= 0 && isPlain && mentions[0]?.at === object - 1) {
    const leanings = leaningsIn(clause)
    if (leanings.length === 0) add(stance, '@yes', sign, strengths.leaning)
    // "Buy it" and "build it" are both for it, and differ.
    if (leanings.every(({ name }) => name === 'keep')) addTopics()
    return
  }
  const pronoun = words.findLastIndex((word) => word === 'it' || word === 'them')
  if (mentions.length > 0 || pronoun <= 0 || pronoun < words.length - 3 || quantitiesIn(words).length > 0) return
  add(stance, '@yes', sign, strengths.leaning)
  addTopics()
}

const subjectIsPronoun = /^(?:so |and |but |then )?(?:it|this|that) (?:should|must|has to|needs to) /

/** "Launch it", "I would close it in May", "I lean towards introducing them". */
function isObject(words: readonly string[], at: number): boolean {
  if (at === 0 || !/^(?:it|them)$/.test(words[at]!)) return false
  return at === 1 || /^(?:would|should|to|towards|for|of|will|and|then|us|please|not|rather)$/.test(words[at - 2]!)
}

/** Nothing but yes or no: it is about the common topic. */
const plainAnswer = /^(?:(?:a \w+ )?(?:yes|no)|not (?:now|yet|this (?:time|year|quarter|sprint)))$/

const notNow = /\bhold(?:ing)? off\b|\bnot (?:now|yet|(?:this|for the) \w+)$/

/** Says yes or no to what was asked: "never mind the cost, do it", "we must not". */
const doesIt = /\bdo(?:ing)? (?:it|so|that)\b|\b(?:should|would|must) not(?: yet)?$/

type FollowedClause = WeighedClause & { reversed: boolean }

/** "I'd go with that", "Redis, then": a decision that names nothing passes its weight to the clause that does. */
function followReferences(read: readonly WeighedClause[], vocabulary: Vocabulary): FollowedClause[] {
  const followed: FollowedClause[] = read.map((clause) => {
    return { ...clause, reversed: namesRejection(clause.sentence.label) }
  })
  const saysSomething = followed.map(
    (clause) =>
      !pointsBack.test(clause.text) &&
      (mentionsIn(clause, vocabulary).length > 0 || quantitiesIn(textsOf(clause)).length > 0),
  )
  followed.forEach((clause, index) => {
    if (clause.weight < 0.3 || clause.cue < 1.9 || saysSomething[index]) return
    if (followed[index + 1]?.sentence === clause.sentence && followed[index + 1]!.afterColon) return
    const ahead = predicateAfter(followed, index, saysSomething)
    if (ahead) {
      ahead.weight = Math.max(ahead.weight, clause.weight)
      ahead.reversed ||= isDenial(clause)
    } else passBack(followed, index, saysSomething)
  })
  return followed
}

/** "That is what I would configure." */
const pointsBack =
  /^(?:and |so |but )?(?:that|this|it) (?:is|would be) (?:what|how|where|(?:the|a|my|our)(?: \w+){1,3}) (?:i|we) (?:would|will)(?: \w+){0,3}$/

/** How many clauses back a reference is followed, to bound the time on "yes, yes, yes …". */
const reach = 24

/** "My choice, if anybody asks, is the second draft.", "I would take both out, flag and checkout." */
function predicateAfter(clauses: FollowedClause[], from: number, saysSomething: boolean[]): FollowedClause | undefined {
  for (
    let index = from + 1;
    index <= from + reach && clauses[index]?.sentence === clauses[from]!.sentence;
    index += 1
  ) {
    const clause = clauses[index]!
    if (clause.subordinate || !saysSomething[index]) continue
    if (/^(?:is|are|would|remains|stays|goes) /.test(clause.text)) return clause
    if (
      !clause.words.some(({ text }) => finiteWords.has(text)) &&
      clause.words.length <= 6 &&
      !isLeadIn(clause) &&
      !/^(?:for|with|in|at|by|as|on|to|from) /.test(clause.text)
    )
      return clause
  }
  return undefined
}

/** To the last main clauses before it: two in its own sentence, or the nearest of the sentence before. */
function passBack(clauses: FollowedClause[], from: number, saysSomething: boolean[]): void {
  const clause = clauses[from]!
  let share = 0.8
  for (let index = from - 1; index >= Math.max(0, from - reach) && share > 0; index -= 1) {
    const earlier = clauses[index]!
    if (share < 0.8 && earlier.sentence !== clause.sentence) return
    if (earlier.sentence.place === 'heading' || earlier.subordinate || !saysSomething[index]) continue
    // "It comes first": what the sentence before begins with.
    if (
      subjectOnly.test(clause.text) &&
      clauses[index - 1]?.sentence === earlier.sentence &&
      !clauses[index - 1]!.subordinate &&
      saysSomething[index - 1]
    )
      continue
    if (isDenial(clause) && earlier.weight < clause.weight * 0.8) earlier.reversed = true
    earlier.weight = Math.max(earlier.weight, clause.weight * share)
    if (earlier.sentence !== clause.sentence) return
    share = share === 0.8 ? 0.5 : 0
  }
}

const subjectOnly = /^(?:it|this|that) (?:is|comes|wins|gets|has|would|remains)\b/

function textsOf(clause: WeighedClause): string[] {
  return clause.words.map((word) => word.text)
}

function add(stance: Stance, term: string, sign: 1 | -1, strength: number): void {
  const side = sign > 0 ? stance.pro : stance.con
  side.set(term, Math.max(side.get(term) ?? 0, strength))
}

/** A term is either chosen or rejected: the stronger statement counts. */
function settle({ pro, con }: Stance): void {
  for (const [term, strength] of pro) {
    const against = con.get(term)
    if (against === undefined) continue
    if (against >= strength) pro.delete(term)
    else con.delete(term)
  }
}
