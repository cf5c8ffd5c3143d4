import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { approvalProblems } from '../build/verification.ts'
import { hintedCoverage } from './hinted-coverage.ts'

const file = 'test/inc.js'
const plan = [{ criterionId: 'adds', plannedTestName: 'adds one' }]
const hints = { plan, hinted: ['adds one'], testFiles: [file] }
const uncovered = (ran: TestFacts[]) =>
  approvalProblems({
    criteria: ['adds'],
    coverage: [{ criterionId: 'adds', testName: 'adds one' }, ...hintedCoverage({ ...hints, ran })],
    ran,
    before: [],
    after: [],
  }).map(({ message }) => message)

describe('a planned test whose name is a hint', () => {
  it('[VF2] is covered by any test of its file that ran under another name', () => {
    expect(uncovered([{ name: 'inc of 1 is 2', file, outcome: 'passed' }])).toEqual([])
    expect(uncovered([{ name: 'inc of 1 is 2', outcome: 'passed' }])).toEqual([])
  })

  it('[VF2] is not covered by the tests of another file', () => {
    expect(uncovered([{ name: 'old thing', file: 'test/old.js', outcome: 'passed' }])).toHaveLength(1)
  })

  it("[VF5] is no hint any more once the runner reports it as skipped, as with tape's `test.skip`", () => {
    const skipped: TestFacts = { name: 'adds one', file, outcome: 'skipped' }
    const beside: TestFacts = { name: 'runs at all', file, outcome: 'passed' }
    expect(uncovered([skipped, beside])).toEqual(['no test that ran and passed covers adds: adds one was skipped'])
  })

  it('[VF5] stays uncovered where its suite crashes: nothing of it passed', () => {
    expect(uncovered([])).toHaveLength(1)
    expect(uncovered([{ name: 'inc of 1 is 2', file, outcome: 'failed', message: 'process exited' }])).toHaveLength(1)
  })
})
