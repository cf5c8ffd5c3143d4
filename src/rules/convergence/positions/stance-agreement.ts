/** Compares what agents choose and reject: 1 if all decide alike, 0 if one opposes the rest, 0.5 if nothing is known. */

import { compareQuantities } from './chosen-quantity.ts'
import { sameQuantity } from './quantity.ts'
import { readOutput } from './read-output.ts'
import { type Stance, stanceOf } from './stance.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** For at least two outputs. The agent that fits least with the others decides the score. */
export function proseAgreement(outputs: readonly string[]): number {
  const read = outputs.map(readOutput)
  const vocabulary = vocabularyOf(read)
  const first = read.map(({ clauses }) => stanceOf(clauses, vocabulary, new Set()))
  const decided = new Set(
    first.flatMap(({ pro }) => [...pro].filter(([, strength]) => strength >= 0.5).map(([term]) => term)),
  )
  const stances = read.map(({ clauses }) => stanceOf(clauses, vocabulary, decided))

  const sums = stances.map(() => 0)
  stances.forEach((one, index) => {
    for (let other = index + 1; other < stances.length; other += 1) {
      const agreement = stanceAgreement(one, stances[other]!, vocabulary)
      sums[index]! += agreement
      sums[other]! += agreement
    }
  })
  const least = sums.reduce((low, sum) => Math.min(low, sum / (stances.length - 1)), 1)
  return (least + 1) / 2
}

const weights = {
  /** The extra weight of a term that was named as an option. */
  option: 2,
  /** One chooses what the other rejects. */
  clash: 2,
  /** Each mentions the other's choice without choosing it. */
  crossing: 1.5,
  /** Only one does so. More if the thing left out is a name or an option. */
  oneSided: 0.1,
  oneSidedName: 0.5,
  sameNumber: 2,
  otherNumber: 3,
  /** One says that it wants what the others want. */
  accord: 1,
  /** One says that it takes the other side. */
  dissent: 3,
  /** Each names a choice of its own, and there is little else in which they differ: "use X" against "use Y". */
  rival: 1.5,
  /** How much crossed choices reduce shared terms, which then only frame the question. */
  frame: 0.5,
  /** Doubt: with little evidence the result stays near the middle. */
  doubt: 1,
  unmatched: 0.15,
}

/** −1 to 1: opposed, unknown, alike. */
export function stanceAgreement(one: Stance, other: Stance, vocabulary: Vocabulary): number {
  const numbers = compareLines(one, other) || compareQuantities(one.quantities, other.quantities)
  if (numbers === 0 && (isSilent(one) || isSilent(other))) {
    // Who gives in, or takes the other side, need not say what it wants.
    if (one.dissent !== other.dissent) return -weights.dissent / (weights.dissent + weights.doubt)
    return one.accord || other.accord ? weights.accord / (weights.accord + weights.doubt) : 0
  }
  const [mine, theirs] = [compareSides(one, other, vocabulary), compareSides(other, one, vocabulary)]
  // Who only rejects something leaves open what to take instead.
  if (!namesChoice(other)) Object.assign(mine, { leftOut: 0, leftOutNames: 0 })
  if (!namesChoice(one)) Object.assign(theirs, { leftOut: 0, leftOutNames: 0 })
  const crossed = Math.min(mine.leftOut, theirs.leftOut)
  const crossing =
    crossed +
    weights.oneSided * Math.abs(mine.leftOut - theirs.leftOut) +
    weights.oneSidedName * Math.max(0, Math.max(mine.leftOutNames, theirs.leftOutNames) - crossed)

  const rivals = areRivals(mine, theirs) ? Math.min(mine.ownNames, theirs.ownNames) : 0
  const shared =
    mine.shared +
    sharedRejections(one, other) +
    (numbers > 0 ? weights.sameNumber : 0) +
    (one.accord || other.accord ? weights.accord : 0)
  const alike = shared * (1 - weights.frame * Math.min(1, crossed + rivals))
  const clash = mine.clash + theirs.clash + (numbers < 0 ? weights.otherNumber : 0)
  const dissent = one.dissent !== other.dissent ? weights.dissent : 0
  const opposed = weights.clash * clash + weights.crossing * crossing + weights.rival * rivals + dissent
  const doubt = weights.doubt + weights.unmatched * (mine.unmatched + theirs.unmatched)
  return (alike - opposed) / (alike + opposed + doubt)
}

interface Side {
  shared: number
  clash: number
  /** Chosen here, mentioned but not chosen there. */
  leftOut: number
  leftOutNames: number
  /** Chosen here, unknown there. */
  unmatched: number
  /** How many of the terms chosen here are not chosen there, and how much of that is names unknown there. */
  ownTerms: number
  ownNames: number
}

function compareSides(one: Stance, other: Stance, vocabulary: Vocabulary): Side {
  const side: Side = { shared: 0, clash: 0, leftOut: 0, leftOutNames: 0, unmatched: 0, ownTerms: 0, ownNames: 0 }
  for (const [term, strength] of one.pro) {
    const importance = vocabulary.isOption(term) ? weights.option : 1
    const [pro, con] = [other.pro.get(term), other.con.get(term)]
    if (pro !== undefined) side.shared += Math.min(strength, pro) * importance
    else if (con !== undefined) side.clash += Math.min(strength, con) * importance
    else if (other.mentioned.has(term)) {
      side.leftOut += strength * importance
      if (vocabulary.isName(term) || vocabulary.isOption(term)) side.leftOutNames += strength
    } else {
      side.unmatched += strength
      if (vocabulary.isName(term)) side.ownNames += strength
    }
    if (pro === undefined && !term.startsWith('@')) side.ownTerms += 1
  }
  return side
}

/** A long decision may just be worded differently; a short one names another thing. */
function areRivals(mine: Side, theirs: Side): boolean {
  return mine.ownTerms <= 2 && theirs.ownTerms <= 2
}

function sharedRejections(one: Stance, other: Stance): number {
  return [...one.con].reduce((sum, [term, strength]) => sum + Math.min(strength, other.con.get(term) ?? 0), 0)
}

/** The same line of a list with the same or with another number; 0 if they share no such line. */
function compareLines(one: Stance, other: Stance): -1 | 0 | 1 {
  const shared = [...one.lines].filter(([around]) => other.lines.has(around))
  if (shared.length === 0) return 0
  const isSame = ([around, mine]: (typeof shared)[number]) =>
    mine.some((a) => other.lines.get(around)!.some((b) => sameQuantity(a, b)))
  return shared.every(isSame) ? 1 : -1
}

function namesChoice(stance: Stance): boolean {
  return [...stance.pro].some(([term, strength]) => strength >= 0.5 && !term.startsWith('@'))
}

function isSilent(stance: Stance): boolean {
  return stance.pro.size === 0 && stance.con.size === 0
}
