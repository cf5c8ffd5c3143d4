import { describe, expect, it } from 'vitest'
import { mayCall, nestingDepth } from './nested.ts'

describe('nested', () => {
  it('[MC1] reads the depth; a garbled value counts as one level', () => {
    expect([undefined, '', ' ', '0', '1', ' 2 ', 'x', '-1', '1.5'].map(nestingDepth)).toEqual([
      0, 0, 0, 0, 1, 2, 1, 1, 1,
    ])
  })

  it('[MC1] refuses to start work from depth 1 on, unless nesting is allowed', () => {
    const starts = { startsWork: true }
    expect([mayCall(starts, 0, false), mayCall(starts, 1, false), mayCall(starts, 2, false)]).toEqual([
      true,
      false,
      false,
    ])
    expect(mayCall(starts, 3, true)).toBe(true)
    expect(mayCall({ startsWork: false }, 1, false)).toBe(true)
  })
})
