import { describe, expect, it } from 'vitest'
import {
  type Contradiction,
  choiceOf,
  decisionAt,
  isChoice,
  issuesConcerned,
  needsSecondCheck,
  nextForContradiction,
  overruledBy,
  realContradictions,
  sameMatter,
  stillStanding,
} from './consistency.ts'
import type { KeyDecision } from './phase-summary.ts'

const pair = (matter: string, first = 'files', second = 'SQLite', where = 'design.md'): Contradiction => ({
  matter,
  first: { where, says: first },
  second: { where: 'test-plan.md', says: second },
})

describe('[RV5] contradictions of a plan', () => {
  it('[RV5] need two different statements, and are counted once', () => {
    const storage = pair('Where are rows stored?')
    const again = pair('Where rows are stored', 'in files', 'in SQLite')
    expect(realContradictions([storage, pair('Which parser?', 'our own', ' Our own '), again])).toEqual([storage])
  })

  it('[RV5] are looked for a second time only after a repair that replaced a decision', () => {
    const decision = { id: 'D9-1', decision: 'Rows go to files', confidence: 'HIGH' as const }
    expect(needsSecondCheck([])).toBe(false)
    expect(needsSecondCheck([decision])).toBe(false)
    expect(needsSecondCheck([decision, { ...decision, supersedes: ['D4-1'] }])).toBe(true)
  })

  it('[RV5] on one matter between the same documents are two if they exclude different things', () => {
    const three = pair('How often is it retried?', 'retried 3 times', 'retried 5 times')
    const ten = pair('How often is it retried?', 'retried 10 times', 'retried 20 times')
    expect(realContradictions([three, ten])).toEqual([three, ten])
  })

  it('[RV5] that the architect left open stand, also if the second comparison names only others', () => {
    const [storage, parser] = [pair('Where are rows stored?'), pair('Which parser?', 'our own', 'a library')]
    expect(stillStanding([storage], [parser])).toEqual([parser, storage])
    expect(stillStanding([storage], [storage])).toEqual([storage])
    expect(stillStanding([storage], [])).toEqual([storage])
    expect(stillStanding([storage], null)).toEqual([storage])
    expect(stillStanding([], null)).toEqual([])
  })

  it('[RV5] are never asked about if the person has spoken on them', () => {
    const storage = pair('Where are the rows stored?')
    const said = (question: string, answer: string) => [{ question, answer }]
    expect(nextForContradiction(storage, [], [])).toEqual({ kind: 'ask' })
    expect(nextForContradiction(storage, [], said('Which parser?', 'our own'))).toEqual({ kind: 'ask' })
    expect(nextForContradiction(storage, [], said('Where do we store rows?', 'in SQLite'))).toEqual({
      kind: 'decided',
      answer: 'in SQLite',
      overruled: [storage.first],
    })
    expect(nextForContradiction(storage, [], said('Where do we store rows?', 'you decide'))).toEqual({
      kind: 'open',
      because: 'the person was asked before: Where do we store rows? → you decide',
    })
  })

  it('[RV5] between an answer of the person and something else are decided by the answer', () => {
    const answer = (id: string, decision: string): KeyDecision => ({ id, decision, confidence: 'HIGH' })
    const decided = [answer('P3-1', 'Which separator? → comma'), answer('P3-2', 'Which files? → tab files')]
    const ruled = pair('Which separator is used?', 'comma', 'tab', 'spec.md (P3-1)')
    const overruled = [ruled.second]
    expect(nextForContradiction(ruled, decided, [])).toEqual({ kind: 'decided', answer: 'comma', overruled })
    // An id that nobody gave an answer under decides nothing.
    expect(nextForContradiction(ruled, [], [])).toEqual({ kind: 'ask' })
    const both = { ...ruled, second: { where: 'P3-2', says: 'tab files' } }
    expect(nextForContradiction(both, decided, [])).toEqual({ kind: 'ask' })
  })

  it('[RV5] an answer overrules the other side, and what the documents say if they do not follow it', () => {
    const storage = {
      matter: 'Where are rows stored?',
      first: { where: 'D4-1', says: 'in files' },
      second: { where: 'design.md (Storage)', says: 'in SQLite' },
    }
    const [decision, page] = [storage.first, storage.second]
    expect(overruledBy(storage, { answer: choiceOf(decision) })).toEqual([page])
    expect(overruledBy(storage, { answer: 'SQLite' })).toEqual([decision])
    expect(overruledBy(storage, { answer: 'you decide' })).toEqual([])
    expect(overruledBy(storage, { answer: 'in files: they are small' })).toEqual([page])
    expect(isChoice("'.' : it is the ancestor of both", "'.'")).toBe(true)
    expect(isChoice('notes are kept', 'no')).toBe(false)
    expect(overruledBy(storage, { answer: 'somewhere', asDesigned: true })).toEqual([decision])
    expect(overruledBy(storage, { answer: 'somewhere', asDesigned: false })).toEqual([page])
    // Between two documents it cannot be told which of them is followed.
    expect(overruledBy(pair('Where?'), { answer: 'somewhere', asDesigned: false })).toEqual([])
    expect(decisionAt(decision, [{ id: 'D4-1', decision: 'Files', confidence: 'HIGH' }])?.id).toBe('D4-1')
    expect(decisionAt(page, [{ id: 'D4-1', decision: 'Files', confidence: 'HIGH' }])).toBeUndefined()
  })

  it('[RV5] an answer overrules the side that holds another option, whatever the design follows', () => {
    const [first, second] = [
      { where: 'test-plan.md', says: 'two readers' },
      { where: 'D4-2', says: 'one reader' },
    ]
    const readers: Contradiction = { matter: 'How many readers?', first, second }
    const two = { answer: 'two', asDesigned: false, heldBy: ['test-plan.md'], others: ['design.md'] }
    expect(overruledBy(readers, two)).toEqual([second])
    const one = { answer: 'one', asDesigned: true, heldBy: ['design.md'], others: ['test-plan.md'] }
    expect(overruledBy(readers, one)).toEqual([first])
    expect(overruledBy(readers, { answer: 'one', heldBy: ['decision D4-2'] })).toEqual([first])
    // An option that neither side holds.
    expect(overruledBy(readers, { answer: 'three', others: ['test-plan.md', 'D4-2'] })).toEqual([first, second])
    // What the test plan follows is not known from what the design follows.
    expect(overruledBy(readers, { answer: 'elsewhere', asDesigned: true, heldBy: ['gpt'] })).toEqual([])
  })

  it('[RV5] that stay open go to the issues that they concern, or to all', () => {
    const issues = [
      { text: 'Store rows in a table', decisions: ['D4-1'] },
      { text: 'Print the report', decisions: ['D4-2'] },
    ]
    expect(issuesConcerned(pair('Where are rows stored?'), issues)).toEqual([0])
    expect(issuesConcerned(pair('Encoding', 'utf-8', 'latin-1', 'D4-2'), issues)).toEqual([1])
    expect(issuesConcerned(pair('Encoding', 'utf-8', 'latin-1'), issues)).toEqual([0, 1])
    expect(issuesConcerned(pair('??', 'utf-8', 'latin-1'), issues)).toEqual([0, 1])
  })

  it('[RV5] knows a matter by its keywords', () => {
    expect(sameMatter('Storage of rows', 'How many rows fit on a page?')).toBe(false)
    expect(sameMatter('Where are rows stored?', 'where are ROWS stored')).toBe(true)
    expect(sameMatter('??', '??')).toBe(true)
    expect(sameMatter('??', 'rows')).toBe(false)
  })
})
