/** Finds a formally stated answer: boxed, lettered, or announced with "the answer is". */
import { type AnswerValue, answerValue, statedValue } from './answer-value.ts'

export interface FinalAnswer {
  value: AnswerValue
  /** As it was written, for a person. */
  written: string
  /** 0 to 1: lower if the output names several answers or the reading is a guess. */
  certainty: number
}

/** The answer an output states formally, if it does. */
export function finalAnswer(output: string): FinalAnswer | undefined {
  const box = lastBox(output)
  const letter = lastLetter(output)
  if (box !== undefined) return boxed(box, letter)
  const announced = announcement(output)
  if (announced?.value.kind === 'number' && letter) return lettered(output, letter)
  if (announced) return letter && isOtherLetter(announced.value, letter) ? { ...announced, certainty: 0.6 } : announced
  return letter ? lettered(output, letter) : undefined
}

/** A guess for an output among others that state theirs: the last number in it. */
export function likelyAnswer(output: string): FinalAnswer | undefined {
  const written = output
    .slice(-20_000)
    .match(/[-+]?\d[\d,]*(?:\.\d+)?%?/g)
    ?.at(-1)
  return written === undefined ? undefined : { value: statedValue(written), written, certainty: 0.5 }
}

function boxed(box: string, letter: string | undefined): FinalAnswer {
  const value = statedValue(box)
  if (letter && isOtherLetter(value, letter)) return { value, written: box, certainty: 0.6 }
  return { value, written: box, certainty: box.includes('=') ? 0.8 : 1 }
}

function isOtherLetter(value: AnswerValue, letter: string): boolean {
  return value.kind === 'letter' && value.letter !== letter
}

function lettered(output: string, letter: string): FinalAnswer {
  const opening = output.trimStart().startsWith(`(${letter})`)
  return { value: answerValue(letter), written: letter, certainty: opening ? 1 : 0.95 }
}

/** The content of the last \boxed{…}. One pass over the braces, to stay linear with many unclosed boxes. */
function lastBox(output: string): string | undefined {
  const start = output.lastIndexOf('\\boxed{')
  if (start < 0) return undefined
  const from = start + '\\boxed{'.length
  let depth = 1
  for (let at = from; at < output.length && at < from + longestBox; at += 1) {
    if (output[at] === '{') depth += 1
    else if (output[at] === '}') depth -= 1
    if (depth === 0) return output.slice(from, at)
  }
  return output.slice(from, from + 100)
}

const longestBox = 2000

/** Options are lettered from A; an (X) is a placeholder copied from the question. */
function lastLetter(output: string): string | undefined {
  let last: string | undefined
  for (const found of output.matchAll(/\(([A-H])\)/g)) last = found[1]
  return last ?? /^\s*\**([A-H])[).:]\s/.exec(output)?.[1] ?? /^\s*\**([A-H])\**\s*$/.exec(output)?.[1]
}

/** "The answer is 42", "Final answer: B", "#### 42": numbers and letters only, since prose has answers of its own kind. */
function announcement(output: string): FinalAnswer | undefined {
  let last: string | undefined
  const pattern =
    /(?:\banswer(?: to [^.\n]{1,80}?)?(?: is|:)\s*|^####\s*|\b(?:option|choice) is\s*|\b(?:choose|pick|select|with|for|prefer|recommend) (?:option|choice|answer)\s+)(?:\*\*)?([^\n]{1,60})/gim
  for (const found of output.matchAll(pattern)) last = found[1]
  if (last === undefined) return undefined
  const written = last.split(/(?:[.!?](?:\s|$)|\*\*|,\s|\b(?:because|since|as)\b)/, 1)[0]!.trim()
  const value = answerValue(written)
  return value.kind === 'words' ? undefined : { value, written, certainty: 0.9 }
}
