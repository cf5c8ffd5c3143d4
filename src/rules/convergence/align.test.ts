import { describe, expect, it } from 'vitest'
import { alignmentFaults, countAlignment, settledByMajority } from './align.ts'

const position = (agent: string, choice: string, question = 'Where?') => ({ agent, question, choice })
const positions = [
  position('ada', 'a table'),
  position('bob', 'Postgres', 'Which store?'),
  position('cyd', 'flat files'),
  position('cyd', 'nightly', 'When?'),
]
const aligned = {
  questions: [
    {
      question: 'Where do rows go?',
      options: [
        { choice: 'a database', positions: ['p1', 'p2'], follows: 'a migration' },
        { choice: 'files', positions: ['p3'] },
      ],
    },
  ],
  alone: ['p4'],
}

describe('aligned positions', () => {
  it('[CV7] every position is placed exactly once', () => {
    expect(alignmentFaults(aligned, positions)).toEqual([])
    expect(alignmentFaults({ questions: [], alone: ['p1', 'p1', 'p9', 'p2', 'p3'] }, positions)).toEqual([
      'p4 is not placed',
      'p1 is placed twice',
      'there is no p9',
    ])
  })

  it('[CV7] agreement is the share of questions without a conflict, by meaning and not by words', () => {
    const { agreement, conflicts, alone } = countAlignment(aligned, positions)
    expect(agreement).toBe(0)
    expect(conflicts).toEqual([
      {
        question: 'Where do rows go?',
        options: [
          { choice: 'a database', agents: ['ada', 'bob'], follows: 'a migration' },
          { choice: 'files', agents: ['cyd'] },
        ],
      },
    ])
    expect(alone).toEqual([positions[3]])
    const half = {
      questions: [
        { question: 'Where?', options: [{ choice: 'a database', positions: ['p1', 'p2'] }] },
        {
          question: 'How?',
          options: [
            { choice: 'x', positions: ['p3'] },
            { choice: 'y', positions: ['p5'] },
          ],
        },
      ],
      alone: ['p4'],
    }
    expect(countAlignment(half, [...positions, position('ada', 'y')]).agreement).toBe(0.5)
  })

  it('[CV7] a position held by one agent is not agreement, and an agent does not conflict with itself', () => {
    const one = {
      questions: [
        { question: 'Where?', options: [{ choice: 'a table', positions: ['p1'] }] },
        {
          question: 'How?',
          options: [
            { choice: 'files', positions: ['p3'] },
            { choice: 'nightly', positions: ['p4'] },
          ],
        },
      ],
      alone: ['p2'],
    }
    expect(countAlignment(one, positions)).toMatchObject({ agreement: null, agreed: [], conflicts: [] })
    expect(countAlignment(one, positions).alone).toHaveLength(4)
  })

  it('[CV7] most agents settle an internal matter; what users would notice, and a tie, they do not', () => {
    const option = (choice: string, ...agents: string[]) => ({ choice, agents })
    const options = [option('a helper', 'ada', 'bob'), option('inline', 'cyd')]
    const placed = { question: 'Where?', options }
    expect(settledByMajority({ ...placed, internal: true })?.choice).toBe('a helper')
    expect(settledByMajority(placed)).toBeNull()
    const tie = [option('a helper', 'ada'), option('inline', 'cyd')]
    expect(settledByMajority({ question: 'Where?', options: tie, internal: true })).toBeNull()
    const split = [option('a helper', 'ada', 'bob'), option('inline', 'cyd'), option('a class', 'dan')]
    expect(settledByMajority({ question: 'Where?', options: split, internal: true })).toBeNull()
    const [conflict] = countAlignment(
      { questions: [{ ...aligned.questions[0]!, internal: true }], alone: ['p4'] },
      positions,
    ).conflicts
    expect(settledByMajority(conflict!)?.choice).toBe('a database')
  })
})
