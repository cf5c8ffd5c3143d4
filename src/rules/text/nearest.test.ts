import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

const keys = ['agents', 'roles', 'room', 'plan', 'build', 'budget', 'api_key_env', 'max_rounds', 'model']

describe('nearest', () => {
  it.each([
    ['agnets', 'agents'],
    ['Agents', 'agents'],
    ['agent', 'agents'],
    ['rooms', 'room'],
    ['maxRounds', 'max_rounds'],
    ['max-rounds', 'max_rounds'],
    ['api_key', 'api_key_env'],
    ['modle', 'model'],
    ['budgets', 'budget'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, keys)).toBe(meant)
  })

  it.each(['zebra', 'x', '', 'ag', 'completely-other', 'a'.repeat(100)])('has nothing for %s', (word) => {
    expect(nearest(word, keys)).toBeUndefined()
  })

  it('takes the first by code unit among equals, whatever their order', () => {
    expect(nearest('cat', ['hat', 'bat'])).toBe('bat')
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
  })

  it('ignores names that every object has', () => {
    expect(nearest('__proto__', keys)).toBeUndefined()
    expect(nearest('constructor', [])).toBeUndefined()
  })

  it('finds every candidate by its own name', () => {
    for (const key of keys) expect(nearest(key, keys)).toBe(key)
  })
})

describe('editDistance', () => {
  it('counts a swap of neighbours as one edit', () => {
    expect(editDistance('agnets', 'agents')).toBe(1)
    expect(editDistance('kitten', 'sitting')).toBe(3)
    expect(editDistance('', 'abc')).toBe(3)
  })

  it('is symmetric, zero only for equals, and never more than the longer word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
        const distance = editDistance(a, b)
        expect(distance).toBe(editDistance(b, a))
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})
