/** Stated positions, question by question: votes, dissent and missing members. SPEC.md § CV6. */
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

/** One choice and its supporters by name. */
export interface Vote {
  /** In the words of its first supporter by name. */
  choice: string
  agents: string[]
  /** The sum of their confidences; a missing one counts as 1. */
  confidence: number
}

export interface Tally {
  question: string
  /** The largest bloc first; equal ones by the name of their first supporter. */
  votes: Vote[]
  /** The choice of the largest bloc; null if two are equally large. */
  leading: string | null
  unanimous: boolean
  /** Every position that differs from the leading one; without a leading one, all of them. */
  dissent: Position[]
  /** Members without a position on this question, by name. */
  missing: string[]
}

/** Counts positions in the order of their questions. An agent's later position on a question replaces its earlier one. */
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

/** A missing confidence counts as 1. */
export function confidenceOf({ confidence = 1 }: Position): number {
  return Math.min(1, Math.max(0, confidence))
}

/** Questions are equal if their words are, ignoring case and punctuation. */
function byQuestion(positions: readonly Position[]): Map<string, Map<string, Position>> {
  const questions = new Map<string, Map<string, Position>>()
  for (const position of positions) {
    const key = words(position.question).join(' ') || position.question.trim()
    const taken = questions.get(key) ?? new Map<string, Position>()
    questions.set(key, taken.set(position.agent, position))
  }
  return questions
}

/** Beyond this many different answers only equal spellings are grouped, to bound the time. */
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
