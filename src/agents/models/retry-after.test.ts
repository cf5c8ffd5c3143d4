import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.parse('2026-11-15T12:00:00Z')

describe('retryAfterMs', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of a second', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
    ['milliseconds, before seconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['nothing', {}, undefined],
  ])('reads %s', (_, headers, expected) => {
    expect(retryAfterMs(headers, undefined, now)).toBe(expected)
  })

  it("reads Google's delay in the body", () => {
    expect(retryAfterMs(undefined, '{"error":{"details":[{"retryDelay": "17.2s"}]}}', now)).toBe(17_200)
  })
})
