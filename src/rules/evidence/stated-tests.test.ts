import { describe, expect, it } from 'vitest'
import { statedTests } from './stated-tests.ts'

describe('tests without titles', () => {
  it('[VF5] are the lines that do something, with the comment above them', () => {
    const text = '#!/bin/sh\n# one: adds\n[ "$(inc 1)" = 2 ] || exit 1\n[ "$(inc 2)" = 3 ] || exit 1\n'
    expect(statedTests(text)).toEqual([
      '#!/bin/sh\n# one: adds\n[ "$(inc 1)" = 2 ] || exit 1',
      '#!/bin/sh\n# one: adds\n[ "$(inc 2)" = 3 ] || exit 1',
    ])
  })

  it('[VF5] are not comments that nothing follows', () => {
    expect(statedTests('check one\n\n# two: is done\n// three\n').join()).not.toMatch(/two|three/)
  })
})
