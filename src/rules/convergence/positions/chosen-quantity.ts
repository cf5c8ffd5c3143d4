/** Reads which numbers a clause decides on: "48 and not 12" decides on 48. */
import { stem } from '../../text/words.ts'
import { isContentWord, isNegative } from './english.ts'
import { placedQuantities, type Quantity, sameQuantity } from './quantity.ts'

export interface ChosenQuantity {
  quantity: Quantity
  /** What is counted: the word after the number, empty if there is none. */
  counted: string
}

/** Without the numbers that are rejected or only compared with. */
export function chosenQuantities(words: readonly string[]): ChosenQuantity[] {
  return placedQuantities(words)
    .filter(({ at }) => !isRejected(words, at))
    .map(({ quantity, at, length }) => ({ quantity, counted: countedAt(words, at + length) }))
}

/** 1 if a number they decided on is the same, −1 if they decided on different numbers of one thing, 0 if they decided on no such numbers. */
export function compareQuantities(one: readonly ChosenQuantity[], other: readonly ChosenQuantity[]): -1 | 0 | 1 {
  const pairs = one.slice(0, 50).flatMap((mine) => other.slice(0, 50).map((theirs) => [mine, theirs] as const))
  const comparable = pairs.filter(([mine, theirs]) => countTheSame(mine, theirs))
  if (comparable.length === 0) return 0
  return comparable.some(([mine, theirs]) => sameQuantity(mine.quantity, theirs.quantity)) ? 1 : -1
}

/** A number without a unit may count anything. */
function countTheSame(one: ChosenQuantity, other: ChosenQuantity): boolean {
  const [mine, theirs] = [one.quantity.base?.unit, other.quantity.base?.unit]
  if (mine !== undefined && theirs !== undefined) return mine === theirs
  if ((mine === undefined ? one : other).counted !== '' && (mine ?? theirs) !== undefined) return false
  return one.counted === other.counted || one.counted === '' || other.counted === ''
}

/** "Not 12", "above 60", "drop the 50"; but "not more than 30" is a limit of 30. */
function isRejected(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at)
  if (/\b(?:no|not|never) \w+ than(?: \w+)?$/.test(before.join(' '))) return false
  if (before.slice(-3).some((word) => bounding.test(word))) return true
  return before.some((word, index) => isNegative(word) && index >= at - 8) && !before.slice(-2).includes('to')
}

const bounding = /^(?:than|above|below|beyond|over|under|too|of|from|until|between|by)$/

function countedAt(words: readonly string[], at: number): string {
  const word = words[at]
  return word !== undefined && isContentWord(word) ? stem(word) : ''
}
