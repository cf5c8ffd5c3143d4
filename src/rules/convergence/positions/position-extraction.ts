/** Measures agreement of conclusions read from the outputs: stated answers if most state one, else decisions in prose. */
import { words } from '../../text/words.ts'
import { answerKey, sameAnswer } from './answer-value.ts'
import { blocScore } from './bloc.ts'
import { type FinalAnswer, finalAnswer, likelyAnswer } from './final-answer.ts'
import { readOutput } from './read-output.ts'
import { proseAgreement } from './stance-agreement.ts'

export interface ExtractedAgreement {
  /** 0 to 1. */
  score: number
  from: 'answers' | 'prose'
}

/** For at least two outputs. */
export function extractAgreement(outputs: readonly string[]): ExtractedAgreement {
  if (areEqual(outputs)) return { score: 1, from: 'answers' }
  const answers = outputs.map(finalAnswer)
  const stated = answers.filter((answer) => answer !== undefined).length
  if (stated < 2 || stated * 2 <= outputs.length) return { score: proseAgreement(outputs), from: 'prose' }
  return {
    score: answerScore(answers.map((answer, index) => answer ?? likelyAnswer(outputs[index]!))),
    from: 'answers',
  }
}

/** One output's conclusion in its own words, for a person: the stated answer, else the sentence that decides. */
export function conclusionOf(output: string): string {
  const answer = finalAnswer(output)
  if (answer) return answer.written
  const { clauses } = readOutput(output)
  const clearest = clauses.reduce((best, clause) => (clause.cue > best.cue ? clause : best), clauses[0] ?? nothing)
  return clearest.sentence.text
}

/** Equal outputs have equal conclusions. */
function areEqual(outputs: readonly string[]): boolean {
  if (outputs.every((output) => output === outputs[0])) return words(outputs[0]!.slice(0, 10_000)).length > 0
  if (outputs.some((output) => output.length > 2000)) return false
  const [first, ...others] = outputs.map((output) => words(output).join(' '))
  return first !== '' && others.every((other) => other === first)
}

const nothing = { cue: 0, sentence: { text: '' } }

/** Unanimity scores by the least certain reading; an output without an answer agrees with none. */
function answerScore(answers: readonly (FinalAnswer | undefined)[]): number {
  const largest = Math.max(...blocsOf(answers).map((bloc) => bloc.length))
  if (largest < answers.length) return blocScore(largest, answers.length)
  return 0.7 + 0.3 * Math.min(...answers.map((answer) => answer?.certainty ?? 0))
}

function blocsOf(answers: readonly (FinalAnswer | undefined)[]): FinalAnswer[][] {
  const blocs = new Map<string, FinalAnswer[]>()
  for (const answer of answers) {
    if (!answer) continue
    const key = answerKey(answer.value)
    const known = blocs.get(key) ?? [...blocs.values()].find(([first]) => sameAnswer(first!.value, answer.value))
    if (known) known.push(answer)
    else blocs.set(key, [answer])
  }
  return [...blocs.values()]
}
