/** Reads which numbers a clause decides on: "48 and not 12" decides on 48. */
import { stem } from '../../text/words.ts'
import { isContentWord, isNegative } from './english.ts'
import { placedQuantities, type Quantity, sameQuantity } from './quantity.ts'

export interface ChosenQuantity {
  quantity: Quantity
  /** What is counted: the word after the number, empty if there is none. */
  counted: string
  /** "Not 12", "drop version 18". */
  rejected: boolean
}

/** Without the numbers that are only compared with. */
export function chosenQuantities(words: readonly string[]): ChosenQuantity[] {
  return placedQuantities(words)
    .filter(({ at }) => !isCompared(words, at) && !isPronoun(words, at))
    .map(({ quantity, at, length }) => ({
      quantity,
      counted: countedAt(words, at + length),
      rejected: isRejected(words, at),
    }))
}

/** 1 if a number they decided on is the same, −1 if they decided on different numbers of one thing, 0 if they decided on no such numbers. */
export function compareQuantities(one: readonly ChosenQuantity[], other: readonly ChosenQuantity[]): -1 | 0 | 1 {
  const pairs = one.slice(0, 50).flatMap((mine) => other.slice(0, 50).map((theirs) => [mine, theirs] as const))
  const comparable = pairs.filter(([mine, theirs]) => countTheSame(mine, theirs))
  const isSame = ([mine, theirs]: (typeof pairs)[number]) => sameQuantity(mine.quantity, theirs.quantity)
  const same = comparable.filter(isSame)
  const chosen = comparable.filter(([mine, theirs]) => !mine.rejected && !theirs.rejected)
  if (chosen.some(isSame)) return 1
  if (chosen.length > 0 || same.some(([mine, theirs]) => mine.rejected !== theirs.rejected)) return -1
  return same.length > 0 ? 1 : 0
}

/** A number without a unit may count anything. */
function countTheSame(one: ChosenQuantity, other: ChosenQuantity): boolean {
  const [mine, theirs] = [one.quantity.base?.unit, other.quantity.base?.unit]
  if (mine !== undefined && theirs !== undefined) return mine === theirs
  if ((mine === undefined ? one : other).counted !== '' && (mine ?? theirs) !== undefined) return false
  return one.counted === other.counted || one.counted === '' || other.counted === ''
}

/** "Above 60", "a third of 9". */
function isCompared(words: readonly string[], at: number): boolean {
  return !isLimit(words, at) && words.slice(Math.max(0, at - 3), at).some((word) => bounding.test(word))
}

/** "48 and not 12", "drop the 50". */
function isRejected(words: readonly string[], at: number): boolean {
  if (isLimit(words, at) || words.slice(Math.max(0, at - 2), at).includes('to')) return false
  return words.slice(Math.max(0, at - 8), at).some(isNegative)
}

/** "Not more than 30" is a limit of 30. */
function isLimit(words: readonly string[], at: number): boolean {
  return /\b(?:no|not|never) (?:\w+ ){0,4}\w+ than(?: \w+)?$/.test(words.slice(Math.max(0, at - 8), at).join(' '))
}

/** "The two belong together." */
function isPronoun(words: readonly string[], at: number): boolean {
  return /^(?:the|these|those|these|all|both)$/.test(words[at - 1] ?? '') && /^(?:two|three|four)$/.test(words[at]!)
}

const bounding = /^(?:than|above|below|beyond|over|under|too|between)$/

function countedAt(words: readonly string[], at: number): string {
  const word = words[at]
  return word !== undefined && isContentWord(word) ? stem(word) : ''
}
