import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyDecision } from '../plan/phase-summary.ts'
import { type PhaseId, phaseIds } from '../plan/phase-table.ts'
import { accumulate, type ContextSource } from './context.ts'

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length

const decision = (id: string, words: string, more: Partial<KeyDecision> = {}): KeyDecision => ({
  id,
  decision: words,
  confidence: 'MEDIUM',
  ...more,
})

const source = (phase: PhaseId, more: Partial<ContextSource> = {}): ContextSource => ({
  phase,
  key_decisions: [],
  open_questions: [],
  risks_identified: [],
  ...more,
})

const question = (id: string, words = 'How?') => ({ id, question: words, priority: 'HIGH' as const })

describe('accumulated context', () => {
  it('[CX2] lists decisions, open questions and risks with their phase', () => {
    const { text, dropped, contradictions } = accumulate(
      [
        source('4', { key_decisions: [decision('DB-1', 'PostgreSQL', { confidence: 'HIGH' })] }),
        source('2', { risks_identified: [{ id: 'R-1', risk: 'lock-in', severity: 'HIGH', mitigation: 'an adapter' }] }),
        source('3', { open_questions: [question('OQ-1', 'How do phones\nsign in?')] }),
      ],
      countWords,
    )
    expect(text).toBe(
      '### Decided\n- DB-1 (phase 4, HIGH): PostgreSQL\n\n### Still open\n- OQ-1 (phase 3, HIGH): How do phones sign in?\n\n' +
        '### Risks\n- R-1 (phase 2, HIGH): lock-in → an adapter',
    )
    expect(dropped).toEqual([])
    expect(contradictions).toEqual([])
  })

  it('[CX2] over the budget the oldest phase goes first', () => {
    const sources = (['2', '3', '4'] as const).map((phase) =>
      source(phase, { key_decisions: [decision(`D-${phase}`, 'eight words that fill up the little budget')] }),
    )
    const { text, dropped } = accumulate(sources, countWords, 30)
    expect(dropped).toEqual(['D-2'])
    expect(text).not.toContain('D-2')
    expect(text).toContain('D-3')
    expect(text).toContain('D-4')
  })

  it('[CX2] an open question outlives older decisions, but not what the newest phase decided', () => {
    const sources = [
      source('2', { key_decisions: [decision('D-2', 'old')], open_questions: [question('OQ-2')] }),
      source('3', { key_decisions: [decision('D-3', 'newer')] }),
      source('4', { key_decisions: [decision('D-4', 'newest')] }),
    ]
    expect(accumulate(sources, countWords, 17).dropped).toEqual(['D-2', 'D-3'])
    expect(accumulate(sources, countWords, 8).dropped).toEqual(['D-2', 'D-3', 'OQ-2'])
  })

  it('[CX2] the default budget is 500 tokens', () => {
    const many = source('4', {
      key_decisions: Array.from({ length: 300 }, (_, index) => decision(`D-${index}`, 'three more words')),
    })
    const { text, dropped } = accumulate([many], countWords)
    expect(countWords(text)).toBeLessThanOrEqual(500)
    expect(countWords(text)).toBeGreaterThan(480)
    expect(dropped.length).toBeGreaterThan(200)
  })

  it('[CX2] a superseded decision goes, and its successor names it', () => {
    const { text, contradictions } = accumulate(
      [
        source('4', { key_decisions: [decision('DB-1', 'PostgreSQL', { confidence: 'HIGH' })] }),
        source('6', { key_decisions: [decision('DB-2', 'MongoDB', { supersedes: ['DB-1'] })] }),
      ],
      countWords,
    )
    expect(text).toContain('- DB-2 (phase 6, MEDIUM, supersedes DB-1): MongoDB')
    expect(text).not.toContain('PostgreSQL')
    expect(contradictions).toEqual([])
  })

  it.each([
    ['by the same id with other words', decision('DB-1', 'MongoDB')],
    ['by name', decision('DB-9', 'MongoDB', { contradicts: ['DB-1'] })],
  ])('[CX2] a HIGH decision contradicted %s stands, and the contradiction is reported', (_, against) => {
    const firm = decision('DB-1', 'PostgreSQL', { confidence: 'HIGH' })
    const { text, contradictions } = accumulate(
      [source('4', { key_decisions: [firm] }), source('6', { key_decisions: [against] })],
      countWords,
    )
    expect(text).toContain('PostgreSQL')
    expect(text).not.toContain('MongoDB')
    expect(contradictions).toEqual([
      { standing: { phase: '4', decision: firm }, against: { phase: '6', decision: against } },
    ])
  })

  it('[CX2] a decision that was not HIGH gives way to a later one, and repeating one is no contradiction', () => {
    const { text, contradictions } = accumulate(
      [
        source('4', {
          key_decisions: [decision('DB-1', 'PostgreSQL'), decision('UI-1', 'React', { confidence: 'HIGH' })],
        }),
        source('6', { key_decisions: [decision('DB-1', 'MongoDB'), decision('UI-1', 'React')] }),
      ],
      countWords,
    )
    expect(text).toContain('MongoDB')
    expect(text).not.toContain('PostgreSQL')
    expect(text).toContain('- UI-1 (phase 4, HIGH): React')
    expect(contradictions).toEqual([])
  })

  it('[CX2] a question travels until a decision resolves it by id', () => {
    const asked = source('2', { open_questions: [question('OQ-1'), question('OQ-2')] })
    const resolving = source('4', { key_decisions: [decision('AUTH-1', 'PKCE', { resolves: ['OQ-1'] })] })
    expect(accumulate([asked, source('3')], countWords).text).toContain('OQ-1')
    const { text } = accumulate([asked, resolving], countWords)
    expect(text).not.toContain('OQ-1')
    expect(text).toContain('OQ-2 (phase 2')
  })

  it('[CX2] a question stays resolved when the decision that resolved it is superseded', () => {
    const sources = [
      source('2', { open_questions: [question('OQ-1')] }),
      source('4', { key_decisions: [decision('DB-1', 'PostgreSQL', { resolves: ['OQ-1'] })] }),
      source('6', { key_decisions: [decision('DB-2', 'MongoDB', { supersedes: ['DB-1'] })] }),
    ]
    expect(accumulate(sources, countWords).text).not.toContain('OQ-1')
  })

  it('[CX2] a question that only a rejected decision resolved stays open', () => {
    const sources = [
      source('2', { open_questions: [question('OQ-1')] }),
      source('4', { key_decisions: [decision('DB-1', 'PostgreSQL', { confidence: 'HIGH' })] }),
      source('6', { key_decisions: [decision('DB-1', 'MongoDB', { resolves: ['OQ-1'] })] }),
    ]
    expect(accumulate(sources, countWords).text).toContain('OQ-1')
  })

  it('[CX2] never exceeds its budget, and drops nothing that would fit whole', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    const id = fc.constantFrom('A', 'B', 'C', '__proto__', 'constructor')
    const anySource = fc.record({
      phase: fc.constantFrom(...phaseIds),
      key_decisions: fc.array(
        fc.record({
          id,
          decision: text,
          confidence: fc.constantFrom('HIGH' as const, 'LOW' as const),
          supersedes: fc.array(id, { maxLength: 2 }),
          resolves: fc.array(id, { maxLength: 2 }),
        }),
        { maxLength: 4 },
      ),
      open_questions: fc.array(fc.record({ id, question: text, priority: fc.constant('LOW' as const) }), {
        maxLength: 4,
      }),
      risks_identified: fc.array(fc.record({ id, risk: text, severity: text }), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(fc.array(anySource, { maxLength: 6 }), fc.nat(120), (sources, budget) => {
        const { text: whole } = accumulate(sources, countWords, Number.POSITIVE_INFINITY)
        const cut = accumulate(sources, countWords, budget)
        expect(countWords(cut.text)).toBeLessThanOrEqual(budget)
        if (countWords(whole) <= budget) expect(cut).toMatchObject({ text: whole, dropped: [] })
      }),
    )
  })

  it('[CX2] gives nothing rather than too much when even nothing is too long', () => {
    expect(accumulate([source('4', { key_decisions: [decision('A', 'a')] })], () => 9, 5)).toMatchObject({ text: '' })
  })
})
