import { describe, expect, it } from 'vitest'
import { clausesOf } from './clause.ts'
import { leaningsIn, mentionsIn } from './option-polarity.ts'
import { readOutput } from './read-output.ts'
import { sentencesOf } from './sentence.ts'
import { vocabularyOf } from './vocabulary.ts'

describe('for and against', () => {
  it.each([
    ['use the ferry', '+ferri'],
    ['do not use the ferry', '-ferri'],
    ['we should avoid the ferry', '-ferri'],
    ['rather than avoid the ferry', '+ferri'],
    ['I would not remove the ferry', '+ferri'],
    ['take the bridge rather than the ferry', '+bridg -ferri'],
    ['the bridge instead of the ferry', '+bridg -ferri'],
    ['I prefer the bridge over the ferry', '+bridg -ferri'],
    ['the bridge is better than the ferry', '+bridg -ferri'],
    ['the bridge is worse than the ferry', '-bridg +ferri'],
    ['switch from the ferry to the bridge', '+switch -ferri +bridg'],
    ['the ferry should be dropped', '-ferri'],
    ['the ferry must go', '-ferri'],
    ['let the ferry go', '-ferri'],
    ['leave the ferry out', '-ferri'],
    ['the ferry would be a mistake', '-ferri'],
    ['dropping the ferry and building a bridge', '-ferri +build +bridg'],
    ['drop the ferry with the spring timetable', '-ferri +spring +timet'],
    ['leave the ferry for next year', '-ferri'],
    ['not only the ferry', '+ferri'],
    ['I see no reason against the ferry', '+ferri'],
    ['there is nothing wrong with the ferry', '+ferri'],
    ['the ferry instead of the bridge would be a mistake', '-ferri +bridg'],
    ['the ferry can go', '-ferri'],
  ])('[CV5] %s: %s', (text, expected) => {
    expect(signed(text)).toBe(expected)
  })

  it('[CV5] knows general opposites and turns them with the clause', () => {
    expect(leanings('keep the ferry')).toEqual(['+keep'])
    expect(leanings('replace the ferry')).toEqual(['-keep'])
    expect(leanings('do not replace the ferry')).toEqual(['+keep'])
    expect(leanings('yes')).toEqual(['+yes'])
  })

  it('[CV5] takes two spellings of a name for one, and a capital inside a sentence for a name', () => {
    const outputs = ['We use PostgreSQL daily. I recommend Postgres.', 'It leads me to Go.'].map(readOutput)
    const vocabulary = vocabularyOf(outputs)
    const terms = outputs.map(({ clauses }) =>
      clauses.flatMap((clause) => mentionsIn(clause, vocabulary).map(({ term }) => term)),
    )
    expect(terms[0]).toEqual(['postgr', 'daili', 'postgr'])
    expect(terms[1]).toEqual(['lead', 'go'])
  })
})

function clauseOf(text: string) {
  return clausesOf(sentencesOf(text)[0]!)[0]!
}

function signed(text: string): string {
  const mentions = mentionsIn(clauseOf(text), vocabularyOf([]))
  return mentions.map(({ sign, term }) => `${sign > 0 ? '+' : '-'}${term}`).join(' ')
}

function leanings(text: string): string[] {
  return leaningsIn(clauseOf(text)).map(({ sign, name }) => `${sign > 0 ? '+' : '-'}${name}`)
}
