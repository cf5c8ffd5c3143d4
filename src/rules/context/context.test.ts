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

  it('[CX2] a question that the person answered word for word is open no longer', () => {
    const answer = decision('P3-1', 'Phones sign in by a link', {
      question: 'How do phones sign in?',
      answer: 'By a link',
    })
    const { text } = accumulate(
      [
        source('2', {
          open_questions: [question('Q2-1', 'How do phones\nsign in?'), question('Q2-2', 'Which fonts?')],
        }),
        source('3', { key_decisions: [answer] }),
      ],
      countWords,
    )
    expect(text).not.toContain('Q2-1')
    expect(text).toContain('Q2-2')
  })

  it('[CX2] over the budget the oldest phase goes first', () => {
    const sources = (['2', '3', '4'] as const).map((phase) =>
      source(phase, { key_decisions: [decision(`D-${phase}`, `eight words that fill the budget in ${phase}`)] }),
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

  it('[CX2] the default budget is 2,000 tokens', () => {
    const many = source('4', {
      key_decisions: Array.from({ length: 900 }, (_, index) => decision(`D-${index}`, `three more words ${index}`)),
    })
    const { text, dropped } = accumulate([many], countWords)
    expect(countWords(text)).toBeLessThanOrEqual(2000)
    expect(countWords(text)).toBeGreaterThan(1980)
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

  it("[CX2] a person's answers, HIGH decisions and MAJOR risks always travel, whatever the budget", () => {
    const words = 'word '.repeat(100).trim()
    const sources = [
      source('3', { key_decisions: [decision('P3-1', `Which? → ${words}`, { confidence: 'HIGH' })] }),
      source('4', {
        key_decisions: [decision('D4-1', words, { confidence: 'HIGH' }), decision('D4-2', 'a detail')],
        risks_identified: [
          { id: 'R4-1', risk: 'loss of rows', severity: 'major' },
          { id: 'R4-2', risk: 'a typo', severity: 'MINOR' },
        ],
      }),
      source('7', { open_questions: [question('Q7-1')] }),
    ]
    const { text, dropped, shortened } = accumulate(sources, countWords, 10)
    expect(text).toContain(`- P3-1 (phase 3, HIGH): Which? → ${words}\n`)
    expect(text).toMatch(/- D4-1 \(phase 4, HIGH\): (word )+\S*…/)
    expect(text).toContain('- R4-1 (phase 4, major): loss of rows')
    expect(dropped).toEqual(['R4-2', 'D4-2', 'Q7-1'])
    expect(shortened).toEqual(['D4-1'])
  })

  it("[CX2] no agent replaces or contradicts a person's answer; the person may", () => {
    const said = source('3', { key_decisions: [decision('P3-1', 'Where? → files', { confidence: 'HIGH' })] })
    const agents = source('4', { key_decisions: [decision('D4-1', 'a database', { supersedes: ['P3-1'] })] })
    const { text, contradictions } = accumulate([said, agents], countWords)
    expect(text).toContain('→ files')
    expect(text).not.toContain('a database')
    expect(contradictions).toMatchObject([{ against: { decision: { id: 'D4-1' } } }])
    const again = source('6b', { key_decisions: [decision('P6b-1', 'Where? → a table', { supersedes: ['P3-1'] })] })
    expect(accumulate([said, again], countWords).text).not.toContain('→ files')
  })

  it('[CX2] says a decision once, with all its ids and the highest confidence', () => {
    const sources = [
      source('2', { key_decisions: [decision('D2-1', 'Read first')] }),
      source('4', { key_decisions: [decision('D4-1', 'read  first', { confidence: 'HIGH' })] }),
      source('7', { key_decisions: [decision('D7-1', 'Read first', { confidence: 'LOW' })] }),
    ]
    expect(accumulate(sources, countWords).text).toBe('### Decided\n- D2-1, D4-1, D7-1 (phase 2, HIGH): read first')
  })

  it('[CX2] only what always travels exceeds the budget, and nothing is dropped that would fit whole', () => {
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
        if (countWords(cut.text) > budget) expect(cut.text).not.toMatch(/^- .*\(phase \w+, LOW\)|^### Still open/m)
        if (countWords(whole) <= budget) expect(cut).toMatchObject({ text: whole, dropped: [] })
      }),
    )
  })
})
