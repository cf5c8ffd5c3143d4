import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyDecision } from './phase-summary.ts'
import { type EarlierItems, isPersons, numberItems } from './plan-ids.ts'

const decision = (id: string, words: string, more: Partial<KeyDecision> = {}): KeyDecision => ({
  id,
  decision: words,
  confidence: 'MEDIUM',
  ...more,
})
const question = (id: string, words: string) => ({ id, question: words, priority: 'HIGH' as const })
const risk = (id: string, words: string) => ({ id, risk: words, severity: 'MAJOR' })
const nothing = { decisions: [], questions: [], risks: [] }
const earlier: EarlierItems = {
  key_decisions: [decision('D2-1', 'Use files', { called: 'STORE' })],
  open_questions: [question('Q2-1', 'How large?')],
  risks_identified: [risk('R2-1', 'Files may be huge')],
}

describe('ids of a plan', () => {
  it('[CX2] numbers by phase and pass, whatever the agent called an item, and keeps its name', () => {
    const given = {
      decisions: [decision('DB', 'Postgres'), decision('DB', 'a table a tenant'), decision('none', 'no cache')],
      questions: [question('open-1', 'Which region?')],
      risks: [risk('R2-9', 'lock-in')],
    }
    const { decisions, questions, risks, unknown } = numberItems({ phase: '4', pass: 1 }, given, [])
    expect(decisions.map(({ id, called }) => [id, called])).toEqual([
      ['D4-1', 'DB'],
      ['D4-2', 'DB'],
      ['D4-3', undefined],
    ])
    expect(questions).toMatchObject([{ id: 'Q4-1', called: 'open-1' }])
    expect(risks).toMatchObject([{ id: 'R4-1', called: 'R2-9' }])
    expect(unknown).toEqual([])
    expect(numberItems({ phase: '6b', pass: 2 }, given, []).decisions[0]!.id).toBe('D6b.2-1')
  })

  it('[CX2] resolves references to ids, to names of the same reply and to names of earlier replies', () => {
    const given = {
      decisions: [
        decision('A', 'a database', { supersedes: ['store'], resolves: ['q2-1', 'mine'] }),
        decision('B', 'on one host', { supersedes: ['A', 'A'] }),
      ],
      questions: [question('mine', 'Which host?')],
      risks: [],
    }
    const { decisions, unknown } = numberItems({ phase: '4', pass: 1 }, given, [earlier])
    expect(decisions).toMatchObject([
      { id: 'D4-1', supersedes: ['D2-1'], resolves: ['Q2-1', 'Q4-1'] },
      { id: 'D4-2', supersedes: ['D4-1'] },
    ])
    expect(unknown).toEqual([])
  })

  it('[CX2] reports a reference that names nothing, except to a decision of the pass that was sent back', () => {
    const given = { ...nothing, decisions: [decision('A', 'a', { supersedes: ['D4-3', 'D9-9'] })] }
    const { decisions, unknown } = numberItems({ phase: '4', pass: 2 }, given, [earlier])
    expect(decisions[0]!.supersedes).toEqual(['D4-3'])
    expect(unknown).toEqual(['D4.2-1 supersedes “D9-9”'])
  })

  it('[CX2] an earlier id with other words is a contradiction, unless it is superseded', () => {
    const silent = { ...nothing, decisions: [decision('D2-1', 'Use a queue')] }
    expect(numberItems({ phase: '4', pass: 1 }, silent, [earlier]).decisions).toMatchObject([
      { id: 'D4-1', called: 'D2-1', contradicts: ['D2-1'] },
    ])
    const open = { ...nothing, decisions: [decision('D2-1', 'Use a queue', { supersedes: ['D2-1'] })] }
    const [replaced] = numberItems({ phase: '4', pass: 1 }, open, [earlier]).decisions
    expect(replaced).toMatchObject({ id: 'D4-1', supersedes: ['D2-1'] })
    expect(replaced).not.toHaveProperty('contradicts')
  })

  it('[CX2] a question or risk that was raised before keeps its id, by id or by its words', () => {
    const given = {
      decisions: [],
      questions: [question('Q2-1', 'How large are they?'), question('x', 'Whose?'), question('y', ' whose? ')],
      risks: [risk('z', 'files may be  huge'), risk('none', 'new')],
    }
    const { questions, risks } = numberItems({ phase: '4', pass: 1 }, given, [earlier])
    expect(questions.map(({ id }) => id)).toEqual(['Q2-1', 'Q4-1'])
    expect(risks.map(({ id }) => id)).toEqual(['R2-1', 'R4-1'])
  })

  it('[CX2] never gives two decisions of a reply one id, and loses none', () => {
    const name = fc.constantFrom('A', 'D4-1', 'D4-2', 'none', '__proto__')
    const one = fc.record({
      id: name,
      decision: fc.string(),
      confidence: fc.constant('LOW' as const),
      supersedes: fc.array(name),
    })
    fc.assert(
      fc.property(fc.array(one), (decisions) => {
        const numbered = numberItems({ phase: '4', pass: 1 }, { ...nothing, decisions }, [earlier]).decisions
        expect(new Set(numbered.map(({ id }) => id)).size).toBe(decisions.length)
      }),
    )
  })

  it("[CX2] knows a person's answer by its id", () => {
    expect([isPersons({ id: 'P3-1' }), isPersons({ id: 'P6b.2-1' }), isPersons({ id: 'D3-1' })]).toEqual([
      true,
      true,
      false,
    ])
  })
})
