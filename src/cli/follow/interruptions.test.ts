import { expect, it } from 'vitest'
import type { StoredEvent } from '../../kernel/events.ts'
import { Interruptions } from './interruptions.ts'

let seq = 0
const event = (type: string, run: string, data: object = {}) =>
  ({ seq: ++seq, type, version: 1, stream: 's', id: `${seq}`, ts: '', run, data }) as unknown as StoredEvent
const recovered = (run: string) => event('run.recovered', run, { steps: 3 })
const asked = event('question.asked', 'b/inc', { id: 'q1', text: 'Which?', choices: [], context: {} })
const answered = event('question.answered', 'b/inc', { id: 'q1', choice: 'retry' })
const begun = event('ask.started', 'b/inc', {
  ask: 'a',
  kind: 'implement',
  agent: 'gpt',
  attempt: 1,
  reserved: { tokens: 1, usd: null },
})

const shown = (...events: StoredEvent[]) => {
  const interruptions = new Interruptions('b')
  return events.filter((one) => !interruptions.isUnimportant(one)).filter(({ type }) => type === 'run.recovered')
}

it('shows an interruption once, whatever runs are below the followed one', () => {
  expect(shown(begun, recovered('b/inc/part'), recovered('b/inc'), recovered('b'))).toHaveLength(1)
})

it('shows none after a mere answer, and none while a question is open', () => {
  expect(shown(begun, asked, answered, recovered('b'), recovered('b/inc'))).toEqual([])
  expect(shown(begun, asked, recovered('b'))).toEqual([])
  // A question that was answered before is not shown again.
  expect(shown(begun, answered, recovered('b'))).toEqual([])
})

it('shows one that came after the answer was used', () => {
  expect(shown(begun, asked, answered, recovered('b'), begun, recovered('b'))).toHaveLength(1)
})
