import { expect, it } from 'vitest'
import type { KeyDecision, OpenQuestion } from '../plan/phase-summary.ts'
import type { PhaseId } from '../plan/phase-table.ts'
import { answeredInPassing, questionsForPerson } from './open-questions.ts'

const raised = (phase: PhaseId, open_questions: OpenQuestion[], key_decisions: KeyDecision[] = []) => {
  return { phase, open_questions, key_decisions }
}
const high = (id: string, question: string): OpenQuestion => ({ id, question, priority: 'HIGH' })

it('[SG2] takes HIGH questions that nothing resolves, in order', () => {
  const summaries = [
    raised('2', [high('Q2-1', 'Which time zone?'), { id: 'Q2-2', question: 'Which colour?', priority: 'MEDIUM' }]),
    raised(
      '4',
      [high('Q4-1', 'Who reads the report?')],
      [{ id: 'D4-1', decision: 'UTC', confidence: 'MEDIUM', resolves: ['Q2-1'] }],
    ),
  ]
  expect(questionsForPerson(summaries, [])).toEqual([{ question: 'Who reads the report?', phase: '4', ids: ['Q4-1'] }])
})

it('[SG2] asks each matter once: of two phases together, and never after the person spoke on it', () => {
  const summaries = [
    raised('4', [high('Q4-1', 'May an empty file give an error?'), high('Q4-2', 'Who reads the report?')]),
    raised('7', [high('Q7-1', 'Should an empty file give an error?'), high('Q4-2', 'Who reads the report?')]),
  ]
  expect(questionsForPerson(summaries, []).map(({ ids }) => ids)).toEqual([['Q4-1', 'Q7-1'], ['Q4-2']])
  const spoken = [
    { question: 'The agents disagree on: an error for an empty file', about: 'Should an empty file give an error?' },
  ]
  expect(questionsForPerson(summaries, spoken).map(({ ids }) => ids)).toEqual([['Q4-2']])
})

it('[SG2] [CX2] asks what only a decision that was left out would resolve', () => {
  const decided = { id: 'D4-1', decision: 'UTC', confidence: 'HIGH' as const }
  const opposed = {
    id: 'D6-1',
    decision: 'Local',
    confidence: 'LOW' as const,
    contradicts: ['D4-1'],
    resolves: ['Q4-1'],
  }
  const summaries = [raised('4', [high('Q4-1', 'Who reads the report?')], [decided]), raised('6', [], [opposed])]
  expect(questionsForPerson(summaries, []).map(({ ids }) => ids)).toEqual([['Q4-1']])
})

it('[SG2] an answer settles an open question or a risk in passing only if both exist and nothing has resolved the question', () => {
  const low = (id: string): OpenQuestion => ({ id, question: `${id}?`, priority: 'LOW' })
  const decided: KeyDecision = { id: 'D2-1', decision: 'UTC', confidence: 'MEDIUM', resolves: ['Q2-2'] }
  const summaries = [raised('2', [low('Q2-1'), low('Q2-2'), low('Q2-3')], [decided])].map((one) => ({
    ...one,
    risks_identified: [{ id: 'R2-1', risk: 'A cut', severity: 'MAJOR' }],
  }))
  const named = [
    { question: 'Q2-1', by: 'P3-1' },
    { question: 'Q2-1', by: 'P3-2' },
    { question: 'Q2-2', by: 'P3-1' },
    { question: 'Q2-3', by: 'P3-9' },
    { question: 'Q9-9', by: 'P3-1' },
    { question: 'R2-1', by: 'P3-2' },
  ]
  expect(answeredInPassing(named, summaries, ['P3-1', 'P3-2'])).toEqual([
    { question: 'Q2-1', by: 'P3-1' },
    { question: 'R2-1', by: 'P3-2' },
  ])
})
