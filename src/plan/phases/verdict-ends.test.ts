import { expect, it } from 'vitest'
import { verdictEnd } from './verdict-ends.ts'

const dissents = [
  { member: 'judge-neutral', text: 'no limit' },
  { member: 'judge-sceptic', text: 'no index' },
]
const judged = { phase: '6' as const, outcome: 'YELLOW' as const, dissents, flags: [] }
const risk = (id: string, words: string) => ({ phase: '6b' as const, risk: { id, risk: words, severity: 'MAJOR' } })

it('[PH6] says what became of objections: settled, carried under the id of their risk, or noted', () => {
  expect(verdictEnd(judged, [])).toBe('2 objections settled by an amendment')
  expect(verdictEnd(judged, [risk('R6b-1', 'Slow (reviewer); no index (judge-sceptic)')])).toBe(
    '1 objection settled by an amendment, 1 objection carried as R6b-1',
  )
  expect(verdictEnd({ ...judged, phase: '8', outcome: 'GREEN' }, [])).toBe('2 points noted in the issues')
  expect(verdictEnd({ ...judged, outcome: 'RED', flags: ['red_overridden'] }, [])).toMatch(/^continued despite it/)
  expect(verdictEnd({ ...judged, dissents: [] }, [])).toBe('')
  const review = { phase: '6b' as const, outcome: 'pass_with_risk' as const, dissents: null, flags: [] }
  expect(verdictEnd(review, [])).toBe('settled by an amendment')
  expect(verdictEnd(review, [risk('R6b-2', 'Slow')])).toBe('carried as R6b-2, the rest settled by an amendment')
  expect(verdictEnd({ ...review, outcome: 'pass' }, [])).toBe('')
})
