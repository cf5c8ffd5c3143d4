import { describe, expect, it } from 'vitest'
import { testIds, unknownReferences } from './plan-references.ts'

const testPlan = [
  '## Tests by criterion',
  '- **T1** unit: three lines',
  '| T2 | an empty file |',
  '1. `E2E-3` the whole report',
  '### T4: limits',
  'HTTP is not tested.',
].join('\n')
const decided = [{ id: 'D4-1', called: 'FORMAT', decision: 'UTF-8', confidence: 'HIGH' as const }]

describe('[PH6] references of issues', () => {
  it('[PH6] finds the ids of a test plan at the start of its rows', () => {
    expect(testIds(testPlan)).toEqual(['T1', 'T2', 'E2E-3', 'T4'])
    expect(testIds('Tests in words only.')).toEqual([])
  })

  it('[PH6] names decisions and tests that do not exist', () => {
    const issues = [{ decisions: ['format', 'D9-9'], tests: ['T1 unit', 'T9: nothing', 'E2E-3', 'A row in words'] }]
    expect(unknownReferences(issues, decided, testPlan)).toEqual(['decision D9-9', 'test T9'])
    expect(unknownReferences([{ tests: ['T1.2 the second line'] }], decided, testPlan)).toEqual([])
  })

  it('[PH6] where the test plan numbers nothing, no test is unknown', () => {
    expect(unknownReferences([{ tests: ['T1 unit'] }], decided, 'Tests in words.')).toEqual([])
  })
})
