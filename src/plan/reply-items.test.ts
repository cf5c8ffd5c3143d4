import { describe, expect, it } from 'vitest'
import { readSynthesis } from './replies.ts'

const read = (values: object) => readSynthesis(JSON.stringify({ artefact: 'x', ...values }))

describe('items of a synthesis', () => {
  it('reads plain words, other names for the text, items by id and levels as numbers', () => {
    const { key_decisions, open_questions, risks_identified, unread } = read({
      key_decisions: ['Use files', { title: 'One table', confidence: 0.9, id: 7, supersedes: null }],
      open_questions: { Q1: { question: 'How large?', priority: 'critical' } },
      risks_identified: [{ risk: 'Lock-in', severity: 'MAJOR' }],
    })
    expect(key_decisions).toEqual([
      { id: 'none', decision: 'Use files', confidence: 'MEDIUM' },
      expect.objectContaining({ id: '7', decision: 'One table', confidence: 'HIGH' }),
    ])
    expect(open_questions).toEqual([{ id: 'Q1', question: 'How large?', priority: 'HIGH' }])
    expect(risks_identified).toEqual([{ id: 'none', risk: 'Lock-in', severity: 'MAJOR' }])
    expect(unread).toEqual([])
  })

  it('keeps an item without content as it came', () => {
    const { key_decisions, unread } = read({ key_decisions: [{ why: 'speed' }, 4, 'Use files'] })
    expect(key_decisions.map(({ decision }) => decision)).toEqual(['Use files'])
    expect(unread).toEqual(['decision: {"why":"speed"}', 'decision: 4'])
  })
})
