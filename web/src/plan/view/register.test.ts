import { describe, expect, it } from 'vitest'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'
import * as make from './plan.fixture.ts'
import { everything, filtered, openQuestionsOf, type RegisterFilter, risksOf, saidOnce } from './register.ts'

const view = make.viewOf(
  make.started(),
  make.begun('2'),
  make.decided('2', { id: 'R1', decision: 'Read first', confidence: 'LOW' }),
  make.ended('2', { open_questions: [{ id: 'Q1', question: 'How late?', priority: 'HIGH' }] }),
  make.begun('4'),
  make.decided('4', { id: 'D1', decision: 'In memory' }),
  make.ended('4', { risks_identified: [{ id: 'X1', risk: 'Lost', severity: 'HIGH' }] }),
  make.returned('6', '4', ['4']),
  make.begun('4', [], 2),
  make.decided('4', { id: 'D2', decision: 'In a table', rationale: 'survives', supersedes: ['R1'] }),
)
const ids = (filter: Partial<RegisterFilter>) =>
  filtered(view.decisions, { ...everything, ...filter }).map(({ decision }) => decision.id)

describe('the decision register', () => {
  it('shows what stands, and on demand what was superseded or withdrawn', () => {
    expect(ids({})).toEqual(['D2'])
    expect(ids({ standing: 'superseded' })).toEqual(['R1'])
    expect(ids({ standing: 'withdrawn' })).toEqual(['D1'])
    expect(ids({ standing: 'all' })).toEqual(['R1', 'D1', 'D2'])
  })

  it('is narrowed by phase, confidence and words', () => {
    expect(ids({ standing: 'all', phase: '4' })).toEqual(['D1', 'D2'])
    expect(ids({ standing: 'all', confidence: 'LOW' })).toEqual(['R1'])
    expect(ids({ standing: 'all', text: ' SURVIVES' })).toEqual(['D2'])
  })

  it('leaves out questions that a standing decision answers, and what was sent back', () => {
    expect(openQuestionsOf(view).map(({ id }) => id)).toEqual(['Q1'])
    const resolved = make.viewOf(
      make.started(),
      make.begun('2'),
      make.ended('2', { open_questions: [{ id: 'Q1', question: 'How late?', priority: 'HIGH' }] }),
      make.decided('2', { id: 'D3', resolves: ['Q1'] }),
    )
    expect(openQuestionsOf(resolved)).toEqual([])
    expect(risksOf(view)).toEqual([])
  })
})

it('a risk that was raised again is shown once, in its latest words', () => {
  const risk = (phase: PhaseId, id: string, mitigation: string) => ({ phase, id, mitigation })
  expect(saidOnce([risk('2', 'R2-1', 'none'), risk('4', 'R4-1', 'wait'), risk('7', 'R2-1', 'a limit')])).toEqual([
    risk('2', 'R2-1', 'a limit'),
    risk('4', 'R4-1', 'wait'),
  ])
})
