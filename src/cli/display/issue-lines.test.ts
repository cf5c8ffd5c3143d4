import { expect, it } from 'vitest'
import { issueLines } from './issue-lines.ts'
import type { Output } from './output.ts'

const plain = { style: (_: string, text: string) => text } as unknown as Output
const about = { evidence: [], elsewhere: [] }

it('[IS6] says why an issue is blocked, and what to do about it', () => {
  const issues = [
    { ...about, number: 2, title: 'Two', state: 'BLOCKED', reason: 'given up. Attempt 1: it is red.\nmore' },
  ]
  const lines = issueLines({ feature: 'demo', issues }, plain)
  expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
    'BLOCKED #2 Two given up. Attempt 1: it is red.',
    expect.stringMatching(/^next: repair the cause, .* `convene unblock demo --issue 2` .* `convene run demo`$/),
  ])
})

it('says what an open issue waits for, and that no person has reviewed a finished one', () => {
  const issues = [
    { ...about, number: 1, title: 'One', state: 'IN_PROGRESS' },
    { ...about, number: 2, title: 'Two', state: 'PENDING', depends_on: [1, 3] },
    { ...about, number: 3, title: 'Three', state: 'DONE', reviewed: false, depends_on: [4] },
  ]
  const lines = issueLines({ feature: 'demo', issues }, plain)
  expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
    'IN_PROGRESS #1 One',
    'PENDING #2 Two waits for #1',
    'DONE #3 Three not yet reviewed by a person',
  ])
})
