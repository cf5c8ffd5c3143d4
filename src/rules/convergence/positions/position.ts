/** What agents say they stand for, question by question: votes, dissent and who is missing. SPEC.md § CV6. */
import { byCodeUnit } from '../../text/by-code-unit.ts'
import { words } from '../../text/words.ts'
import { answerKey, answerValue, sameAnswer } from './answer-value.ts'

export interface Position {
  agent: string
  question: string
  choice: string
  /** 0 to 1. */
  confidence?: number
}

/** One choice and who stands behind it, by name. */
export interface Vote {
  /** In the words of its first supporter by name. */
  choice: string
  agents: string[]
  /** The sum of their confidences, where those who give none count as sure. */
  confidence: number
}

export interface Tally {
  question: string
  /** The largest bloc first; equal ones by the name of their first supporter. */
  votes: Vote[]
  /** What the largest bloc chose; null where two are equally large. */
  leading: string | null
  unanimous: boolean
  /** Every position that is not the leading one. Without a leading one, all of them. */
  dissent: Position[]
  /** Members who took no position on this question, by name. */
  missing: string[]
}

/** Counts positions in the order of their questions. An agent that takes two positions on a question has changed its mind: the later one counts. */
export function tally(positions: readonly Position[], members: readonly string[] = []): Tally[] {
  const everyone = [...new Set([...members, ...positions.map(({ agent }) => agent)])].sort(byCodeUnit)
  return [...byQuestion(positions).values()].map((taken) => tallyOne(taken, everyone))
}

function tallyOne(taken: Map<string, Position>, everyone: readonly string[]): Tally {
  const present = everyone.flatMap((agent) => taken.get(agent) ?? [])
  const blocs = blocsOf(present).sort((one, other) => other.length - one.length)
  const [first, second] = blocs
  const leading = first && first.length > (second?.length ?? 0) ? first : undefined
  return {
    question: present[0]!.question,
    votes: blocs.map((bloc) => ({
      choice: bloc[0]!.choice,
      agents: bloc.map(({ agent }) => agent),
      confidence: bloc.reduce((sum, position) => sum + confidenceOf(position), 0),
    })),
    leading: leading?.[0]?.choice ?? null,
    unanimous: blocs.length === 1,
    dissent: present.filter((position) => !leading?.includes(position)),
    missing: everyone.filter((agent) => !taken.has(agent)),
  }
}

/** Unstated confidence is full confidence: silence about doubt is not doubt. */
export function confidenceOf({ confidence = 1 }: Position): number {
  return Math.min(1, Math.max(0, confidence))
}

/** Questions are the same if their words are: case and punctuation do not matter. */
function byQuestion(positions: readonly Position[]): Map<string, Map<string, Position>> {
  const questions = new Map<string, Map<string, Position>>()
  for (const position of positions) {
    const key = words(position.question).join(' ') || position.question.trim()
    const taken = questions.get(key) ?? new Map<string, Position>()
    questions.set(key, taken.set(position.agent, position))
  }
  return questions
}

/** Beyond this many different answers only equal spellings are brought together, so that time stays in proportion. */
const comparedInFull = 200

function blocsOf(positions: readonly Position[]): Position[][] {
  const blocs = new Map<string, Position[]>()
  for (const position of positions) {
    const value = answerValue(position.choice)
    const key = answerKey(value)
    const candidates = blocs.size > comparedInFull ? [] : [...blocs.values()]
    const known = blocs.get(key) ?? candidates.find(([first]) => sameAnswer(answerValue(first!.choice), value))
    if (known) known.push(position)
    else blocs.set(key, [position])
  }
  return [...blocs.values()]
}
