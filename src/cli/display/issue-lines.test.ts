import { expect, it } from 'vitest'
import { issueLines } from './issue-lines.ts'
import type { Output } from './output.ts'

const plain = { style: (_: string, text: string) => text } as unknown as Output
const about = { evidence: [], elsewhere: [] }

it('says what an open issue waits for, and that no person has reviewed a finished one', () => {
  const issues = [
    { ...about, number: 1, title: 'One', state: 'IN_PROGRESS' },
    { ...about, number: 2, title: 'Two', state: 'PENDING', depends_on: [1, 3] },
    { ...about, number: 3, title: 'Three', state: 'DONE', reviewed: false, depends_on: [4] },
  ]
  const lines = issueLines({ feature: 'demo', synced: 0, issues }, plain)
  expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
    'IN_PROGRESS #1 One',
    'PENDING #2 Two waits for #1',
    'DONE #3 Three not yet reviewed by a person',
  ])
})
