import { describe, expect, it } from 'vitest'
import { type Contradiction, needsSecondCheck, realContradictions, sameMatter, worthAsking } from './consistency.ts'

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

  it('[RV5] are never asked about if the person has spoken on them', () => {
    const storage = pair('Where are the rows stored?')
    const ruled = pair('Which separator is used?', 'comma', 'tab', 'P3-1')
    expect(worthAsking([storage, ruled], [])).toEqual([storage])
    expect(worthAsking([storage], ['Which parser?'])).toEqual([storage])
    expect(worthAsking([storage], ['Where do we store rows?'])).toEqual([])
  })

  it('[RV5] knows a matter by its keywords', () => {
    expect(sameMatter('Storage of rows', 'How many rows fit on a page?')).toBe(false)
    expect(sameMatter('Where are rows stored?', 'where are ROWS stored')).toBe(true)
    expect(sameMatter('??', '??')).toBe(true)
    expect(sameMatter('??', 'rows')).toBe(false)
  })
})
