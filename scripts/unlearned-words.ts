/** Hides from a kind of rounds the words that the rule could only have learned from it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SpokenRound {
  outputs: readonly string[]
  kind: string
}

/** Every word in the source of the convergence rule, comments included: more than it reads by. */
export function wordsOfTheRule(): ReadonlySet<string> {
  const folder = join(import.meta.dirname, '../src/rules/convergence/positions')
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return new Set(sources.flatMap((name) => wordsIn(readFileSync(join(folder, name), 'utf8'))))
}

/** The outputs of each round without the words in `known` that no round of another kind uses. */
export function withoutUnlearned(rounds: readonly SpokenRound[], known: ReadonlySet<string>): string[][] {
  const kindsOf = new Map<string, Set<string>>()
  for (const { outputs, kind } of rounds)
    for (const word of outputs.flatMap(wordsIn)) kindsOf.set(word, (kindsOf.get(word) ?? new Set()).add(kind))
  const isHidden = (word: string) => known.has(word) && kindsOf.get(word)!.size === 1
  return rounds.map(({ outputs }) =>
    outputs.map((output) => output.replace(/\p{L}+/gu, (word) => (isHidden(word.toLowerCase()) ? '' : word))),
  )
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}
