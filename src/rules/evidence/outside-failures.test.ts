import { describe, expect, it } from 'vitest'
import { newOutsideFailures, outsideFailures } from './outside-failures.ts'

describe('failures beside the tests', () => {
  it.each([
    ['⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯'],
    ['Vitest caught 1 unhandled error during the test run.'],
    ['  1 uncaught exception'],
    ['  Uncaught exception in test.js'],
    ['Jest: "global" coverage threshold for lines (90%) not met: 80%'],
    ['ℹ Error: 83.33% line coverage does not meet threshold of 100%.'],
    ['# Error: 83.33% branch coverage does not meet threshold of 100%.'],
    ['ERROR: Coverage for lines (80%) does not meet global threshold (90%)'],
    ['FAIL Required test coverage of 90% not reached. Total coverage: 80.00% is less than 90%'],
  ])('[VF4] are found: %s', (line) => {
    expect(outsideFailures(`a\n${line}\nb`)).toHaveLength(1)
  })

  it('[VF4] are not what passing tests print', () => {
    const output = '✔ rejects an unhandled value (3 ms)\nok 1 - coverage of the map\n% Lines | 80\nAll files | 90\n'
    expect(outsideFailures(output)).toEqual([])
    const titles = [
      ' ✓ logs unhandled errors once 3ms',
      '✔ survives an Unhandled Rejection',
      'ok 3 - reports coverage less than the threshold',
      'store: Unhandled Error was expected here',
    ]
    expect(outsideFailures(titles.join('\n'))).toEqual([])
  })

  it('[VF4] are new unless the base has them, whatever their numbers', () => {
    const [before, after] = [
      'Jest: "global" coverage threshold for lines (90%) not met: 80%',
      'Jest: "global" coverage threshold for lines (90%) not met: 81.5%',
    ]
    expect(newOutsideFailures(outsideFailures(after), outsideFailures(before))).toEqual([])
    expect(newOutsideFailures(outsideFailures('Unhandled Rejection'), outsideFailures(before))).toHaveLength(1)
  })
})
