import { expect, it } from 'vitest'
import { eventLabel } from './event-label.ts'

it('[VF8] names the file of a refusal', () => {
  const problems = [{ rule: 'VF3', message: 'a test, which implementers may not touch', path: 'test/a.js' }]
  const event = { type: 'reply.refused', data: { kind: 'implement', attempt: 2, problems } }
  expect(eventLabel(event as never)).toBe(
    'implement, attempt 2: [VF3] test/a.js: a test, which implementers may not touch',
  )
})
